import type { Context, MiddlewareHandler } from 'hono';
import type { Keyring } from '../application/api-keys.js';
import { machinePrincipal } from '../application/machine-user.js';
import { tenantView } from '../application/tenant-view.js';
import type { Principal, Role } from '../domain/principal.js';
import { actsForOthers, assertLocal } from '../http/access.js';
import { HttpProblem } from '../http/problem.js';
import type { ConsoleDeps, ConsoleEnv } from './environment.js';
import { readSession } from './session.js';
import { mayAs } from './visitor.js';

/** Whether anybody on this machine may look without a key: only as long as there is none, as the API has it. */
export async function isOpen({ keyless }: Pick<ConsoleDeps, 'keyless'>, keyring: Keyring): Promise<boolean> {
  return keyless && !(await keyring.hasKeys());
}

/**
 * Finds out who asks, by the session that the browser keeps, and sends whoever has none to sign in and then back. The
 * key is looked up each time, so that one that was revoked ends its sessions at once. Handlers find the use cases as
 * this visitor may use them in the variable `app`.
 */
export function requireVisitor(deps: ConsoleDeps, keyring: Keyring): MiddlewareHandler<ConsoleEnv> {
  return async (c, next) => {
    const session = readSession(c);
    const principal = await principalOf(c, deps, keyring);
    if (principal === null) return askToSignIn(c);
    const name =
      session !== null && session.name !== '' && actsForOthers(principal) ? session.name : principal.name;
    c.set('visitor', {
      ...principal,
      name,
      signedIn: principal !== machinePrincipal || (session !== null && session.name !== ''),
    });
    c.set('app', tenantView(deps.app, principal.tenant));
    assertMay(c, 'read');
    await next();
  };
}

async function principalOf(
  c: Context<ConsoleEnv>,
  deps: ConsoleDeps,
  keyring: Keyring,
): Promise<Principal | null> {
  if (await isOpen(deps, keyring)) {
    assertLocal(c);
    return machinePrincipal;
  }
  const session = readSession(c);
  return session === null || session.key === '' ? null : await keyring.principalOfKey(session.key);
}

function askToSignIn(c: Context<ConsoleEnv>): Response {
  const { pathname, search } = new URL(c.req.url);
  const isPage = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');
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
  const origin = c.req.header('origin') ?? '';
  const isOwn = URL.canParse(origin) && new URL(origin).host === c.req.header('host');
  if (!isOwn || (site !== undefined && site !== 'same-origin')) {
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
export function assertMay(c: Context<ConsoleEnv>, role: Role): void {
  const visitor = c.get('visitor');
  if (mayAs(visitor, role)) return;
  throw new HttpProblem({
    slug: 'forbidden',
    title: 'Not with this key',
    status: 403,
    detail: `This needs a key with the role "${role}"; yours has ${visitor.roles.join(', ')}.`,
  });
}
