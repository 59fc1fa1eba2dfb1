import { createHash } from 'node:crypto';
import type { Engine } from '../ports/engine.js';
import type { Store } from '../ports/store.js';
import type { WebhookEndpoint } from '../ports/webhook-store.js';
import type { Application } from './application.js';

/** The use cases as one tenant may use them: what belongs to another is not there. Null: everything is there. */
export function tenantView(app: Application, tenant: string | null): Application {
  if (tenant === null) return app;
  return { ...app, tenant, store: ownStore(app.store, tenant), engine: ownEngine(app.engine, tenant) };
}

/** What the id of a redrive begins with when it was ordered by a key of one tenant. */
export function redrivePrefix(tenant: string): string {
  return `${createHash('sha256').update(tenant).digest('hex').slice(0, 12)}-`;
}

function ownEngine(engine: Engine, tenant: string): Engine {
  const isOwn = (id: string) => id.startsWith(redrivePrefix(tenant));
  return {
    ...engine,
    redriveReport: async (id) => (isOwn(id) ? await engine.redriveReport(id) : null),
    cancelRedrive: async (id) => isOwn(id) && (await engine.cancelRedrive(id)),
  };
}

/**
 * Lists and counts are narrowed, and what is looked up by an id is not found when it is another tenant's. What is then
 * read by the whole key or subject of something found passes through: those are digests that hold the tenant.
 */
function ownStore(store: Store, tenant: string): Store {
  const own = <Row extends { readonly tenant: string | null }>(row: Row | null): Row | null =>
    row?.tenant === tenant ? row : null;
  const isOwnAudit = async (id: string) => (await store.audits.find(id))?.filter.tenant === tenant;
  const isOwnEndpoint = (endpoint: WebhookEndpoint) =>
    endpoint.tenant === tenant || (endpoint.tenant === null && endpoint.url === null);
  const isOwnReview = async (id: string) => own(await store.reviews.find(id)) !== null;
  return {
    ...store,
    documents: {
      put: (document) => store.documents.put({ ...document, tenant }),
      stored: async (of, hashes) => (of === tenant ? await store.documents.stored(of, hashes) : new Set()),
      touch: async (of, hash, at) => of === tenant && (await store.documents.touch(of, hash, at)),
      load: async (of, hash) => (of === tenant ? await store.documents.load(of, hash) : null),
    },
    extractions: {
      ...store.extractions,
      find: async (key, run) => own(await store.extractions.find(key, run)),
      list: (filter, page) => store.extractions.list({ ...filter, tenant }, page),
      oldestOpen: (filter, limit) => store.extractions.oldestOpen({ ...filter, tenant }, limit),
      pulse: () => store.extractions.pulse(tenant),
    },
    records: {
      ...store.records,
      list: (filter, page) => store.records.list({ ...filter, tenant }, page),
      stream: (filter) => store.records.stream({ ...filter, tenant }),
    },
    deadLetters: {
      ...store.deadLetters,
      find: async (key) => own(await store.deadLetters.find(key)),
      list: (filter, page) => store.deadLetters.list({ ...filter, tenant }, page),
      groups: (filter) => store.deadLetters.groups({ ...filter, tenant }),
    },
    batches: {
      ...store.batches,
      find: async (id) => own(await store.batches.find(id)),
      findNamed: async (name) => own(await store.batches.findNamed(name)),
      list: (filter, page) => store.batches.list({ ...filter, tenant }, page),
    },
    reviews: {
      ...store.reviews,
      find: async (id) => own(await store.reviews.find(id)),
      list: (filter, page) => store.reviews.list({ ...filter, tenant }, page),
      lease: async (id, act, at) => ((await isOwnReview(id)) ? await store.reviews.lease(id, act, at) : null),
      claimNext: (filter, actor, leaseMs, at) =>
        store.reviews.claimNext({ ...filter, tenant }, actor, leaseMs, at),
      addDecision: async (decision) =>
        (await isOwnReview(decision.reviewId)) ? await store.reviews.addDecision(decision) : null,
      steps: async (id) => ((await isOwnReview(id)) ? await store.reviews.steps(id) : []),
      draft: async (id, holder) => ((await isOwnReview(id)) ? await store.reviews.draft(id, holder) : null),
      tally: (filter, at, since) => store.reviews.tally({ ...filter, tenant }, at, since),
      sampleVerdicts: (filter, since) => store.reviews.sampleVerdicts({ ...filter, tenant }, since),
    },
    reports: {
      extent: (filter) => store.reports.extent({ ...filter, tenant }),
      runs: (filter) => store.reports.runs({ ...filter, tenant }),
      verdicts: (filter) => store.reports.verdicts({ ...filter, tenant }),
    },
    folds: {
      ...store.folds,
      read: (selection, since) => store.folds.read({ ...selection, tenant }, since),
      missing: (selection, range) => store.folds.missing({ ...selection, tenant }, range),
      keep: (selection, hours, fold) => store.folds.keep({ ...selection, tenant }, hours, fold),
      keepDays: (selection, range, sum) => store.folds.keepDays({ ...selection, tenant }, range, sum),
    },
    audits: {
      draw: (sample) => store.audits.draw({ ...sample, filter: { ...sample.filter, tenant } }),
      find: async (id) => ((await isOwnAudit(id)) ? await store.audits.find(id) : null),
      list: (_filter, page) => store.audits.list({ tenant }, page),
      items: async (id) => ((await isOwnAudit(id)) ? await store.audits.items(id) : []),
      judge: (verdict) => store.audits.judge({ ...verdict, tenant }),
    },
    evaluations: {
      ...store.evaluations,
      find: async (id) => own(await store.evaluations.find(id)),
      latest: (filter) => store.evaluations.latest({ ...filter, tenant }),
      list: (filter, page) => store.evaluations.list({ ...filter, tenant }, page),
    },
    breakers: {
      ...store.breakers,
      // They hold for all tenants; what the machines are called is the operator's business.
      list: async () => {
        const told = await store.breakers.list();
        const workers = [...new Set(told.map(({ worker }) => worker))].sort();
        return told.map((breaker) => ({
          ...breaker,
          worker: `worker ${workers.indexOf(breaker.worker) + 1}`,
        }));
      },
    },
    tenants: {
      ...store.tenants,
      usage: (range) => store.tenants.usage({ ...range, tenant }),
      rules: async () => (await store.tenants.rules()).filter((rule) => rule.tenant === tenant),
    },
    retention: {
      ...store.retention,
      holdings: async (of, hash) => (of === tenant ? await store.retention.holdings(of, hash) : null),
      holders: async (hash) => (await store.retention.holders(hash)).filter((holder) => holder === tenant),
      erase: (_of, hash, at) => store.retention.erase(tenant, hash, at),
      rules: async () => (await store.retention.rules()).filter((rule) => rule.tenant === tenant),
    },
    webhooks: {
      ...store.webhooks,
      add: (endpoint) => store.webhooks.add({ ...endpoint, tenant }),
      find: async (id, at) => own(await store.webhooks.find(id, at)),
      // What signs everybody's named URLs signs this tenant's too; it names no URL of anybody else.
      list: async (_filter, at) => (await store.webhooks.list({}, at)).filter(isOwnEndpoint),
      // Of an endpoint that hears of everybody, neither the URL nor what it was told is any tenant's business.
      deliveries: (filter, page) =>
        store.webhooks.deliveries({ ...filter, tenant, endpointsOf: tenant }, page),
      delivery: async (id) => {
        const delivery = await store.webhooks.delivery(id);
        if (delivery?.event.tenant !== tenant) return null;
        const endpoint = await store.webhooks.find(delivery.endpointId, delivery.event.at);
        return endpoint !== null && isOwnEndpoint(endpoint) ? delivery : null;
      },
    },
    trail: { ...store.trail, list: (filter, page) => store.trail.list({ ...filter, tenant }, page) },
    keys: {
      ...store.keys,
      list: () => store.keys.list({ tenant }),
    },
  };
}
