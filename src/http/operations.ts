import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Role } from '../domain/principal.js';
import type { HttpEnv } from './environment.js';

/** What an operation says of itself in the API description, as far as requests are checked against it. */
export interface Operation {
  readonly id: string;
  readonly path: string;
  /** The role that its key needs; undefined: it asks for no key. */
  readonly role: Role | undefined;
  /** Names of its query parameters, and whether each may be given several times. */
  readonly query: ReadonlyMap<string, boolean>;
  /** It heeds the sender's own key of a request. */
  readonly takesKey: boolean;
  /** It has a body that may be left out. */
  readonly isBodyOptional: boolean;
  /** Media types of its body; empty when it takes none. */
  readonly bodyTypes: readonly string[];
}

/** The operation that a request is meant for; null when there is none. */
export type OperationOf = (c: Context<HttpEnv>) => Operation | null;

/** Reads the operations of an API; at the first request, when every route is there. */
export function operationsOf(api: OpenAPIHono<HttpEnv>): OperationOf {
  let operations: ReadonlyMap<string, Operation> | undefined;
  return (c) => {
    operations ??= new Map(
      api.openAPIRegistry.definitions.flatMap((definition) =>
        definition.type === 'route' ? [[nameOf(definition.route), readOperation(definition.route)]] : [],
      ),
    );
    const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
    return route === undefined ? null : (operations.get(`${route.method} ${route.path}`) ?? null);
  };
}

type Definition = Extract<OpenAPIHono['openAPIRegistry']['definitions'][number], { type: 'route' }>['route'];

/** Method and path as Hono writes them. */
function nameOf({ method, path }: Definition): string {
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

function readOperation(route: Definition): Operation {
  const query = route.request?.query as z.ZodObject | undefined;
  const headers = route.request?.headers as z.ZodObject | undefined;
  const bodyTypes = Object.keys(route.request?.body?.content ?? {});
  return {
    id: route.operationId ?? '',
    path: route.path,
    role: route['security']?.[0]?.['key']?.[0] as Role | undefined,
    query: new Map(
      Object.entries(query?.shape ?? {}).map(([name, schema]) => [
        name,
        (schema as z.ZodType).safeParse([]).success,
      ]),
    ),
    takesKey: 'idempotency-key' in (headers?.shape ?? {}),
    bodyTypes,
    // One that comes in several forms is never left out, although each form can be.
    isBodyOptional: bodyTypes.length === 1 && route.request?.body?.required !== true,
  };
}
