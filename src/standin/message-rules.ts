import { imageFacts } from './image-facts.js';
import { isArray, isObject, type JsonObject, type JsonValue, member, objectsIn, textMember } from './json.js';

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
const USER_BLOCKS = ['text', 'document', 'image', 'tool_result'];
/** Published limits of one image. */
const MAX_IMAGE_BASE64 = 10 * 1024 * 1024;
const MAX_IMAGE_SIDE = 8000;
/** Published limits of the images of one request. */
const MAX_IMAGES = 600;
const MANY_IMAGES = 20;
const MAX_SIDE_OF_MANY = 2000;

/** Why the API would refuse these messages, in one sentence, or null. */
export function messagesObjection(messages: JsonValue | undefined): string | null {
  if (messages === undefined) return 'messages: Field required';
  if (!isArray(messages)) return 'messages: Input should be a valid array';
  if (messages.length === 0) return 'messages: at least one message is required';
  for (const [index, message] of messages.entries()) {
    const objection = messageObjection(message, `messages.${index}`);
    if (objection) return objection;
  }
  const crowd = crowdObjection(messages);
  if (crowd) return crowd;
  if (textMember(messages[0], 'role') === 'assistant')
    return 'messages: first message must use the "user" role';
  if (textMember(messages.at(-1), 'role') === 'assistant') {
    return 'messages: This model does not support assistant message prefill. The conversation must end with a user message.';
  }
  return null;
}

function messageObjection(message: JsonValue, where: string): string | null {
  if (!isObject(message)) return `${where}: Input should be an object`;
  const role = textMember(message, 'role');
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    return `${where}.role: Input should be 'user', 'assistant' or 'system'`;
  }
  const content = member(message, 'content');
  if (typeof content === 'string') return content === '' ? `${where}: content must be non-empty` : null;
  if (!isArray(content) || content.length === 0) return `${where}: content must be non-empty`;
  if (content.length !== objectsIn(content).length)
    return `${where}.content: Input should be an array of objects`;
  for (const [index, block] of objectsIn(content).entries()) {
    const objection = blockObjection(block, role, `${where}.content.${index}`);
    if (objection) return objection;
  }
  return null;
}

function blockObjection(block: JsonObject, role: string, where: string): string | null {
  const type = textMember(block, 'type') ?? '';
  if (role === 'assistant') {
    return type === 'document' ? `${where}: document blocks are not permitted in assistant messages` : null;
  }
  if (!USER_BLOCKS.includes(type)) return `${where}.type: '${type}' is not a block this role may send`;
  if (type === 'text') {
    const text = textMember(block, 'text');
    if (text === undefined) return `${where}.text: Field required`;
    if (text.trim() === '') return `${where}: text content blocks must contain non-whitespace text`;
    const citations = member(block, 'citations');
    return isArray(citations) && citations.length > 0
      ? `${where}.citations: citations are not permitted in user messages`
      : null;
  }
  if (type === 'document') return documentObjection(member(block, 'source'), `${where}.source`);
  if (type === 'image') return imageObjection(member(block, 'source'), `${where}.source`);
  return null;
}

function documentObjection(source: JsonValue | undefined, where: string): string | null {
  const kind = textMember(source, 'type');
  if (kind === 'text') {
    if (textMember(source, 'media_type') !== 'text/plain')
      return `${where}.media_type: Input should be 'text/plain'`;
    return (textMember(source, 'data') ?? '').trim() === '' ? `${where}.data: must be non-empty` : null;
  }
  if (kind === 'base64') {
    if (textMember(source, 'media_type') !== 'application/pdf') {
      return `${where}.media_type: Input should be 'application/pdf'`;
    }
    return base64Objection(textMember(source, 'data'), where);
  }
  if (kind === 'content') return null;
  return `${where}.type: this stand-in reads 'base64', 'text' and 'content' sources`;
}

function imageObjection(source: JsonValue | undefined, where: string): string | null {
  if (textMember(source, 'type') !== 'base64') return `${where}.type: this stand-in reads 'base64' sources`;
  const declared = textMember(source, 'media_type') ?? '';
  if (!IMAGE_TYPES.includes(declared))
    return `${where}.media_type: Input should be one of ${IMAGE_TYPES.join(', ')}`;
  const data = textMember(source, 'data');
  const objection = base64Objection(data, where);
  if (objection) return objection;
  if (data !== undefined && data.length > MAX_IMAGE_BASE64)
    return `${where}.base64: image exceeds 10 MB maximum`;
  const image = imageFacts(Buffer.from(data ?? '', 'base64'));
  if (image === null) return `${where}: Could not process image`;
  if (image.type !== declared) {
    return `${where}: The image was specified using the ${declared} media type, but the image appears to be a ${image.type} image`;
  }
  return Math.max(image.width, image.height) > MAX_IMAGE_SIDE
    ? `${where}: At least one of the image dimensions exceed max allowed size: ${MAX_IMAGE_SIDE} pixels`
    : null;
}

/** Many images in one request must each be smaller, and there is a most. Each has passed its own rules by then. */
function crowdObjection(messages: readonly JsonValue[]): string | null {
  const images = messages.flatMap((message) =>
    objectsIn(member(message, 'content')).filter((block) => block['type'] === 'image'),
  );
  if (images.length > MAX_IMAGES) return `messages: at most ${MAX_IMAGES} images may be provided`;
  if (images.length <= MANY_IMAGES) return null;
  const isLarge = images.some((block) => {
    const facts = imageFacts(Buffer.from(textMember(member(block, 'source'), 'data') ?? '', 'base64'));
    return facts !== null && Math.max(facts.width, facts.height) > MAX_SIDE_OF_MANY;
  });
  return isLarge
    ? `messages: At least one of the image dimensions exceed max allowed size for many-image requests: ${MAX_SIDE_OF_MANY} pixels`
    : null;
}

function base64Objection(data: string | undefined, where: string): string | null {
  if (data === undefined || data === '') return `${where}.data: Field required`;
  return /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? null : `${where}.data: Input should be valid base64`;
}
