import type { Hono } from 'hono';
import { cancelBatch } from '../../application/batches.js';
import { listBatches, readBatchAndRisk, readBatchCourse } from '../../application/read-batch.js';
import { viewBatchDocument } from '../../application/views/batch-view.js';
import { batchStates } from '../../domain/batch.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { given } from '../../http/routes/answers.js';
import { assertMay } from '../access.js';
import type { ConsoleEnv } from '../environment.js';
import { batchPage } from '../pages/batch.js';
import { batchesPage } from '../pages/batches.js';
import { oneOf, textOf } from '../query.js';
import type { Pages } from '../render.js';
import { reviewedBy } from '../reviewed.js';

const perPage = 25;

/** Many documents under one budget: how each batch fares, and stopping one. */
export function batchRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/batches', async (c) => {
    const app = c.get('app');
    const words = c.req.query();
    const query = given({
      spec: textOf(words['spec']),
      state: oneOf(words['state'], batchStates),
      tenant: textOf(words['tenant']),
    });
    const { spec: specId, ...rest } = query;
    const cursor = textOf(words['cursor']);
    const page = await listBatches(app, given({ ...rest, specId }), { limit: perPage, ...given({ cursor }) });
    const body = batchesPage({
      query,
      rows: page.items,
      nextCursor: page.nextCursor,
      isFirst: cursor === undefined,
      specs: [...new Set(app.catalogue.list().map(({ id }) => id))].sort(),
      now: app.now(),
      isOfOneTenant: app.tenant !== undefined,
    });
    return pages.show(c, { title: 'Batches', place: 'batches', body });
  });

  site.get('/batches/:id', async (c) => {
    const app = c.get('app');
    const id = c.req.param('id');
    const words = c.req.query();
    const filter = given({ outcome: oneOf(words['outcome'], ['verified', 'unverified'] as const) });
    const cursor = textOf(words['cursor']);
    const [{ batch, tokensAtRisk }, course] = await Promise.all([
      readBatchAndRisk(app, id),
      readBatchCourse(app, id),
    ]);
    const documents = await app.store.batches.documents(id, filter, {
      limit: perPage,
      ...given({ cursor }),
    });
    const body = batchPage({
      batch,
      tokensAtRisk,
      course,
      documents: documents.items.map(viewBatchDocument),
      reviewed: await reviewedBy(app, documents.items.map(viewBatchDocument)),
      nextCursor: documents.nextCursor,
      isFirst: cursor === undefined,
      outcome: filter.outcome,
      link: app.engine.link(workflowIds.batch(id)),
      visitor: c.get('visitor'),
      now: app.now(),
    });
    return pages.show(c, { title: batch.name ?? id, place: 'batches', body });
  });

  site.post('/batches/:id/cancel', async (c) => {
    assertMay(c, 'operate');
    const id = c.req.param('id');
    const how = String((await c.req.parseBody())['how'] ?? '');
    await cancelBatch(c.get('app'), id, how === 'cancel_runs' ? 'cancel_runs' : 'let_finish');
    return c.redirect(`/console/batches/${encodeURIComponent(id)}`, 303);
  });
}
