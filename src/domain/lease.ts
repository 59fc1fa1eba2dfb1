/** Who works on a review alone, and until when. No lease at all: whoever asks first. */
export interface Lease {
  readonly holder: string;
  readonly expiresAt: number;
}

/** What somebody wants of a lease. Only stealing takes it from another, and says why. */
export type LeaseAct =
  | { readonly kind: 'claim' | 'extend'; readonly actor: string; readonly leaseMs: number }
  | { readonly kind: 'steal'; readonly actor: string; readonly leaseMs: number; readonly reason: string }
  | { readonly kind: 'release'; readonly actor: string };

/** One thing that happened to a lease, for the trail of its review. `expired` happened by itself, when the time was up. */
export type LeaseStep =
  | {
      readonly kind: 'claimed' | 'extended';
      readonly actor: string;
      readonly expiresAt: number;
      readonly at: number;
    }
  | {
      readonly kind: 'stolen';
      readonly actor: string;
      readonly from: string;
      readonly reason: string;
      readonly expiresAt: number;
      readonly at: number;
    }
  | { readonly kind: 'released'; readonly actor: string; readonly at: number }
  | { readonly kind: 'expired'; readonly from: string; readonly at: number };

/** The lease afterwards, and what happened on the way; a refused act may still find that a lease has run out. */
export interface LeaseChange {
  readonly granted: boolean;
  readonly lease: Lease | null;
  readonly steps: readonly LeaseStep[];
}

/** Carries out one act at the instant `at` (epoch ms). Claiming what one holds extends it; nothing shortens a lease. */
export function actOnLease(lease: Lease | null, act: LeaseAct, at: number): LeaseChange {
  const isOver = lease !== null && lease.expiresAt <= at;
  const current = isOver ? null : lease;
  const before: readonly LeaseStep[] = isOver
    ? [{ kind: 'expired', from: lease.holder, at: lease.expiresAt }]
    : [];
  const refused: LeaseChange = { granted: false, lease: current, steps: before };
  const taken = (step: Extract<LeaseStep, { expiresAt: number }>): LeaseChange => ({
    granted: true,
    lease: { holder: step.actor, expiresAt: step.expiresAt },
    steps: [...before, step],
  });
  if (act.kind === 'release') {
    if (current?.holder !== act.actor) return refused;
    return { granted: true, lease: null, steps: [{ kind: 'released', actor: act.actor, at }] };
  }
  const { actor } = act;
  const expiresAt = at + act.leaseMs;
  if (current === null)
    return act.kind === 'extend' ? refused : taken({ kind: 'claimed', actor, expiresAt, at });
  if (current.holder === actor) {
    return taken({ kind: 'extended', actor, expiresAt: Math.max(expiresAt, current.expiresAt), at });
  }
  if (act.kind !== 'steal') return refused;
  return taken({ kind: 'stolen', actor, from: current.holder, reason: act.reason, expiresAt, at });
}
