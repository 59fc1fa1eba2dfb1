import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { HttpProblem } from '../http/problem.js';
import type { ConsoleEnv } from './environment.js';
import { readSession } from './session.js';
import { mayAs, type Visitor, type VisitorRole } from './visitor.js';

/** Finds who a key belongs to; null: nobody, or not any more. */
export type FindVisitor = (key: string) => Promise<Omit<Visitor, 'signedIn'> | null>;

const nobody = 'local';

/** The one configured key opens everything. */
export function visitorOfKey(apiKey: string): FindVisitor {
  const expected = digest(apiKey);
  return async (key) =>
    timingSafeEqual(digest(key), expected) ? { name: 'operator', role: 'operator', tenant: null } : null;
}

/** Where no key is asked for, whoever is on this machine may do everything, under the name they chose. */
export const localVisitor: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const name = readSession(c)?.name ?? '';
  c.set('visitor', {
    ...{ name: name === '' ? nobody : name, role: 'operator', tenant: null },
    signedIn: name !== '',
  });
  await next();
};

/** Sends whoever has no session, or one whose key is no longer good, to sign in and then back. */
export function requireVisitor(find: FindVisitor): MiddlewareHandler<ConsoleEnv> {
  return async (c, next) => {
    const session = readSession(c);
    const found = session === null ? null : await find(session.key);
    if (session === null || found === null) return askToSignIn(c);
    c.set('visitor', { ...found, name: session.name === '' ? found.name : session.name, signedIn: true });
    await next();
  };
}

function askToSignIn(c: Context<ConsoleEnv>): Response {
  const { pathname, search } = new URL(c.req.url);
  const isPage = c.req.method === 'GET' && !(c.req.header('accept') ?? '').includes('application/json');
  if (!isPage) {
    throw new HttpProblem({
      slug: 'unauthorized',
      title: 'You are signed out',
      status: 401,
      detail: 'Sign in again in another tab; what you typed here is kept.',
    });
  }
  return c.redirect(`/console/sign-in?then=${encodeURIComponent(pathname + search)}`, 303);
}

/**
 * A request that changes something must come from a page of this server: browsers say so themselves, and a script of
 * another site cannot make them say otherwise.
 */
export const requireOwnPage: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return next();
  const site = c.req.header('sec-fetch-site');
  const origin = c.req.header('origin');
  const own = URL.canParse(origin ?? '') && new URL(origin ?? '').host === c.req.header('host');
  if (!own || (site !== undefined && site !== 'same-origin')) {
    throw new HttpProblem({
      slug: 'forbidden',
      title: 'Not from here',
      status: 403,
      detail: 'This request did not come from a page of this console; open the page again and repeat it.',
    });
  }
  return next();
};

/** Throws a 403 that says which role is needed. */
export function assertMay(c: Context<ConsoleEnv>, needed: VisitorRole): void {
  if (mayAs(c.get('visitor'), needed)) return;
  throw new HttpProblem({
    slug: 'forbidden',
    title: 'Not with this key',
    status: 403,
    detail: `This needs a key of the role ${needed}; yours is ${c.get('visitor').role}.`,
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
