import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { claimNextReview, claimReview, extendReview, releaseReview } from '../../application/claim-review.js';
import { listReviews, readQueue } from '../../application/review-queue.js';
import { readReviewSheet } from '../../application/review-sheet.js';
import { instant } from '../../application/views/instant.js';
import { summariseReview } from '../../application/views/review-view.js';
import type { ReviewTask } from '../../ports/review-store.js';
import { actorOf, needs, ownTenant } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { tagVersion } from '../etag.js';
import { onlyPost } from '../other-methods.js';
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
import { noteSubject } from '../trail.js';
import { answer, byId, given, jsonBody, problem } from './answers.js';

const tags = ['Reviews'];

const list = createRoute({
  operationId: 'listReviews',
  method: 'get',
  path: '/v1/reviews',
  security: needs('review'),
  tags,
  summary: 'List reviews, the highest amount first, then the oldest',
  request: { query: ReviewQuery },
  responses: { 200: answer('One page.', ReviewPage), default: problem },
});

const queue = createRoute({
  operationId: 'readReviewQueue',
  method: 'get',
  path: '/v1/reviews/queue',
  security: needs('review'),
  tags,
  summary: 'Read what waits for people, and how many hours of them it takes',
  request: { query: QueueQuery },
  responses: { 200: answer('As it is now.', ReviewQueue), default: problem },
});

const next = createRoute({
  operationId: 'claimNextReview',
  method: 'post',
  path: '/v1/reviews/next',
  security: needs('review'),
  tags,
  summary: 'Take the first free review of the queue',
  description:
    'Those who ask at once get different ones. An empty queue and one that others hold read differently.',
  request: { body: jsonBody(NextClaimRequest) },
  responses: { 200: answer('One is yours, or why none is.', NextClaim), default: problem },
});

const get = createRoute({
  operationId: 'readReview',
  method: 'get',
  path: '/v1/reviews/{id}',
  security: needs('review'),
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
  operationId: 'claimReview',
  method: 'post',
  path: '/v1/reviews/{id}/claim',
  security: needs('review'),
  tags,
  summary: 'Take a review, or hold it longer; with a reason also from somebody else',
  request: { params: byId, body: jsonBody(ReviewClaim) },
  responses: { 200: answer('It is yours until `leaseExpiresAt`.', ReviewSummary), default: problem },
});

const heartbeat = createRoute({
  operationId: 'holdReview',
  method: 'post',
  path: '/v1/reviews/{id}/heartbeat',
  security: needs('review'),
  tags,
  summary: 'Hold a review longer',
  request: { params: byId, body: jsonBody(ReviewHold) },
  responses: { 200: answer('It is yours until `leaseExpiresAt`.', ReviewSummary), default: problem },
});

const release = createRoute({
  operationId: 'releaseReview',
  method: 'post',
  path: '/v1/reviews/{id}/release',
  security: needs('review'),
  tags,
  summary: 'Let a review go',
  request: { params: byId, body: jsonBody(ReviewHold) },
  responses: { 200: answer('It is free.', ReviewSummary), default: problem },
});

export function reviewRoutes(api: OpenAPIHono<HttpEnv>): void {
  const show = (c: Context<HttpEnv>, task: ReviewTask) => {
    tagVersion(c, task.version);
    noteSubject(c, task.id, task.tenant);
    return summariseReview(task, c.get('app').now());
  };

  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const app = c.get('app');
    const page = await listReviews(app, given({ ...rest, specId: spec }), { limit, ...given({ cursor }) });
    return c.json(page, 200);
  });

  api.openapi(queue, async (c) => {
    const { tenant, spec } = c.req.valid('query');
    return c.json(await readQueue(c.get('app'), given({ tenant, specId: spec })), 200);
  });

  api.openapi(next, async (c) => {
    const { actor: asked, spec, ...rest } = c.req.valid('json');
    const actor = actorOf(c.get('principal'), asked);
    ownTenant(c.get('principal'), rest.tenant);
    const claimed = await claimNextReview(c.get('app'), given({ ...rest, specId: spec }), actor);
    switch (claimed.kind) {
      case 'claimed':
        return c.json({ kind: claimed.kind, review: show(c, claimed.task) }, 200);
      case 'all_held':
        return c.json({ ...claimed, nextFreeAt: instant(claimed.nextFreeAt) }, 200);
      case 'none':
        return c.json(claimed, 200);
    }
  });

  onlyPost(api, '/v1/reviews/next');

  api.openapi(get, async (c) => {
    const asked = c.req.valid('query').actor;
    const actor = asked === undefined ? c.get('principal').name : asked;
    const sheet = await readReviewSheet(c.get('app'), c.req.valid('param').id, actor);
    tagVersion(c, sheet.version);
    return c.json(sheet, 200);
  });

  api.openapi(claim, async (c) => {
    const { actor: asked, steal } = c.req.valid('json');
    const actor = actorOf(c.get('principal'), asked);
    const claim = { review: c.req.valid('param').id, actor, steal };
    return c.json(show(c, await claimReview(c.get('app'), claim)), 200);
  });

  api.openapi(heartbeat, async (c) => {
    const actor = actorOf(c.get('principal'), c.req.valid('json').actor);
    const held = { review: c.req.valid('param').id, actor };
    return c.json(show(c, await extendReview(c.get('app'), held)), 200);
  });

  api.openapi(release, async (c) => {
    const actor = actorOf(c.get('principal'), c.req.valid('json').actor);
    const held = { review: c.req.valid('param').id, actor };
    return c.json(show(c, await releaseReview(c.get('app'), held)), 200);
  });
}
