import type { Hono } from 'hono';
import { ApplicationError } from '../../application/application-error.js';
import {
  claimNextReview,
  claimReview,
  findReviewNow,
  releaseReview,
} from '../../application/claim-review.js';
import { listReviews, readQueue } from '../../application/review-queue.js';
import { reasons } from '../../domain/reason.js';
import { given } from '../../http/routes/answers.js';
import { reviewKinds, reviewStates } from '../../ports/review-store.js';
import { assertMay } from '../access.js';
import type { ConsoleEnv } from '../environment.js';
import { type QueueQuery, queuePage } from '../pages/review-queue.js';
import { oneOf, textOf } from '../query.js';
import type { Pages } from '../render.js';
import { knownTo, nextReview } from '../review-next.js';

const perPage = 50;

/** The queue, and taking from it. */
export function reviewRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/reviews', async (c) => {
    const app = c.get('app');
    const words = c.req.query();
    const visitor = c.get('visitor');
    const query: QueueQuery = given({
      spec: textOf(words['spec']),
      reason: oneOf(words['reason'], reasons),
      kind: oneOf(words['kind'], reviewKinds),
      lease: oneOf(words['lease'], ['free', 'held'] as const),
      due: oneOf(words['due'], ['overdue'] as const),
      state: oneOf(words['state'], reviewStates),
      tenant: textOf(words['tenant']),
    });
    const { spec: specId, due, state, ...rest } = query;
    const filter = given({ ...rest, specId, state, overdue: due === undefined ? undefined : true });
    const cursor = textOf(words['cursor']);
    const [page, queue] = await Promise.all([
      listReviews(app, filter, { limit: perPage, ...given({ cursor }) }),
      readQueue(app, given({ tenant: query.tenant, specId })),
    ]);
    const now = app.now();
    const body = queuePage({
      query,
      queue,
      rows: page.items,
      nextCursor: page.nextCursor,
      isFirst: cursor === undefined,
      specs: [...new Set(app.catalogue.list().map(({ id }) => id))].sort(),
      visitor,
      told: words['told'],
      now,
    });
    return pages.show(c, { title: 'Review', place: 'review', body, scripts: ['review-queue.js'] });
  });

  site.post('/reviews/next', async (c) => {
    const app = c.get('app');
    assertMay(c, 'review');
    const { name } = c.get('visitor');
    const spec = textOf(String((await c.req.parseBody())['spec'] ?? ''));
    const filter = given({ specId: spec, ...knownTo(app) });
    return c.redirect(nextReview(await claimNextReview(app, filter, name), null), 303);
  });

  site.post('/reviews/:id/claim', async (c) => {
    const app = c.get('app');
    assertMay(c, 'review');
    const { id } = await findReviewNow(app, c.req.param('id'));
    const reason = textOf(String((await c.req.parseBody())['steal'] ?? ''));
    if (reason !== undefined) assertMay(c, 'operate');
    try {
      await claimReview(app, { review: id, actor: c.get('visitor').name, steal: reason ?? null });
    } catch (error) {
      const code = error instanceof ApplicationError ? error.code : null;
      if (code !== 'review_held' && code !== 'review_not_open') throw error;
      // Whoever came second is shown who holds it or how it ended, and nothing was changed.
      c.set('refused', true);
      return c.redirect(`/console/reviews/${id}?told=late`, 303);
    }
    return c.redirect(`/console/reviews/${id}`, 303);
  });

  // Reloaded, or come back to after signing in.
  site.get('/reviews/:id/claim', (c) =>
    c.redirect(`/console/reviews/${encodeURIComponent(c.req.param('id'))}`, 303),
  );

  site.post('/reviews/:id/release', async (c) => {
    const app = c.get('app');
    assertMay(c, 'review');
    const { id } = await findReviewNow(app, c.req.param('id'));
    await releaseReview(app, { review: id, actor: c.get('visitor').name });
    return c.redirect('/console/reviews?told=released', 303);
  });
}
