import { expect } from 'vitest';
import { workflowIds } from '../../src/domain/workflow-id.js';
import { eventually } from '../support/eventually.js';
import { held, type Turn } from '../support/model-relay.js';
import type { HandedIn } from './audit.js';
import {
  type Answer,
  ask,
  called,
  ended,
  extracted,
  insist,
  redrive,
  redriven,
  submission,
  submit,
} from './desk.js';
import { fine, type Paper, plannedClaim, refused, stubborn } from './papers.js';
import type { Row, Stack } from './stack.js';

/** What was handed in during a fault. */
export interface Suffered extends Omit<HandedIn, 'tenant'> {
  /** What is left to see when everything runs again. */
  afterwards?(): Promise<void>;
}

/** What goes wrong. Every fault has a tenant of its own. */
export type Fault = (stack: Stack, tenant: string) => Promise<Suffered>;

const of = (...ids: readonly string[]) => ({ ids, documents: new Set(ids).size });

/** Claims that were parked because the provider would not take their call; `later` is what the next calls meet. */
export async function parked(
  stack: Stack,
  tenant: string,
  later: readonly Turn[],
): Promise<{ readonly papers: readonly Paper[]; readonly ids: readonly string[] }> {
  const papers = later.map((turn) => plannedClaim(stack.models, [refused, turn]));
  const ends = await Promise.all(papers.map((paper) => extracted(stack, tenant, paper)));
  for (const { reason, route } of ends)
    expect({ reason, route }).toEqual({ reason: 'provider_rejected', route: 'dead_letter' });
  return { papers, ids: ends.map(({ id }) => id) };
}

/** A claim that waits for a person; `later` is what the calls of its next runs meet. */
async function inReview(stack: Stack, tenant: string, ...later: readonly Turn[]) {
  const paper = plannedClaim(stack.models, [stubborn, stubborn, ...later]);
  const { id, route } = await extracted(stack, tenant, paper);
  expect(route).toBe('human_review');
  return { paper, id: id as string };
}

const at = (id: string, act: string) => `/v1/reviews/${id}/${act}`;
const reject = { verb: 'reject', note: 'illegible' };

async function corrected(stack: Stack, id: string): Promise<Row> {
  const { body } = await insist(stack, 'GET', `/v1/reviews/${id}`);
  const lines = ['120.50', '79.50'].map((amount, index) => ({
    amount,
    description: `Repair of window ${index + 1}`,
  }));
  return { verb: 'correct', values: { ...body.candidate, total_claimed: '200.00', line_items: lines } };
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

const sameBytesAtOnce: Fault = async (stack, tenant) => {
  // Answered when all twenty have been: a run that has ended would be handed out with 200.
  const answer = held();
  const paper = plannedClaim(stack.models, [answer.turn]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      ask(stack, 'POST', '/v1/extractions', submission(tenant, paper), index % 2),
    ),
  ).finally(answer.release);
  expect(new Set(statuses(answers))).toEqual(new Set([202]));
  const ids = new Set<string>(answers.map(({ body }) => body.id));
  expect(ids.size).toBe(1);
  expect(answers.filter(({ body }) => body.submission.kind === 'started')).toHaveLength(1);
  return of(...ids);
};

/** Keeps a worker from writing down the answer of a call, until the run has ended without it. */
async function heldBackAnswer(
  stack: Stack,
  tenant: string,
  meanwhile: (id: string) => Promise<unknown>,
  deadlineMs: number,
): Promise<string> {
  const answer = held(fine);
  const paper = plannedClaim(stack.models, [answer.turn]);
  const id = await submit(stack, tenant, paper, { budgets: { deadlineMs } });
  await called(stack, paper, 1);
  const lock = await stack.lock('select from calls where key = $1 for update', [id]);
  answer.release();
  await meanwhile(id);
  const end = await ended(stack, id).finally(() => lock.release());
  expect(end.outcomeKind).toBe('unverified');
  // It comes after all, and changes nothing any more.
  await eventually(async () =>
    expect(await stack.sql('select from attempts where key = $1', [id])).toHaveLength(1),
  );
  expect(await ended(stack, id)).toMatchObject({ reason: end.reason, outcomeKind: 'unverified' });
  return id;
}

const lateAnswer: Fault = async (stack, tenant) => {
  const [late, cancelled] = await Promise.all([
    heldBackAnswer(stack, tenant, async () => undefined, 15_000),
    heldBackAnswer(stack, tenant, (id) => insist(stack, 'POST', `/v1/extractions/${id}/cancel`), 50_000),
  ]);
  expect(await ended(stack, late)).toMatchObject({ reason: 'deadline' });
  expect(await ended(stack, cancelled)).toMatchObject({ reason: 'cancelled' });
  return of(late, cancelled);
};

const redriveDuringReview: Fault = async (stack, tenant) => {
  const [verifies, exhausted] = await Promise.all([
    inReview(stack, tenant, fine),
    inReview(stack, tenant, stubborn),
  ]);
  for (const { id } of [verifies, exhausted]) {
    await insist(stack, 'POST', at(id, 'claim'), { actor: 'ada' });
    await insist(stack, 'POST', '/v1/dead-letters/redrive', { id });
  }
  await eventually(async () => {
    const { body } = await ask(stack, 'GET', `/v1/reviews/${verifies.id}`);
    expect(body).toMatchObject({ state: 'withdrawn', holder: null });
  });
  await eventually(async () => {
    const { body } = await ask(stack, 'GET', `/v1/reviews/${exhausted.id}`);
    expect(body).toMatchObject({ state: 'open', version: 2, holder: 'ada' });
  });
  const late = await ask(stack, 'POST', at(verifies.id, 'decision'), { actor: 'ada', ...reject });
  expect(late.status).toBe(409);
  return of(verifies.id, exhausted.id);
};

const decisionDuringRedrive: Fault = async (stack, tenant) => {
  const answer = held(fine);
  const { id, paper } = await inReview(stack, tenant, answer.turn);
  await insist(stack, 'POST', '/v1/dead-letters/redrive', { id });
  await called(stack, paper, 3);
  const decision = { actor: 'ada', ...(await corrected(stack, id)) };
  await insist(stack, 'POST', at(id, 'decision'), decision);
  answer.release();
  const end = await ended(stack, id);
  expect(end).toMatchObject({ run: 2, outcomeKind: 'verified' });
  const current = await stack.sql('select verification_status from verified_records where key = $1', [id]);
  expect(current).toEqual([{ verification_status: 'human_verified' }]);
  return of(id);
};

const twoReviewers: Fault = async (stack, tenant) => {
  const reviews = await Promise.all([1, 2, 3].map(() => inReview(stack, tenant)));
  await Promise.all(
    reviews.map(async ({ id }) => {
      const claims = await Promise.all(
        ['ada', 'kim'].map((actor, api) => ask(stack, 'POST', at(id, 'claim'), { actor }, api)),
      );
      expect(statuses(claims)).toEqual([200, 409]);
      const values = await corrected(stack, id);
      const holder = claims[0]?.status === 200 ? 'ada' : 'kim';
      await insist(stack, 'POST', at(id, 'release'), { actor: holder });
      const decisions = await Promise.all([
        ask(stack, 'POST', at(id, 'decision'), { actor: 'ada', ...reject }, 0),
        ask(stack, 'POST', at(id, 'decision'), { actor: 'kim', ...values }, 1),
      ]);
      expect(statuses(decisions)).toEqual([200, 409]);
    }),
  );
  return of(...reviews.map(({ id }) => id));
};

const leaseExpiry: Fault = async (stack, tenant) => {
  const { id } = await inReview(stack, tenant);
  await insist(stack, 'POST', at(id, 'claim'), { actor: 'ada' });
  const early = await ask(stack, 'POST', at(id, 'claim'), { actor: 'kim' });
  expect(early.status).toBe(409);
  // A quarter of an hour later.
  await stack.sql('update review_tasks set lease_expires_at = lease_expires_at - 900000 where key = $1', [
    id,
  ]);
  const both = await Promise.all(
    ['kim', 'lee'].map((actor, api) => ask(stack, 'POST', at(id, 'claim'), { actor }, api)),
  );
  expect(statuses(both)).toEqual([200, 409]);
  const late = await ask(stack, 'POST', at(id, 'decision'), { actor: 'ada', ...reject });
  expect(late.status).toBe(409);
  const holder = both[0]?.status === 200 ? 'kim' : 'lee';
  await insist(stack, 'POST', at(id, 'decision'), { actor: holder, ...reject });
  return of(id);
};

const sameRedriveTwice: Fault = async (stack, tenant) => {
  const { ids } = await parked(stack, tenant, [fine, stubborn, fine, refused, fine, refused]);
  const filter = { tenant };
  const both = await Promise.all([redrive(stack, filter), redrive(stack, filter)]);
  expect(new Set(both).size).toBe(1);
  expect(await redriven(stack, both[0])).toMatchObject({ started: 6, recovered: 3, returned: 3 });
  // Another process may ask for one of the letters at the same moment, under its own name.
  const [again, other] = await Promise.all([
    redrive(stack, filter),
    redrive(stack, filter, { name: `${tenant}-2` }),
  ]);
  expect(again).toBe(both[0]);
  expect(await redriven(stack, again)).toMatchObject({ started: 0 });
  expect(await redriven(stack, other)).toMatchObject({ started: 2, returned: 2 });
  return of(...ids);
};

const newPrompt: Fault = async (stack, tenant) => {
  const papers = Array.from({ length: 10 }, (_, index) =>
    plannedClaim(stack.models, [fine, index % 2 === 0 ? fine : stubborn]),
  );
  // Handed in where prompt v8 was not deployed yet.
  const ids = await Promise.all(
    papers.map(async (paper) => {
      const { status, body } = await ask(stack, 'POST', '/v1/extractions', submission(tenant, paper), 2);
      expect([status, body.promptVersion]).toEqual([202, 'v7']);
      return body.id as string;
    }),
  );
  for (const id of ids) expect(await ended(stack, id)).toMatchObject({ reason: 'token_ceiling' });
  const filter = { tenant, promptVersion: 'v7' };
  const id = await redrive(stack, filter, { with: 'v8' });
  expect(await redriven(stack, id)).toMatchObject({ started: 10, recovered: 5, returned: 5 });
  const runs = () => stack.sql('select count(*) from extractions where tenant = $1', [tenant]);
  const before = await runs();
  expect(await redriven(stack, await redrive(stack, filter, { with: 'v8' }))).toMatchObject({ started: 0 });
  expect(await runs()).toEqual(before);
  return of(...ids);
};

const terminated: Fault = async (stack, tenant) => {
  const answers = [held(fine), held(fine), held(fine)] as const;
  const first = plannedClaim(stack.models, [answers[0].turn]);
  const repaired = plannedClaim(stack.models, [{ behaviour: { misread: 1 } }, answers[1].turn]);
  const [firstId, repairedId, again, review] = await Promise.all([
    submit(stack, tenant, first),
    submit(stack, tenant, repaired),
    parked(stack, tenant, [answers[2].turn]),
    inReview(stack, tenant),
  ]);
  const [againId = ''] = again.ids;
  await insist(stack, 'POST', '/v1/dead-letters/redrive', { id: againId });
  await Promise.all([called(stack, first, 1), called(stack, repaired, 2)]);
  await called(stack, again.papers[0] ?? first, 2);
  const ids = [firstId, repairedId, againId];
  const { subject } =
    (await stack.sql('select subject from review_tasks where key = $1', [review.id]))[0] ?? {};
  const workflows = [...ids.map(workflowIds.extraction), workflowIds.humanReview(String(subject))];
  for (const id of workflows) await stack.temporal.workflow.getHandle(id).terminate('by somebody in the UI');
  // Old enough for the reconciler to look at.
  await stack.sql('update extractions set started_at = started_at - 60000 where tenant = $1', [tenant]);
  await stack.sql('update review_tasks set created_at = created_at - 60000 where tenant = $1', [tenant]);
  await eventually(async () => {
    await stack.reconcile();
    const { body } = await ask(stack, 'GET', `/v1/extractions?tenant=${tenant}&state=running`);
    expect(body.items).toEqual([]);
  });
  for (const id of ids)
    expect(await ended(stack, id)).toMatchObject({ reason: 'internal_error', route: 'dead_letter' });
  for (const answer of answers) answer.release();
  // One of them is run again, one stays where it was found.
  await insist(stack, 'POST', '/v1/dead-letters/redrive', { id: firstId });
  expect(await ended(stack, firstId)).toMatchObject({ run: 2, outcomeKind: 'verified' });
  await insist(stack, 'POST', at(review.id, 'decision'), { actor: 'ada', ...reject });
  return of(...ids, review.id);
};

/** Two who want the same thing at the same moment, and people who step in. Nothing is killed, so all run at once. */
export const races: Readonly<Record<string, Fault>> = {
  'the same bytes 20 times at once': sameBytesAtOnce,
  'an answer after deadline or cancel': lateAnswer,
  'redrive while a review is open': redriveDuringReview,
  'decision while a redrive runs': decisionDuringRedrive,
  'two reviewers on one review': twoReviewers,
  'a lease that ran out': leaseExpiry,
  'the same redrive twice, also at once': sameRedriveTwice,
  'prompt v7 to v8, half recovers': newPrompt,
  'terminated from outside': terminated,
};
