import type { Context, MiddlewareHandler } from 'hono';
import { isRefusal, keepTrail } from '../application/trail.js';
import type { HttpEnv } from './environment.js';
import type { OperationOf } from './operations.js';

/** Operations that are asked with a body but change nothing anybody else sees, and those that repeat themselves. */
const unnoted: ReadonlySet<string> = new Set(['checkReview', 'holdReview', 'saveReviewDraft']);

/** Writes down who changes what through the API. */
export function noteChanges(operationOf: OperationOf): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const operation = operationOf(c);
    const isSafe = c.req.method === 'GET' || c.req.method === 'HEAD';
    if (isSafe || operation === null || operation.role === undefined || unnoted.has(operation.id)) {
      await next();
      return;
    }
    const { keyId, name, tenant } = c.get('principal');
    const subject = namedBy(operation.path, c.req.path);
    const change = {
      keyId,
      actor: name,
      action: operation.id,
      subject,
      tenant,
      requestId: c.get('requestId'),
    };
    await keepTrail(c.get('app'), change, next, () => (wasRefused(c) ? 'refused' : c.get('subject')));
  };
}

/** A request that was answered with a fault of this side may have changed something. */
export function wasRefused({ res, error }: Pick<Context, 'res' | 'error'>): boolean {
  return res.status >= 400 && (res.status < 500 || isRefusal(error));
}

/** Tells the trail by its whole id what the request changed, and whose it is; null: no single tenant's. */
export function noteSubject(c: Context<HttpEnv>, subject: string, tenant: string | null): void {
  c.set('subject', { subject, tenant });
}

/** What stands in a path where its template has the first parameter; '' when it has none. */
function namedBy(template: string, path: string): string {
  const place = template.split('/').findIndex((step) => step.startsWith('{'));
  return place === -1 ? '' : (path.split('/')[place] ?? '');
}
