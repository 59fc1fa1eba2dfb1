const replacement = '\u{FFFD}';

/**
 * The text of a jsonb column. Postgres refuses two things that JSON allows, so both leave as U+FFFD:
 * NUL, and half of a surrogate pair (which `JSON.stringify` writes as an escape, whole pairs never).
 */
export function json(value: unknown): string {
  return JSON.stringify(value).replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (whole, body: string) =>
    body.length > 1 ? replacement : whole,
  );
}

/** As `json`, with null kept as the database's own null. */
export function jsonOrNull(value: unknown): string | null {
  return value === null ? null : json(value);
}

/** A parameter as Postgres can take it: its texts hold no NUL. */
export function withoutNul(parameter: unknown): unknown {
  if (typeof parameter === 'string')
    return parameter.includes('\0') ? parameter.replaceAll('\0', replacement) : parameter;
  return Array.isArray(parameter) ? parameter.map(withoutNul) : parameter;
}
