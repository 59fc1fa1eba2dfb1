import type { MiddlewareHandler } from 'hono';
import { keepTrail } from '../application/trail.js';
import { wasRefused } from '../http/trail.js';
import type { ConsoleEnv } from './environment.js';

/** What is changed below a path, by the name that the API has for it; the group is what it is done to. */
const changes: readonly (readonly [RegExp, string])[] = [
  [/\/dead-letters\/redrive$/, 'redrive'],
  [/\/redrives\/([^/]+)\/cancel$/, 'cancelRedrive'],
  [/\/extractions\/([^/]+)\/cancel$/, 'cancelExtraction'],
  [/\/extractions\/([^/]+)\/redrive$/, 'redrive'],
  [/\/batches\/([^/]+)\/cancel$/, 'cancelBatch'],
  [/\/reviews\/next$/, 'claimNextReview'],
  [/\/reviews\/([^/]+)\/claim$/, 'claimReview'],
  [/\/reviews\/([^/]+)\/release$/, 'releaseReview'],
  [/\/reviews\/([^/]+)\/decision$/, 'decideReview'],
];

/** Writes down who changes what on a page, as the API does. */
export const noteChanges: MiddlewareHandler<ConsoleEnv> = async (c, next) => {
  const [path, action] = changes.find(([form]) => form.test(c.req.path)) ?? [];
  if (c.req.method !== 'POST' || path === undefined || action === undefined) return next();
  const { keyId, name: actor, tenant } = c.get('visitor');
  const subject = path.exec(c.req.path)?.[1] ?? '';
  const change = { keyId, actor, action, subject, tenant, requestId: c.get('requestId') };
  await keepTrail(c.get('app'), change, next, () =>
    c.get('refused') === true || wasRefused(c) ? 'refused' : undefined,
  );
};
