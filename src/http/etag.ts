import { createHash } from 'node:crypto';
import type { Context } from 'hono';

/** Marks an answer with the version it shows. */
export function tagVersion(c: Context, version: number): void {
  c.header('ETag', `"${version}"`);
}

/** Marks an answer by its content. True when the asker has it already: 304 is answer enough. */
export function tagContent(c: Context, content: unknown): boolean {
  const tag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 27)}"`;
  c.header('ETag', tag);
  return hasAlready(c.req.header('if-none-match'), tag);
}

/** Whether `If-None-Match` names this tag; weakly, as RFC 9110 has it. */
export function hasAlready(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((named) => ['*', tag].includes(named.trim().replace(/^W\//, '')));
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
