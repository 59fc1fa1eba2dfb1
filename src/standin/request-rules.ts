import { type ApiFault, invalidRequest, notFound } from './api-fault.js';
import { isArray, isObject, type JsonObject, type JsonValue, member, objectsIn, textMember } from './json.js';
import { messagesObjection } from './message-rules.js';
import { findModel, type ModelFacts } from './models.js';
import { schemaObjection } from './schema-rules.js';

const FIELDS = new Set(
  `model max_tokens messages system metadata stop_sequences stream thinking tools tool_choice output_config
   service_tier container inference_geo cache_control speed diagnostics`.split(/\s+/),
);
const SAMPLING = ['temperature', 'top_p', 'top_k'];
const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];
const MAX_STRICT_TOOLS = 20;

export interface CheckedRequest {
  readonly body: JsonObject;
  readonly model: ModelFacts;
}

/** What the API checks before any model sees the request. `counting`: `max_tokens` is not asked for. */
export function checkRequest(
  body: JsonValue,
  counting: boolean,
): { readonly fault: ApiFault } | { readonly checked: CheckedRequest } {
  if (!isObject(body)) return { fault: invalidRequest('The request body is not a JSON object.') };
  const model = textMember(body, 'model');
  if (model === undefined) return { fault: invalidRequest('model: Field required') };
  const facts = findModel(model);
  if (!facts) return { fault: notFound(`model: ${model}`) };
  const objection =
    fieldObjection(body) ??
    (counting ? null : ceilingObjection(body, facts)) ??
    messagesObjection(member(body, 'messages')) ??
    toolObjection(body, facts) ??
    outputObjection(body);
  return objection ? { fault: invalidRequest(objection) } : { checked: { body, model: facts } };
}

function fieldObjection(body: JsonObject): string | null {
  for (const name of SAMPLING) {
    if (Object.hasOwn(body, name))
      return `${name}: Sampling parameters are not supported by this API version.`;
  }
  if (Object.hasOwn(body, 'output_format')) return 'output_format: Use output_config.format instead.';
  for (const name of Object.keys(body)) {
    if (!FIELDS.has(name)) return `${name}: Extra inputs are not permitted`;
  }
  if (member(member(body, 'thinking'), 'type') === 'enabled') {
    return 'thinking.type: "enabled" is not supported by this model. Use "adaptive".';
  }
  const breakpoints = JSON.stringify(body).split('"cache_control":{').length - 1;
  if (breakpoints > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${breakpoints}.`;
  return null;
}

function ceilingObjection(body: JsonObject, model: ModelFacts): string | null {
  const ceiling = member(body, 'max_tokens');
  if (ceiling === undefined) return 'max_tokens: Field required';
  if (typeof ceiling !== 'number' || !Number.isInteger(ceiling))
    return 'max_tokens: Input should be a valid integer';
  if (ceiling < 1) return 'max_tokens: must be greater than or equal to 1';
  if (ceiling > model.maxOutputTokens) {
    return `max_tokens: ${ceiling} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`;
  }
  return null;
}

function toolObjection(body: JsonObject, model: ModelFacts): string | null {
  const tools = objectsIn(member(body, 'tools'));
  for (const [index, tool] of tools.entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textMember(tool, 'name') ?? '')) {
      return `tools.${index}.name: Field required, up to 128 letters, digits, underscores and hyphens`;
    }
    const schema = member(tool, 'input_schema');
    if (!isObject(schema) || member(schema, 'type') !== 'object') {
      return `tools.${index}.input_schema.type: Input should be 'object'`;
    }
    if (member(tool, 'strict') === true) {
      const objection = schemaObjection(schema, `tools.${index}.input_schema`);
      if (objection) return objection;
    }
  }
  if (tools.filter((tool) => member(tool, 'strict') === true).length > MAX_STRICT_TOOLS) {
    return `tools: At most ${MAX_STRICT_TOOLS} strict tools are supported.`;
  }
  const choice = member(body, 'tool_choice');
  const kind = textMember(choice, 'type');
  if (choice === undefined) return null;
  if (tools.length === 0 && kind !== 'none')
    return 'tool_choice: may only be specified while providing tools';
  if ((kind === 'tool' || kind === 'any') && !model.forcedTools) {
    return `tool_choice.type: "${kind}" is not supported by ${model.id}; use "auto".`;
  }
  if (kind === 'tool' && !tools.some((tool) => tool['name'] === member(choice, 'name'))) {
    return `tool_choice.name: Tool '${textMember(choice, 'name') ?? ''}' not found in provided tools`;
  }
  return null;
}

function outputObjection(body: JsonObject): string | null {
  const config = member(body, 'output_config');
  if (config === undefined) return null;
  if (!isObject(config)) return 'output_config: Input should be an object';
  const effort = member(config, 'effort');
  if (effort !== undefined && effort !== null && !(typeof effort === 'string' && EFFORTS.includes(effort))) {
    return `output_config.effort: Input should be one of ${EFFORTS.join(', ')}`;
  }
  const format = member(config, 'format');
  if (format === undefined || format === null) return null;
  if (textMember(format, 'type') !== 'json_schema')
    return "output_config.format.type: Input should be 'json_schema'";
  if (asksForCitations(body))
    return 'output_config.format: Structured output cannot be combined with citations.';
  return schemaObjection(member(format, 'schema') ?? null, 'output_config.format.schema');
}

function asksForCitations(body: JsonObject): boolean {
  return objectsIn(member(body, 'messages')).some((message) => {
    const content = member(message, 'content');
    return (
      isArray(content) && content.some((block) => member(member(block, 'citations'), 'enabled') === true)
    );
  });
}
