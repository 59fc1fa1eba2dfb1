import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';

/** What the browser keeps: who, and the key they gave. No script can read it, and no other site makes it be sent. */
export interface Session {
  readonly name: string;
  readonly key: string;
}

const cookie = 'endstop_session';
/** A working day; then the key is asked for again. */
const lastsSeconds = 12 * 3_600;

export function readSession(c: Context): Session | null {
  const value = getCookie(c, cookie);
  if (value === undefined) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
    if (!Array.isArray(read) || !read.every((part) => typeof part === 'string')) return null;
    const [name = '', key = ''] = read;
    return { name, key };
  } catch {
    return null;
  }
}

/** The key is looked up with every request, so that one that was revoked ends its sessions at once. */
export function beginSession(c: Context, { name, key }: Session): void {
  setCookie(c, cookie, Buffer.from(JSON.stringify([name, key])).toString('base64url'), {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(c),
    path: '/console',
    maxAge: lastsSeconds,
  });
}

export function endSession(c: Context): void {
  deleteCookie(c, cookie, { path: '/console', secure: isSecure(c) });
}

function isSecure(c: Context): boolean {
  return new URL(c.req.url).protocol === 'https:' || c.req.header('x-forwarded-proto') === 'https';
}
