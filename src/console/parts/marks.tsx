import type { Child } from 'hono/jsx';
import type { Reason } from '../../domain/reason.js';
import type { RouteName } from '../../domain/route.js';

/** Shapes that say what became of something. Each stands beside its word: never colour alone. */
export type Sign =
  | 'verified'
  | 'fallback'
  | 'human_review'
  | 'best_effort'
  | 'dead_letter'
  | 'cancelled'
  | 'running'
  | 'holds'
  | 'broken'
  | 'unread'
  | 'warning';

const colours: Readonly<Record<Sign, string>> = {
  verified: 't-ok',
  fallback: 't-fall',
  human_review: 't-person',
  best_effort: 't-ink',
  dead_letter: 't-dead',
  cancelled: 't-ink',
  running: 't-accent',
  holds: 't-ok',
  broken: 't-dead',
  unread: 't-ink',
  warning: 't-person',
};

const shapes: Readonly<Record<Sign, Child>> = {
  verified: (
    <>
      <circle cx="7" cy="7" r="6.5" fill="currentColor" />
      <path d="M3.8 7.2l2.3 2.3 4.2-4.6" fill="none" stroke="var(--paper)" stroke-width="1.8" />
    </>
  ),
  fallback: (
    <>
      <circle cx="7" cy="7" r="6" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M7 1a6 6 0 0 0 0 12z" fill="currentColor" />
    </>
  ),
  human_review: <path d="M7 0l7 7-7 7-7-7z" fill="currentColor" />,
  best_effort: (
    <circle
      cx="7"
      cy="7"
      r="5.8"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-dasharray="2.6 2"
    />
  ),
  dead_letter: <path d="M1 1h12v12H1z" fill="currentColor" />,
  cancelled: (
    <>
      <circle cx="7" cy="7" r="5.8" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M2 12L12 2" stroke="currentColor" stroke-width="1.4" />
    </>
  ),
  running: (
    <>
      <path d="M7 1.2a5.8 5.8 0 1 0 5.8 5.8" fill="none" stroke="currentColor" stroke-width="1.6" />
      <circle cx="7" cy="7" r="1.8" fill="currentColor" />
    </>
  ),
  holds: <path d="M1.5 7.4l3.6 3.8L12.5 2.6" fill="none" stroke="currentColor" stroke-width="2" />,
  broken: <path d="M2.5 2.5l9 9m0-9l-9 9" fill="none" stroke="currentColor" stroke-width="2" />,
  unread: <path d="M3 7h8" fill="none" stroke="currentColor" stroke-width="1.8" />,
  warning: (
    <>
      <path d="M7 1.2L13.4 12.6H.6z" fill="none" stroke="currentColor" stroke-width="1.4" />
      <path d="M7 5v4m0 1v1.4" stroke="currentColor" stroke-width="1.4" />
    </>
  ),
};

/** A shape alone, for the eye: whoever has it read aloud hears the word beside it, or `label`. */
export function SignShape({ sign, label }: { readonly sign: Sign; readonly label?: string }) {
  const look = `sign ${colours[sign]}`;
  return label === undefined ? (
    <svg class={look} viewBox="0 0 14 14" aria-hidden="true">
      {shapes[sign]}
    </svg>
  ) : (
    <svg class={look} viewBox="0 0 14 14" role="img" aria-label={label}>
      {shapes[sign]}
    </svg>
  );
}

export function Mark({ sign, children }: { readonly sign: Sign; readonly children?: Child }) {
  return (
    <span class="mark">
      <SignShape sign={sign} />
      <span>{children}</span>
    </span>
  );
}

export const routeWords: Readonly<Record<RouteName, string>> = {
  fallback: 'Fallback',
  human_review: 'Human review',
  best_effort: 'Best effort',
  dead_letter: 'Dead letter',
};

/** A route as pages name it. Rows may hold one that this version does not know. */
export function routeWord(route: string): string {
  return isRoute(route) ? routeWords[route] : `Nowhere: unknown route ${route}`;
}

export function signOfRoute(route: string): Sign {
  return isRoute(route) ? route : 'cancelled';
}

const isRoute = (route: string): route is RouteName => Object.hasOwn(routeWords, route);

/** How a run stands: running, verified, or where it landed. */
export function Standing({
  run,
}: {
  readonly run: {
    readonly state: 'running' | 'ended';
    readonly outcomeKind: 'verified' | 'unverified' | null;
    readonly route: RouteName | null;
    readonly reason: Reason | null;
    /** What a person made of it since, and who: "corrected by Ana". */
    readonly reviewed?: string | null;
  };
}) {
  if (run.state === 'running') return <Mark sign="running">Running</Mark>;
  if (run.outcomeKind === 'verified') return <Mark sign="verified">Verified</Mark>;
  if (run.reviewed !== undefined && run.reviewed !== null)
    return <Mark sign="verified">Unverified, then {run.reviewed}</Mark>;
  if (run.route === null)
    return <Mark sign="cancelled">{run.reason === 'cancelled' ? 'Cancelled' : 'Nowhere'}</Mark>;
  return <Mark sign={signOfRoute(run.route)}>{routeWord(run.route)}</Mark>;
}
