import type { Context } from 'hono';

/** Marks an answer with the version it shows. */
export function tagVersion(c: Context, version: number): void {
  c.header('ETag', `"${version}"`);
}

/**
 * Versions that `If-Match` names; null when it is missing or matches whatever there is. Weak tags and tags of something
 * else match nothing, as RFC 9110 has it, so they leave an empty list.
 */
export function matchedVersions(header: string | undefined): readonly number[] | null {
  if (header === undefined || header.trim() === '*') return null;
  return header.split(',').flatMap((tag) => {
    const version = /^"(\d{1,9})"$/.exec(tag.trim())?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
