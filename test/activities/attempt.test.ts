import { describe, expect, it } from 'vitest';
import { createAttempt } from '../../activities/attempt.js';
import { CallsSuspended } from '../../src/ports/breaker.js';
import { CallFault } from '../../src/ports/extractor.js';
import { StoreUnavailable } from '../../src/ports/store.js';
import { rejectedAttempt } from '../support/fakes/bench.js';
import { type AttemptBench, attemptBench, estimate, goodReply, input, spent } from './attempt-bench.js';
import { inActivity } from './in-activity.js';

type Times = Parameters<typeof inActivity>[1];

const start = (bench: AttemptBench, changes: Partial<typeof input> = {}, times?: Times) =>
  inActivity(() => createAttempt(bench.deps)({ ...input, ...changes }), times);

const fault = (changes: Partial<ConstructorParameters<typeof CallFault>[0]>) => async (): Promise<never> => {
  throw new CallFault({
    kind: 'transient',
    faultClass: 'overloaded',
    status: 529,
    retryAfterMs: null,
    requestId: null,
    message: 'The model API answered status 529.',
    ...changes,
  });
};

describe('an attempt', () => {
  it('writes its call down before it leaves, and commits what came of it', async () => {
    const bench = attemptBench();
    const { report } = await start(bench).result;
    expect(bench.steps).toEqual(['stored', 'load', 'beginCall', 'call', 'endCall', 'commit']);
    expect(report).toMatchObject({ attempt: 1, requestId: 'req_1', result: { kind: 'accepted' } });
    expect(bench.ends).toEqual([expect.objectContaining({ state: 'answered', spending: spent })]);
  });

  it('that is stored already is returned, and nothing else is done', async () => {
    const { report } = rejectedAttempt(1);
    const bench = attemptBench({ stored: { report, withdrewReview: false } });
    expect((await start(bench).result).report).toEqual(report);
    expect(bench.steps).toEqual(['stored']);
  });

  it('keeps a paid answer over an outage of the store', async () => {
    const bench = attemptBench({ failing: { endCall: new StoreUnavailable('down') } });
    expect((await start(bench).result).report.result.kind).toBe('accepted');
    expect(bench.steps.filter((step) => step === 'call')).toHaveLength(1);
    expect(bench.steps.slice(-2)).toEqual(['endCall', 'commit']);
  });

  it('begins again when the store is down before its call', async () => {
    const bench = attemptBench({ failing: { beginCall: new StoreUnavailable('down') } });
    await expect(start(bench, {}, { attempt: 3 }).result).rejects.toMatchObject({
      type: 'store_unavailable',
      nonRetryable: false,
      nextRetryDelay: 2_000,
    });
    expect(bench.steps).not.toContain('call');
  });

  it('makes no call when no time is left for one', async () => {
    const bench = attemptBench();
    await expect(start(bench, {}, { timeoutMs: 400 }).result).rejects.toMatchObject({ type: 'deadline' });
    expect(bench.steps).toEqual(['stored', 'load']);
  });

  it('gives its call half a second less than it has', async () => {
    let given = 0;
    const call = async (_request: unknown, { timeoutMs }: { timeoutMs: number }) => {
      given = timeoutMs;
      return goodReply;
    };
    await start(attemptBench({ call }), {}, { timeoutMs: 5_000 }).result;
    expect(given).toBeGreaterThan(4_000);
    expect(given).toBeLessThanOrEqual(4_500);
  });

  it('under a spec version that this worker lacks waits for another worker', async () => {
    const bench = attemptBench();
    const ref = { ...input.ref, promptVersion: 'v9' };
    await expect(start(bench, { ref }).result).rejects.toMatchObject({
      type: 'spec_unavailable',
      nonRetryable: false,
    });
    expect(bench.steps).toEqual(['stored']);
  });

  it('for a model that the adapter does not know is rejected before anything goes on the wire', async () => {
    const refuse = () => {
      throw new CallFault({
        kind: 'permanent',
        faultClass: 'unsupported',
        status: null,
        retryAfterMs: null,
        requestId: null,
        message: 'There is no model with that name.',
      });
    };
    const bench = attemptBench({ estimate: refuse });
    await expect(start(bench).result).rejects.toMatchObject({
      type: 'provider_rejected',
      nonRetryable: true,
    });
    expect(bench.steps).toEqual(['stored', 'load']);
  });
});

describe('a call that the breaker holds back', () => {
  it('is not made and leaves no row, and comes back when the next one is let through', async () => {
    const bench = attemptBench({ suspendedUntil: Date.now() + 5_000 });
    const failure = await start(bench).result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: 'call_failed', nonRetryable: false });
    const { nextRetryDelay } = failure as { readonly nextRetryDelay: number };
    // Half of a share of the backoff later, as the dice have it.
    expect(nextRetryDelay).toBeGreaterThan(6_000);
    expect(nextRetryDelay).toBeLessThanOrEqual(6_334);
    // The document was not even looked into.
    expect(bench.steps).toEqual(['stored']);
  });

  it('is not made when the breaker opens while the document is read', async () => {
    const guard = async (): Promise<never> => {
      throw new CallsSuspended(Date.now());
    };
    const bench = attemptBench({ guard });
    await expect(start(bench).result).rejects.toMatchObject({ type: 'call_failed', nextRetryDelay: 4_000 });
    expect(bench.steps).toEqual(['stored', 'load']);
  });

  it('is given up as an unavailable provider when only starts for calls are left', async () => {
    const bench = attemptBench({ suspendedUntil: Date.now() });
    await expect(start(bench, {}, { attempt: 6 }).result).rejects.toMatchObject({
      type: 'provider_unavailable',
      nonRetryable: true,
    });
  });
});

describe('a call that fails', () => {
  it('on the way is made again after the pause the provider asks for', async () => {
    const bench = attemptBench({ call: fault({ retryAfterMs: 7_000 }) });
    await expect(start(bench).result).rejects.toMatchObject({
      type: 'call_failed',
      nonRetryable: false,
      nextRetryDelay: 7_000,
      category: 'BENIGN',
    });
    expect(bench.ends).toEqual([
      expect.objectContaining({ state: 'failed', faultClass: 'overloaded', status: 529, usage: 'unknown' }),
    ]);
  });

  it('for the third time is the end of its activity', async () => {
    const bench = attemptBench({ call: fault({}), failedCalls: 3 });
    await expect(start(bench).result).rejects.toMatchObject({
      type: 'provider_unavailable',
      nonRetryable: true,
      details: [{ tokens: estimate.tokens, cost: estimate.cost, known: false }],
    });
  });

  it('for good is not made again', async () => {
    const bench = attemptBench({ call: fault({ kind: 'permanent', faultClass: 'rejected', status: 400 }) });
    await expect(start(bench).result).rejects.toMatchObject({
      type: 'provider_rejected',
      nonRetryable: true,
    });
  });

  it.each([
    { name: 'was refused', status: 529, faultClass: 'overloaded', tokens: 0 },
    { name: 'found nobody', status: null, faultClass: 'connection', tokens: 0 },
    { name: 'broke off in its answer', status: 200, faultClass: 'connection', tokens: estimate.tokens },
    { name: 'was never answered', status: null, faultClass: 'stalled', tokens: estimate.tokens },
  ])('because it $name counts $tokens tokens', async ({ status, faultClass, tokens }) => {
    const bench = attemptBench({ call: fault({ status, faultClass }) });
    await expect(start(bench).result).rejects.toThrow();
    expect(bench.ends.map(({ spending }) => spending.tokens)).toEqual([tokens]);
  });

  it('because the worker shuts down leaves its row open, and is no fault of the provider', async () => {
    const call = (_request: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const bench = attemptBench({ call });
    const run = start(bench);
    await expect.poll(() => bench.steps).toContain('call');
    run.cancel();
    await expect(run.result).rejects.toThrow('the worker shuts down');
    expect(bench.ends).toEqual([]);
  });
});

describe('an unexpected error', () => {
  it('leaves nothing of its message, neither in the failure nor in the log', async () => {
    const bench = attemptBench({ failing: { load: new TypeError('cannot read "Ada Muster, 1204.375"') } });
    const run = start(bench);
    const failure = await run.result.catch((error: unknown) => error);
    expect(failure).toMatchObject({ type: 'internal_error', nonRetryable: true });
    expect(`${(failure as Error).message} ${(failure as Error).stack}`).not.toContain('Ada');
    expect(run.logs).toHaveLength(1);
    expect(run.logs[0]).toContain('TypeError');
    expect(run.logs[0]).toContain('attempt.test');
    expect(run.logs[0]).not.toContain('Ada');
  });
});
