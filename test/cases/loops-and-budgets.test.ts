import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { readOutcome } from '../../src/application/read-outcome.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { readAttempts } from '../../src/application/views/attempt-view.js';
import { decide } from '../../src/domain/decide.js';
import { evolve } from '../../src/domain/evolve.js';
import { initialState } from '../../src/domain/initial-state.js';
import { chooseRoute } from '../../src/domain/routing.js';
import { printRecord } from '../../src/spec/print-record.js';
import type { Spec } from '../../src/spec/spec.js';
import { maximumFeedbackBytes } from '../../src/verification/feedback.js';
import { aClaim } from '../specs/claims.js';
import { createBench, exhaustAll, textSubmission } from '../support/fakes/bench.js';
import { badReceipt } from '../support/fakes/receipt-spec.js';
import { classesOf, play, says } from './script.js';

const claims = claim as Spec;
const right = aClaim({ amounts: ['25.00', '10.00'], total: '35.00' });
const form = printRecord(claim.fields, right);
/** A record that breaks another rule, or breaks it otherwise, for each number. */
const wrong = (index: number) => says({ ...right, policy_number: `POL-00-000${index}` });
const unreadable = (index: number) => ({ text: `No JSON, ${index}.` });

describe('case 31: a model that never answers well', () => {
  it.each([1, 2, 3, 4, 7])('is called exactly %i times under that cap', (attemptCap) => {
    const played = play(
      claims,
      form,
      Array.from({ length: 20 }, (_, index) => unreadable(index)),
      { attemptCap },
    );
    expect(played.requests).toHaveLength(attemptCap);
    expect(played.ending).toMatchObject({ reason: 'attempt_cap', attempts: attemptCap });
  });

  it('has one count for the document, whichever failures take turns', () => {
    const lines = [
      unreadable(1),
      wrong(1),
      { text: '' },
      says({ ...right, deductible: null }),
      unreadable(2),
      { text: '{"cut":', stopReason: 'max_tokens' },
      says({}),
    ];
    for (const attemptCap of [2, 3, 4, 5, 6, 7]) {
      const played = play(claims, form, lines, { attemptCap });
      expect(played.requests).toHaveLength(attemptCap);
    }
    expect(classesOf(play(claims, form, lines, { attemptCap: 7 }))).toEqual([
      'parse',
      'constraint',
      'empty',
      'schema',
      'parse',
      'truncated',
      'schema',
    ]);
  });
});

describe('case 33: feedback', () => {
  it('is about the last failure alone, and everything else in the request stays as it was', () => {
    const lines = [wrong(1), says({ ...right, claim_number: 'CLM-9999' }), unreadable(1), wrong(2)];
    const { requests } = play(claims, form, lines, { attemptCap: 4 });
    const feedback = requests.map((request) => request.feedback);
    expect(feedback[0]).toBeNull();
    expect(feedback[1]).toContain('/policy_number');
    expect(feedback[2]).toContain('/claim_number');
    expect(feedback[2]).not.toContain('/policy_number');
    expect(feedback[3]).not.toContain('/claim_number');
    const stable = requests.map(({ system, schema, document, task }) => ({ system, schema, document, task }));
    expect(stable).toEqual(stable.map(() => stable[0]));
  });

  it('has at most two kilobytes, however much is wrong', () => {
    const lines = Array.from({ length: 500 }, (_, index) => ({
      description: 'x'.repeat(900),
      amount: `${index}.001`,
    }));
    const { requests } = play(claims, form, [says({ ...right, line_items: lines })]);
    const size = Buffer.byteLength(requests[1]?.feedback ?? '');
    expect(size).toBeGreaterThan(500);
    expect(size).toBeLessThanOrEqual(maximumFeedbackBytes);
  });
});

describe('case 34: answers that go in circles', () => {
  it('A, B, A stops as oscillation with the rules that come and go', () => {
    const played = play(claims, form, [wrong(1), says({ ...right, claim_number: 'CLM-9999' }), wrong(1)], {
      attemptCap: 9,
    });
    expect(played.ending).toMatchObject({
      reason: 'oscillation',
      attempts: 3,
      diagnosis: { rules: ['printed/claim_number', 'printed/policy_number'] },
    });
  });

  it('A, B, A is seen by its values too, when one rule is broken all along', () => {
    const played = play(claims, form, [wrong(1), wrong(2), wrong(1)], { attemptCap: 9 });
    expect(played.ending).toMatchObject({
      reason: 'oscillation',
      attempts: 3,
      diagnosis: { rules: ['printed/policy_number'] },
    });
  });

  it('A, B, A is seen although a value drifts each time, because the rules are the same', () => {
    const lines = [wrong(1), says({ ...right, claim_number: 'CLM-9999' }), wrong(2)];
    expect(play(claims, form, lines, { attemptCap: 9 }).ending).toMatchObject({
      reason: 'oscillation',
      attempts: 3,
    });
  });

  it('A, A stops as no progress, also when spacing, key order and zeros differ', () => {
    const again = JSON.stringify(Object.fromEntries(Object.entries(right).reverse()), null, 2)
      .replace('"POL-77-1234"', '"POL-00-0001"')
      .replace('"35.00"', '"35.0"');
    expect(play(claims, form, [wrong(1), { text: again }])).toMatchObject({
      ending: { reason: 'no_progress', attempts: 2 },
    });
  });

  it('a cycle of three is seen, and answers that go on changing are not', () => {
    const other = (changes: object) => says({ ...right, ...changes });
    const cycle = [wrong(1), other({ claim_number: 'CLM-9' }), other({ claimant: 'Nobody' }), wrong(1)];
    expect(play(claims, form, cycle, { attemptCap: 9 }).ending).toMatchObject({
      reason: 'oscillation',
      attempts: 4,
    });
    const drifting = [wrong(1), wrong(2), wrong(3), says(right)];
    expect(play(claims, form, drifting, { attemptCap: 9 }).ending).toEqual({ kind: 'verified', attempts: 4 });
  });

  it('faults on the way are no answers: between them nothing is compared', () => {
    const patient = { ...claim.policy, outage: { patienceMs: 9_000, pauseMs: 1_000 } };
    let state = initialState(patient, 0);
    const spending = { tokens: 0, cost: { amount: '0', currency: 'USD' }, known: true };
    for (let round = 0; round < 9; round += 1) {
      state = evolve(state, {
        kind: 'AttemptFailed',
        at: round,
        attempt: 1,
        fault: 'provider_unavailable',
        spending,
      });
      expect(state.ending).toBeNull();
      state = evolve(state, { kind: 'WaitEnded', at: round });
    }
    expect(state).toMatchObject({ attempts: 0, candidates: [] });
    expect(decide(state, 9)).toMatchObject({ kind: 'attempt', attempt: 1, lane: 'first' });
  });
});

describe('case 35: what failed attempts cost', () => {
  it('is summed over all of them, and what the provider did not say is not zero', () => {
    const lines = [wrong(1), wrong(2), wrong(3)].map((line, index) => ({
      ...line,
      tokens: [1_000, null, 500][index] ?? null,
    }));
    const played = play(claims, form, lines);
    expect(played.ending).toMatchObject({ reason: 'attempt_cap', attempts: 3 });
    expect(played.state.tokens).toBe(1_000 + 2_000 + 500);
  });

  it('stops the run at its cap also when it is only known by estimate', () => {
    const played = play(claims, form, [{ ...wrong(1), tokens: null }, wrong(2)], { tokenCap: 1_999 });
    expect(played.ending).toMatchObject({ reason: 'token_cap', attempts: 1 });
  });
});

describe('case 36: a deadline for the document, not for each attempt', () => {
  it('five seconds, three for an attempt: a second one does not start after a first of three', () => {
    const bounds = { deadlineMs: 5_000, estimateMs: [3_000] };
    const slow = play(claims, form, [{ ...wrong(1), ms: 3_000 }, says(right)], bounds);
    expect(slow.requests).toHaveLength(1);
    expect(slow.ending).toMatchObject({ reason: 'deadline', attempts: 1, repliesRead: 1 });
    const quick = play(claims, form, [{ ...wrong(1), ms: 2_000 }, says(right)], bounds);
    expect(quick.ending).toEqual({ kind: 'verified', attempts: 2 });
  });
});

describe('case 37: a fault on the way between two attempts', () => {
  it('leads to the very same attempt again: number, model, ceiling and feedback', () => {
    const patient = { ...claim.policy, outage: { patienceMs: 5_000, pauseMs: 1_000 } };
    const { state: failed } = play(claims, form, [wrong(1)], { ...patient, attemptCap: 1 });
    let state = evolve(
      { ...failed, policy: patient, cap: 3, ending: null },
      { kind: 'PermitGranted', at: 10, attempt: 2 },
    );
    const before = decide(state, 10);
    expect(before).toMatchObject({
      kind: 'attempt',
      attempt: 2,
      feedback: { kind: 'problems', ofAttempt: 1 },
    });
    const spending = { tokens: 0, cost: { amount: '0', currency: 'USD' }, known: true };
    state = evolve(state, {
      kind: 'AttemptFailed',
      at: 20,
      attempt: 2,
      fault: 'provider_unavailable',
      spending,
    });
    expect(decide(state, 20)).toEqual({ kind: 'wait', pauseMs: 1_000 });
    expect(decide(evolve(state, { kind: 'WaitEnded', at: 1_020 }), 1_020)).toEqual(before);
  });
});

describe('case 39: an exhausted run', () => {
  it('gives back its best candidate, the unmet rules, the reason and every attempt', async () => {
    const bench = createBench();
    exhaustAll(bench, 'dead_letter');
    const { extraction } = await submitExtraction(bench.app, textSubmission('a'));
    const row = await bench.store.extractions.find(extraction.key);
    if (row === null) throw new Error('The run has no row.');
    expect((await readOutcome(bench.store, row)).outcome).toMatchObject({
      kind: 'unverified',
      bestEffort: badReceipt,
      unmet: [{ rule: 'sum', pointer: '/total', expected: '4.50', found: '5.50' }],
      reason: 'no_progress',
      failureClass: 'constraint',
      attempts: 2,
      tokens: 1_800,
      route: 'dead_letter',
    });
    expect((await readAttempts(bench.store, row.key, row.run)).map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('case 40: a batch without money', () => {
  it('lowers the cap of a run under way, which then ends as any other, with its candidate', () => {
    const { state: failed } = play(claims, form, [wrong(1)], { attemptCap: 1 });
    const running = { ...failed, cap: 3, ending: null };
    expect(decide(running, 10)).toEqual({ kind: 'permit', attempt: 2 });
    const lowered = decide(evolve(running, { kind: 'CapLowered', at: 10, cap: 1 }), 10);
    expect(lowered).toMatchObject({
      kind: 'land',
      ending: { reason: 'attempt_cap', failureClass: 'constraint' },
    });
  });

  it('lets the rest pass without a call, counted by a reason of its own, and asks no person about it', () => {
    const state = evolve(initialState(claim.policy, 0), { kind: 'BatchBudgetExhausted', at: 0 });
    const decision = decide(state, 0);
    expect(decision).toMatchObject({ kind: 'land', ending: { reason: 'batch_budget', attempts: 0 } });
    const facts = {
      amount: null,
      tenant: 'acme',
      tags: [],
      pages: 1,
      templateRecognised: true,
      hasCandidate: false,
    };
    const ending = { reason: 'batch_budget' as const, failureClass: null, repliesRead: 0 };
    expect(chooseRoute([{ to: 'human_review' }], { ...facts, ...ending }, [])).toBe('dead_letter');
  });
});
