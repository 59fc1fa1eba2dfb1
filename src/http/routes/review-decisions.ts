import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { checkReview } from '../../application/check-review.js';
import { decideReview } from '../../application/decide-review.js';
import { readDraft, saveDraft } from '../../application/review-draft.js';
import { summarise } from '../../application/views/extraction-view.js';
import { summariseReview, viewDraft } from '../../application/views/review-view.js';
import { actorOf, needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { matchedVersions, tagVersion } from '../etag.js';
import { HttpProblem } from '../problem.js';
import {
  Actor,
  CheckRequest,
  Draft,
  NewDraft,
  ReviewCheck,
  ReviewDecided,
  ReviewDecision,
} from '../schemas/review.js';
import { noteSubject } from '../trail.js';
import { answer, byId, jsonBody, problem } from './answers.js';

const tags = ['Reviews'];

const check = createRoute({
  operationId: 'checkReview',
  method: 'post',
  path: '/v1/reviews/{id}/check',
  security: needs('review'),
  tags,
  summary: 'Run the rules over values while they are edited; nothing is stored',
  request: { params: byId, body: jsonBody(CheckRequest) },
  responses: { 200: answer('What these values would come to.', ReviewCheck), default: problem },
});

const getDraft = createRoute({
  operationId: 'readReviewDraft',
  method: 'get',
  path: '/v1/reviews/{id}/draft',
  security: needs('review'),
  tags,
  summary: "Read a person's unfinished work on a review",
  request: { params: byId, query: z.object({ actor: Actor.optional() }) },
  responses: { 200: answer('As it was last saved.', Draft), default: problem },
});

const putDraft = createRoute({
  operationId: 'saveReviewDraft',
  method: 'put',
  path: '/v1/reviews/{id}/draft',
  security: needs('review'),
  tags,
  summary: "Keep a person's unfinished work, whether or not they hold the review",
  request: { params: byId, body: jsonBody(NewDraft) },
  responses: { 200: answer('It is kept until they decide.', Draft), default: problem },
});

const decide = createRoute({
  operationId: 'decideReview',
  method: 'post',
  path: '/v1/reviews/{id}/decision',
  security: needs('review'),
  tags,
  summary: 'Decide a review that the actor or nobody holds',
  description:
    'The rules run again over the values. One that does not hold must be overridden by name, with a note. ' +
    'With `If-Match`, a decision on an earlier version of the question is refused (412) with what changed since.',
  request: {
    params: byId,
    headers: z.object({
      'if-match': z.string().optional().openapi({ example: '"3"', description: 'The `ETag` of the review.' }),
    }),
    body: jsonBody(ReviewDecision),
  },
  responses: { 200: answer('It is decided.', ReviewDecided), default: problem },
});

export function reviewDecisionRoutes(api: OpenAPIHono<HttpEnv>): void {
  api.openapi(check, async (c) => {
    const { values } = c.req.valid('json');
    return c.json(await checkReview(c.get('app'), c.req.valid('param').id, values), 200);
  });

  api.openapi(getDraft, async (c) => {
    const actor = actorOf(c.get('principal'), c.req.valid('query').actor);
    const draft = await readDraft(c.get('app'), { review: c.req.valid('param').id, actor });
    if (draft === null) {
      throw new HttpProblem({
        slug: 'not-found',
        detail: 'They have no draft here: none was saved, or they have decided since.',
      });
    }
    return c.json(viewDraft(draft), 200);
  });

  api.openapi(putDraft, async (c) => {
    const asked = c.req.valid('json');
    const actor = actorOf(c.get('principal'), asked.actor);
    const draft = await saveDraft(c.get('app'), { ...asked, review: c.req.valid('param').id, actor });
    return c.json(viewDraft(draft), 200);
  });

  api.openapi(decide, async (c) => {
    const ifVersion = matchedVersions(c.req.header('if-match'));
    const app = c.get('app');
    const body = c.req.valid('json');
    const actor = actorOf(c.get('principal'), body.actor);
    const asked = { ...body, review: c.req.valid('param').id, actor, ifVersion };
    const { task, unmet, redriven } = await decideReview(app, asked);
    tagVersion(c, task.version);
    noteSubject(c, task.id, task.tenant);
    const review = summariseReview(task, app.now());
    return c.json({ review, unmet, redriven: redriven === null ? null : summarise(redriven) }, 200);
  });
}
