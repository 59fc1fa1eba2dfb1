import { describe, expect, it } from 'vitest';
import { type BatchCount, type BatchOrder, batchStates } from '../../src/domain/batch.js';
import {
  admission,
  afterStep,
  type BatchWindow,
  beginBatch,
  cancelBatch,
  endOf,
  nextStep,
  progressOf,
  projectedTokens,
} from '../../src/domain/batch-window.js';

const order: BatchOrder = {
  ...{ id: 'b', tenant: 't', specId: 's', documents: 100, inFlight: 10, cap: 3 },
  ...{ budgetTokens: 100_000, attemptTokens: 3_000, deadlineAt: null },
};

const count = (changes: Partial<BatchCount> = {}): BatchCount => ({
  ...{ waiting: 0, underWay: 0, ownUnderWay: 0, verified: 0, unverified: {}, refused: 0 },
  parts: { own: 0, followed: 0, known: 0, repeated: 0, refused: 0 },
  ...{
    completed: 0,
    completedTokens: 0,
    completedAttempts: 0,
    tokens: 0,
    beyond: 0,
    largestAttemptTokens: 0,
  },
  ...changes,
});

/** One look at a batch. */
function looked(window: BatchWindow, seen: BatchCount): BatchWindow {
  const step = nextStep(window);
  if (step === null) throw new Error('It is over.');
  return afterStep(window, step, { count: seen, ended: endOf(step, seen) });
}

const tenDone = count({
  ...{ waiting: 80, underWay: 10, ownUnderWay: 10, verified: 10 },
  ...{ completed: 10, completedTokens: 20_000, completedAttempts: 20, tokens: 25_000 },
});

describe('given the window of a batch', () => {
  it('when the projection exceeds the budget, then the cap is one lower, and runs under way are told at once', () => {
    const window = looked(beginBatch(order), count({ waiting: 100 }));
    expect(window).toMatchObject({ cap: 3, tells: false });
    // 20,000 + 90 x 2,000 = 200,000.
    const lowered = looked(window, tenDone);
    expect(lowered).toMatchObject({ cap: 2, tells: true, mark: { completed: 10, tokens: 20_000 } });
    const told = looked(lowered, tenDone);
    expect(told).toMatchObject({ cap: 2, tells: false });
    // Another twelve at 2,000 each bring it down once more; and the budget, once spent, is gone.
    const again = looked(told, count({ ...tenDone, completed: 22, completedTokens: 44_000, tokens: 45_000 }));
    expect(again).toMatchObject({ cap: 1, tells: true });
    expect(looked(again, count({ ...tenDone, tokens: 100_000 }))).toMatchObject({ cap: 0, tells: true });
  });

  it('when it has no budget, then the cap stays', () => {
    const window = beginBatch({ ...order, budgetTokens: null });
    expect(looked(window, tenDone).cap).toBe(3);
    const step = nextStep(window);
    expect(step && admission(step, count({ waiting: 4, underWay: 7 }))).toEqual({ documents: 3, cap: 3 });
  });

  it('when the budget is gone, then the rest begins under a cap of nought, within the window', () => {
    const step = nextStep({ ...beginBatch(order), cap: 0 });
    expect(step && admission(step, count({ waiting: 80, underWay: 4 }))).toEqual({ documents: 6, cap: 0 });
    const unaware = nextStep(beginBatch(order));
    const spent = count({ waiting: 3, tokens: 100_000 });
    expect(unaware && admission(unaware, spent)).toEqual({ documents: 3, cap: 0 });
  });

  it('when runs of others fill it, then nothing begins', () => {
    const step = nextStep(beginBatch(order));
    expect(step && admission(step, count({ waiting: 3, underWay: 12 }))).toEqual({ documents: 0, cap: 3 });
  });

  it('when it is cancelled, then nothing begins, and it is over once nothing is under way', () => {
    const gently = cancelBatch(looked(beginBatch(order), tenDone), 'let_finish');
    expect(progressOf(gently)).toMatchObject({ state: 'stopping', id: 'b', documents: 100 });
    const step = nextStep(gently);
    expect(step).toMatchObject({ cancel: 'let_finish', tells: false });
    expect(step && admission(step, tenDone)).toEqual({ documents: 0, cap: 3 });
    expect(step && endOf(step, tenDone)).toBeNull();
    const over = looked(gently, count({ waiting: 80, verified: 20 }));
    expect(progressOf(over).state).toBe('cancelled');
    expect(nextStep(over)).toBeNull();
    // Nothing was left to begin.
    expect(progressOf(looked(gently, count({ verified: 100 }))).state).toBe('finished');
  });

  it('when a second cancel asks for more, then runs are told; less does not take it back', () => {
    const gently = cancelBatch(beginBatch(order), 'let_finish');
    expect(gently.tells).toBe(false);
    const hard = cancelBatch(gently, 'cancel_runs');
    expect(hard).toMatchObject({ cancel: 'cancel_runs', tells: true });
    expect(cancelBatch(hard, 'let_finish')).toEqual(hard);
  });

  it('when it is cancelled while runs are told the cap, then they are told again', () => {
    const lowered = looked(looked(beginBatch(order), count({ waiting: 100 })), tenDone);
    const step = nextStep(lowered);
    const cancelled = cancelBatch(lowered, 'cancel_runs');
    if (step === null) throw new Error('It is over.');
    expect(afterStep(cancelled, step, { count: tenDone, ended: null }).tells).toBe(true);
  });

  it('when much has ended, then the next look comes sooner; when little has, later', () => {
    const window = { ...looked(beginBatch(order), count({ waiting: 100 })), restMs: 1_000 };
    const rest = (seen: Partial<BatchCount>) => looked(window, count({ waiting: 50, ...seen })).restMs;
    expect(rest({ verified: 5 })).toBe(500);
    expect(rest({ verified: 1, unverified: { refusal: 1 }, refused: 1 })).toBe(1_000);
    expect(rest({ verified: 1 })).toBe(2_000);
    expect(looked({ ...window, restMs: 4_000 }, count({ waiting: 50 })).restMs).toBe(5_000);
    expect(looked({ ...window, restMs: 300 }, count({ verified: 9, waiting: 50 })).restMs).toBe(250);
  });

  it('when its progress is asked for, then it says where it stands, before the first look as well', () => {
    expect(progressOf(beginBatch(order))).toEqual({
      ...{ id: 'b', state: 'running', documents: 100, cap: 3, count: null },
    });
    expect(batchStates).toContain(progressOf(beginBatch(order)).state);
  });

  it('when some have ended, then the rest is projected from them', () => {
    expect(projectedTokens(count({ waiting: 9 }))).toBeNull();
    expect(projectedTokens(tenDone)).toBe(200_000);
  });
});
