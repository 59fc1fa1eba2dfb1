import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { claimNextReview, claimReview, extendReview, releaseReview } from '../../application/claim-review.js';
import { listReviews, readQueue } from '../../application/review-queue.js';
import { readReviewSheet } from '../../application/review-sheet.js';
import { instant } from '../../application/views/instant.js';
import { summariseReview } from '../../application/views/review-view.js';
import type { ReviewTask } from '../../ports/review-store.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { tagVersion } from '../etag.js';
import {
  NextClaim,
  NextClaimRequest,
  QueueQuery,
  ReviewClaim,
  ReviewHold,
  ReviewPage,
  ReviewQuery,
  ReviewQueue,
  ReviewSummary,
} from '../schemas/review.js';
import { ReviewSheet } from '../schemas/review-sheet.js';
import { answer, byId, given, jsonBody, mapPage, problem } from './answers.js';

const tags = ['Reviews'];

const list = createRoute({
  method: 'get',
  path: '/v1/reviews',
  tags,
  summary: 'List reviews, the highest amount first, then the oldest',
  request: { query: ReviewQuery },
  responses: { 200: answer('One page.', ReviewPage), default: problem },
});

const queue = createRoute({
  method: 'get',
  path: '/v1/reviews/queue',
  tags,
  summary: 'Read what waits for people, and how many hours of them it takes',
  request: { query: QueueQuery },
  responses: { 200: answer('As it is now.', ReviewQueue), default: problem },
});

const next = createRoute({
  method: 'post',
  path: '/v1/reviews/next',
  tags,
  summary: 'Take the first free review of the queue',
  description:
    'Those who ask at once get different ones. An empty queue and one that others hold read differently.',
  request: { body: jsonBody(NextClaimRequest) },
  responses: { 200: answer('One is yours, or why none is.', NextClaim), default: problem },
});

const get = createRoute({
  method: 'get',
  path: '/v1/reviews/{id}',
  tags,
  summary: 'Read one review, by its own id or that of its extraction',
  description:
    'The `ETag` names the version of the question: it changes when what is asked or its answer does, not with a lease.',
  request: {
    params: byId,
    query: z.object({
      actor: z.string().optional().openapi({ description: 'Whose draft to show.' }),
    }),
  },
  responses: {
    200: answer('Why it is here, and what is offered as a start.', ReviewSheet),
    default: problem,
  },
});

const claim = createRoute({
  method: 'post',
  path: '/v1/reviews/{id}/claim',
  tags,
  summary: 'Take a review, or hold it longer; with a reason also from somebody else',
  request: { params: byId, body: jsonBody(ReviewClaim) },
  responses: { 200: answer('It is yours until `leaseExpiresAt`.', ReviewSummary), default: problem },
});

const heartbeat = createRoute({
  method: 'post',
  path: '/v1/reviews/{id}/heartbeat',
  tags,
  summary: 'Hold a review longer',
  request: { params: byId, body: jsonBody(ReviewHold) },
  responses: { 200: answer('It is yours until `leaseExpiresAt`.', ReviewSummary), default: problem },
});

const release = createRoute({
  method: 'post',
  path: '/v1/reviews/{id}/release',
  tags,
  summary: 'Let a review go',
  request: { params: byId, body: jsonBody(ReviewHold) },
  responses: { 200: answer('It is free.', ReviewSummary), default: problem },
});

export function reviewRoutes(api: OpenAPIHono<HttpEnv>, { app }: HttpDeps): void {
  const show = (c: Context, task: ReviewTask) => {
    tagVersion(c, task.version);
    return summariseReview(task, app.now());
  };

  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const page = await listReviews(app, given({ ...rest, specId: spec }), { limit, ...given({ cursor }) });
    const now = app.now();
    return c.json(
      mapPage(page, (task) => summariseReview(task, now)),
      200,
    );
  });

  api.openapi(queue, async (c) => {
    const { tenant, spec } = c.req.valid('query');
    return c.json(await readQueue(app, given({ tenant, specId: spec })), 200);
  });

  api.openapi(next, async (c) => {
    const { actor, spec, ...rest } = c.req.valid('json');
    const claimed = await claimNextReview(app, given({ ...rest, specId: spec }), actor);
    switch (claimed.kind) {
      case 'claimed':
        return c.json({ kind: claimed.kind, review: show(c, claimed.task) }, 200);
      case 'all_held':
        return c.json({ ...claimed, nextFreeAt: instant(claimed.nextFreeAt) }, 200);
      case 'none':
        return c.json(claimed, 200);
    }
  });

  api.openapi(get, async (c) => {
    const { actor } = c.req.valid('query');
    const sheet = await readReviewSheet(app, c.req.valid('param').id, actor ?? null);
    tagVersion(c, sheet.version);
    return c.json(sheet, 200);
  });

  api.openapi(claim, async (c) => {
    const { actor, steal } = c.req.valid('json');
    return c.json(show(c, await claimReview(app, { review: c.req.valid('param').id, actor, steal })), 200);
  });

  api.openapi(heartbeat, async (c) => {
    const { actor } = c.req.valid('json');
    return c.json(show(c, await extendReview(app, { review: c.req.valid('param').id, actor })), 200);
  });

  api.openapi(release, async (c) => {
    const { actor } = c.req.valid('json');
    return c.json(show(c, await releaseReview(app, { review: c.req.valid('param').id, actor })), 200);
  });
}
