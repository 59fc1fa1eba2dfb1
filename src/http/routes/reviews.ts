import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { claimReview } from '../../application/claim-review.js';
import { decideReview } from '../../application/decide-review.js';
import { summarise } from '../../application/views/extraction-view.js';
import { readReview, summariseReview } from '../../application/views/review-view.js';
import type { HttpDeps, HttpEnv } from '../environment.js';
import { Id } from '../schemas/common.js';
import {
  Review,
  ReviewClaim,
  ReviewDecided,
  ReviewDecision,
  ReviewPage,
  ReviewQuery,
  ReviewSummary,
} from '../schemas/review.js';
import { answer, given, mapPage, problem } from './answers.js';

const tags = ['Reviews'];
const params = z.object({ id: Id });

const list = createRoute({
  method: 'get',
  path: '/v1/reviews',
  tags,
  summary: 'List reviews, the highest amount first, then the oldest',
  request: { query: ReviewQuery },
  responses: { 200: answer('One page.', ReviewPage), default: problem },
});

const get = createRoute({
  method: 'get',
  path: '/v1/reviews/{id}',
  tags,
  summary: 'Read one review, by its own id or that of its extraction',
  request: { params },
  responses: { 200: answer('Why it is here, and what is offered as a start.', Review), default: problem },
});

const claim = createRoute({
  method: 'post',
  path: '/v1/reviews/{id}/claim',
  tags,
  summary: 'Take a review, or hold it longer',
  request: { params, body: { required: true, content: { 'application/json': { schema: ReviewClaim } } } },
  responses: { 200: answer('It is yours until `leaseExpiresAt`.', ReviewSummary), default: problem },
});

const decide = createRoute({
  method: 'post',
  path: '/v1/reviews/{id}/decision',
  tags,
  summary: 'Decide a review',
  description:
    'The rules run again over the values. One that does not hold must be overridden by name, with a note.',
  request: { params, body: { required: true, content: { 'application/json': { schema: ReviewDecision } } } },
  responses: { 200: answer('It is decided.', ReviewDecided), default: problem },
});

export function reviewRoutes(api: OpenAPIHono<HttpEnv>, { app }: HttpDeps): void {
  api.openapi(list, async (c) => {
    const { limit, cursor, spec, ...rest } = c.req.valid('query');
    const page = await app.store.reviews.list(given({ ...rest, specId: spec }), {
      limit,
      ...given({ cursor }),
    });
    const now = app.now();
    return c.json(
      mapPage(page, (task) => summariseReview(task, now)),
      200,
    );
  });

  api.openapi(get, async (c) => c.json(await readReview(app.store, c.req.valid('param').id, app.now()), 200));

  api.openapi(claim, async (c) => {
    const { actor, steal } = c.req.valid('json');
    const now = app.now();
    const task = await claimReview(app.store, { review: c.req.valid('param').id, holder: actor, steal, now });
    return c.json(summariseReview(task, now), 200);
  });

  api.openapi(decide, async (c) => {
    const decided = await decideReview(app, { review: c.req.valid('param').id, ...c.req.valid('json') });
    return c.json(
      {
        review: summariseReview(decided.task, app.now()),
        unmet: decided.unmet,
        redriven: decided.redriven === null ? null : summarise(decided.redriven),
      },
      200,
    );
  });
}
