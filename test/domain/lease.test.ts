import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { actOnLease, type Lease, type LeaseAct, type LeaseStep } from '../../src/domain/lease.js';

const claim = (actor: string): LeaseAct => ({ kind: 'claim', actor, leaseMs: 100 });
const extend = (actor: string): LeaseAct => ({ kind: 'extend', actor, leaseMs: 100 });
const steal = (actor: string): LeaseAct => ({ kind: 'steal', actor, leaseMs: 100, reason: 'ill' });
const release = (actor: string): LeaseAct => ({ kind: 'release', actor });
const adas: Lease = { holder: 'ada', expiresAt: 50 };

describe('a lease', () => {
  it.each<[string, Lease | null, LeaseAct, number, boolean, Lease | null, readonly string[]]>([
    ['nobody holds is claimed', null, claim('ada'), 0, true, { holder: 'ada', expiresAt: 100 }, ['claimed']],
    [
      'claimed again is extended',
      adas,
      claim('ada'),
      10,
      true,
      { holder: 'ada', expiresAt: 110 },
      ['extended'],
    ],
    [
      'is extended by its holder',
      adas,
      extend('ada'),
      49,
      true,
      { holder: 'ada', expiresAt: 149 },
      ['extended'],
    ],
    ['of another is not claimed', adas, claim('kim'), 49, false, adas, []],
    ['of another is not extended', adas, extend('kim'), 10, false, adas, []],
    ['of another is not released', adas, release('kim'), 10, false, adas, []],
    ['of another is stolen', adas, steal('kim'), 10, true, { holder: 'kim', expiresAt: 110 }, ['stolen']],
    [
      'that is one’s own is not stolen',
      adas,
      steal('ada'),
      10,
      true,
      { holder: 'ada', expiresAt: 110 },
      ['extended'],
    ],
    [
      'nobody holds is not stolen',
      null,
      steal('kim'),
      0,
      true,
      { holder: 'kim', expiresAt: 100 },
      ['claimed'],
    ],
    ['is released by its holder', adas, release('ada'), 10, true, null, ['released']],
    [
      'that ran out is free',
      adas,
      claim('kim'),
      50,
      true,
      { holder: 'kim', expiresAt: 150 },
      ['expired', 'claimed'],
    ],
    ['that ran out is not extended', adas, extend('ada'), 50, false, null, ['expired']],
    ['that ran out is not released', adas, release('ada'), 60, false, null, ['expired']],
    ['nobody holds is not extended', null, extend('ada'), 0, false, null, []],
  ])('%s', (_what, lease, act, at, granted, after, steps) => {
    const change = actOnLease(lease, act, at);
    expect({ ...change, steps: change.steps.map(({ kind }) => kind) }).toEqual({
      granted,
      lease: after,
      steps,
    });
  });

  it('says who lost it, why, and when its time was up', () => {
    expect(actOnLease(adas, steal('kim'), 10).steps).toEqual([
      { kind: 'stolen', actor: 'kim', from: 'ada', reason: 'ill', expiresAt: 110, at: 10 },
    ]);
    expect(actOnLease(adas, claim('kim'), 77).steps[0]).toEqual({ kind: 'expired', from: 'ada', at: 50 });
  });

  it('is never shortened', () => {
    const long: Lease = { holder: 'ada', expiresAt: 900 };
    expect(actOnLease(long, claim('ada'), 10).lease).toEqual(long);
  });
});

const people = fc.constantFrom('ada', 'kim', 'lee');
const acts = fc.record({
  act: fc.oneof(people.map(claim), people.map(extend), people.map(steal), people.map(release)),
  afterMs: fc.integer({ min: 0, max: 150 }),
});

/** Who holds the lease after these steps, told by the steps alone. */
function holderAfter(steps: readonly LeaseStep[]): string | null {
  let holder: string | null = null;
  for (const step of steps) {
    if (step.kind === 'claimed') expect(holder).toBeNull();
    else expect(holder).toBe('from' in step ? step.from : step.actor);
    if (step.kind === 'claimed' || step.kind === 'stolen') holder = step.actor;
    if (step.kind === 'released' || step.kind === 'expired') holder = null;
  }
  return holder;
}

it('whatever people do in whichever order, the steps alone tell who holds it, and nobody loses it unsaid', () => {
  fc.assert(
    fc.property(fc.array(acts, { maxLength: 30 }), (asked) => {
      let lease: Lease | null = null;
      let at = 0;
      const trail: LeaseStep[] = [];
      for (const { act, afterMs } of asked) {
        at += afterMs;
        const change = actOnLease(lease, act, at);
        trail.push(...change.steps);
        if (change.granted && act.kind !== 'release') expect(change.lease?.holder).toBe(act.actor);
        if (change.lease !== null) expect(change.lease.expiresAt).toBeGreaterThan(at);
        lease = change.lease;
        expect(holderAfter(trail)).toBe(lease?.holder ?? null);
      }
      expect(trail.map((step) => step.at)).toEqual([...trail].map((step) => step.at).sort((a, b) => a - b));
    }),
  );
});
