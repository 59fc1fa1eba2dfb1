import type { Context, MiddlewareHandler } from 'hono';
import type { Keyring } from '../application/api-keys.js';
import type { Application } from '../application/application.js';
import { machinePrincipal } from '../application/machine-user.js';
import { tenantView } from '../application/tenant-view.js';
import { isLoopback } from '../config.js';
import type { Principal, Role } from '../domain/principal.js';
import type { HttpDeps, HttpEnv } from './environment.js';
import type { OperationOf } from './operations.js';
import { HttpProblem } from './problem.js';

/** What an operation's `security` says: a key with this role (OpenAPI 3.1 lets it name roles). Every route has one. */
export function needs(role: Role): { key: string[] }[] {
  return [{ key: [role] }];
}

/**
 * Finds out who asks: `Authorization: Bearer <key>`, or this machine while there is no key and none can be asked for by
 * others. Refuses what their roles do not cover, and another tenant than theirs. Handlers find the principal, and the
 * use cases as it may use them, in the variables `principal` and `app`.
 */
export function requirePrincipal(
  deps: HttpDeps,
  keyring: Keyring,
  operationOf: OperationOf,
): MiddlewareHandler<HttpEnv> {
  // One for each tenant: what use cases remember of a store or an engine, they remember by it.
  const views = new Map<string | null, Application>();
  const viewOf = (tenant: string | null): Application => {
    const view = views.get(tenant) ?? tenantView(deps.app, tenant);
    views.set(tenant, view);
    return view;
  };
  return async (c, next) => {
    const principal = await principalOf(c, keyring, deps.keyless ?? deps.apiKey === null);
    c.set('principal', principal);
    c.set('app', viewOf(principal.tenant));
    const operation = operationOf(c);
    if (operation !== null) assertRole(principal, operation.role);
    for (const asked of c.req.queries('tenant') ?? []) ownTenant(principal, asked);
    await next();
  };
}

async function principalOf(c: Context<HttpEnv>, keyring: Keyring, keyless: boolean): Promise<Principal> {
  const header = c.req.header('authorization');
  const given = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
  if (given !== undefined) {
    const principal = await keyring.principalOfKey(given);
    if (principal !== null) return principal;
  }
  if (header === undefined && keyless && !(await keyring.hasKeys())) {
    assertLocal(c);
    return machinePrincipal;
  }
  c.header('WWW-Authenticate', 'Bearer realm="endstop"');
  throw new HttpProblem({
    slug: 'unauthorized',
    detail: 'Send an API key as "Authorization: Bearer <key>"; `endstop keys create` makes one.',
  });
}

function assertRole(principal: Principal, role: Role | undefined): void {
  if (role !== undefined && principal.roles.includes(role)) return;
  // A key that reads everything there is may read what is counted of it too.
  if (role === 'metrics' && principal.tenant === null && principal.roles.includes('read')) return;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: `This needs the role "${role}"; the key "${principal.name}" has ${principal.roles.join(', ')}.`,
  });
}

/** The tenant meant by a request: the one it names, else the key's own. Throws HttpProblem (403) when it is another's. */
export function ownTenant(principal: Principal, asked: string): string;
export function ownTenant(principal: Principal, asked: string | undefined): string | null;
export function ownTenant({ name, tenant }: Principal, asked: string | undefined): string | null {
  if (asked === undefined || tenant === null || asked === tenant) return asked ?? tenant;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: `The key "${name}" is of the tenant "${tenant}": leave the tenant out, or name this one.`,
  });
}

/** Refuses a key of one tenant (403): what it asks for is of all tenants together. */
export function ofAllTenants({ name, tenant }: Principal): void {
  if (tenant === null) return;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: `The key "${name}" is of the tenant "${tenant}", and this is about all tenants together.`,
  });
}

/** The same for a route, before its query and body are judged. */
export const forAllTenants: MiddlewareHandler<HttpEnv> = async (c, next) => {
  ofAllTenants(c.get('principal'));
  await next();
};

/**
 * Who acts, as the trail and reviews show it. A stored key acts in its own name only; who holds the key of the setting,
 * or asks from this machine, may act for a person it names.
 */
export function actorOf(principal: Principal, asked: string | undefined): string {
  if (asked === undefined || actsForOthers(principal) || asked === principal.name)
    return asked ?? principal.name;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: `The key "${principal.name}" acts in its own name: leave "actor" out.`,
  });
}

/** Keys that nobody in particular holds: whoever uses one says for whom. */
export function actsForOthers({ keyId }: Principal): boolean {
  return keyId === 'environment' || keyId === 'local';
}

/**
 * Without a key, only this machine may ask, and only for itself: a page of another site, or one whose name was made to
 * point here, is refused by the `Host` and `Origin` its browser sends.
 */
export function assertLocal(c: Context): void {
  const origin = c.req.header('origin');
  const host = c.req.header('host') ?? new URL(c.req.url).host;
  if (isLocal(host) && (origin === undefined || isLocalOrigin(origin))) return;
  throw new HttpProblem({
    slug: 'forbidden',
    detail: 'Without a key the API answers requests to and from this machine only.',
  });
}

function isLocal(host: string): boolean {
  return isLoopback(host.replace(/:\d+$/, ''));
}

function isLocalOrigin(origin: string): boolean {
  return URL.canParse(origin) && isLocal(new URL(origin).host);
}
