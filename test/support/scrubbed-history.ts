/** What a history carries about the machine it ran on, and nothing replays: names of processes, paths in stacks. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A history's JSON text without names of machines, processes and files; it replays like the original. */
export function scrubbed(history: string): string {
  return `${JSON.stringify(scrub(JSON.parse(history) as Json), null, 1)}\n`;
}

function scrub(value: Json): Json {
  if (Array.isArray(value)) return value.map(scrub);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as { readonly [key: string]: Json };
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]): [string, Json] => {
      if (key === 'identity') return [key, 'worker'];
      // A sticky queue is named after the process that polls it.
      if (key === 'name' && object['kind'] === 'TASK_QUEUE_KIND_STICKY') return [key, 'sticky'];
      if (key === 'stackTrace') return [key, ''];
      if (key === 'encodedAttributes') return [key, withoutStack(inner)];
      return [key, scrub(inner)];
    }),
  );
}

/** A failure's encoded attributes: `{"message": ..., "stack_trace": ...}` in base64. */
function withoutStack(payload: Json): Json {
  const { metadata, data } = payload as { readonly metadata: Json; readonly data: string };
  const attributes = JSON.parse(Buffer.from(data, 'base64').toString('utf8')) as { readonly message: string };
  const bare = JSON.stringify({ message: attributes.message, stack_trace: '' });
  return { metadata, data: Buffer.from(bare).toString('base64') };
}
