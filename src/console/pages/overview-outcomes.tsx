import type { RouteName } from '../../domain/route.js';
import type { TallyReport } from '../../reports/tally-report.js';
import { count, counted, percent } from '../parts/format.js';
import { routeWord, SignShape, signOfRoute } from '../parts/marks.js';
import { withQuery } from '../query.js';
import { explained } from './overview-list.js';
import type { OverviewShown } from './overview-shown.js';

const routes: readonly RouteName[] = ['human_review', 'fallback', 'dead_letter', 'best_effort'];
const looks: Readonly<Record<RouteName, string>> = {
  human_review: 's-person',
  fallback: 's-hatched',
  dead_letter: 's-dead',
  best_effort: 's-dotted',
};

/** The verified share, by attempt, and where the rest landed, drawn larger. */
export function Outcomes({ shown }: { readonly shown: OverviewShown }) {
  const { query, report } = shown;
  const { tally, attemptCap, audits } = report.measures;
  const curve = report.measures.yield;
  const last = curve.at(-1);
  const list = (more: Readonly<Record<string, string>>) =>
    withQuery('/console/extractions', { ...query, ...more });
  const passed = curve.map(({ attempt, passed: verified }) => ({ attempt, verified }));
  const rest = tally.unverified;
  const share = (part: number) => part / Math.max(1, tally.runs);
  const landed = landings(tally);
  const first = passed[0]?.verified ?? 0;
  return (
    <section class="outcomes" aria-label="Outcomes">
      <div>
        <p class="share t-ok">{percent(share(tally.verified))}</p>
        <p>
          <a class="figure" href={list({ outcome: 'verified' })}>
            <b>verified</b>
          </a>{' '}
          within {attemptCap ?? '–'} attempts
        </p>
        <p class="small second">
          {count(tally.verified)} of {counted(tally.runs, 'run')}
          {tally.open === 0 ? '' : `, ${count(tally.open)} of them still open`}
        </p>
        {last === undefined ? null : (
          <p class="small second">
            <a class="figure" href={explained('intervals')}>
              95 % interval
            </a>{' '}
            {(last.cumulative.interval.low * 100).toFixed(1)} to{' '}
            {(last.cumulative.interval.high * 100).toFixed(1)} %
          </p>
        )}
        {last === undefined || last.net.share === null ? (
          <p class="small second">nothing was audited yet</p>
        ) : (
          <p class="small second">
            less defects found by audit ({audits.defects} of {audits.decided} wrong):{' '}
            <b>{percent(last.net.share)}</b>
          </p>
        )}
        <p class="small">
          <a href="#h-yield">Single pass: {percent(share(first))}</a>
        </p>
      </div>
      <div>
        <p class="bar-words">
          <span>
            <a class="figure" href={list({ outcome: 'verified' })}>
              <b>Verified {count(tally.verified)}</b>
            </a>
            {passed
              .filter(({ verified }) => verified > 0)
              .map(({ attempt, verified }, index) => (
                <span class="second">
                  {index === 0 ? ': ' : '; '}
                  <a class="figure" href={list({ outcome: 'verified', attempts: `${attempt}` })}>
                    {count(verified)}
                  </a>{' '}
                  at attempt {attempt}, {percent(share(verified))}
                </span>
              ))}
          </span>
          {tally.open === 0 ? null : (
            <a class="figure" href={list({ outcome: 'running' })}>
              {count(tally.open)} open
            </a>
          )}
          <a class="figure" href={list({ outcome: 'unverified' })}>
            <b>{count(rest)}</b> exhausted
          </a>
        </p>
        <Bar
          parts={[
            ...passed.map(({ attempt, verified }) => ({
              look: attempt === 1 ? 's-ok' : attempt === 2 ? 's-ok2' : 's-ok3',
              part: share(verified),
            })),
            { look: 's-wait', part: share(tally.open) },
            { look: 's-ink', part: share(rest) },
          ]}
        />
        {rest === 0 ? null : (
          <>
            <p class="bar-words second small">
              <span>
                <b class="ink">
                  Exhausted {count(rest)} of {count(tally.runs)} = {percent(share(rest))}
                </b>
                , each with its reason{larger(tally.runs, rest)}
              </span>
            </p>
            <Bar
              parts={landed.map(({ route, runs }) => ({
                look: looks[(route ?? '') as RouteName] ?? 's-wait',
                part: runs / rest,
              }))}
            />
            <p class="key">
              {landed.map(({ route, runs }) => (
                <span>
                  <SignShape sign={signOfRoute(route ?? '')} />
                  {Object.hasOwn(looks, route ?? '') ? (
                    <a class="figure" href={list({ route: route ?? '' })}>
                      <b>
                        {routeWord(route ?? '')} {count(runs)}
                      </b>
                    </a>
                  ) : (
                    <b>
                      {route === null ? 'Nowhere' : routeWord(route)} {count(runs)}
                    </b>
                  )}
                </span>
              ))}
            </p>
          </>
        )}
      </div>
    </section>
  );
}

/** By how much a part is drawn larger than the whole above it; nothing to say where it is the whole, or nearly. */
export function larger(whole: number, part: number): string {
  const times = whole / part;
  return times < 1.05 ? '' : `; drawn ${times.toFixed(times < 10 ? 1 : 0)} times larger`;
}

/** Where unverified runs landed, each counted once; null: nowhere, as those that were cancelled. */
export function landings({
  unverified,
  routes: known,
}: Pick<TallyReport, 'unverified' | 'routes'>): readonly {
  readonly route: string | null;
  readonly runs: number;
}[] {
  const found = [...known].sort((one, other) => rankOf(one.route) - rankOf(other.route));
  const nowhere = unverified - found.reduce((sum, { runs }) => sum + runs, 0);
  return nowhere > 0 ? [...found, { route: null, runs: nowhere }] : found;
}

function rankOf(route: RouteName): number {
  const rank = routes.indexOf(route);
  return rank < 0 ? routes.length : rank;
}

function Bar({ parts }: { readonly parts: readonly { readonly look: string; readonly part: number }[] }) {
  let at = 0;
  return (
    <svg class="stack-bar" aria-hidden="true">
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" class="s-hatch" />
        </pattern>
        <pattern id="dots" width="5" height="5" patternUnits="userSpaceOnUse">
          <circle cx="1.5" cy="1.5" r="1" class="s-ink2" />
        </pattern>
      </defs>
      {parts.map(({ look, part }) => {
        const from = at;
        at += part;
        return part === 0 ? null : (
          <rect
            x={`${(from * 100).toFixed(3)}%`}
            width={`${(part * 100).toFixed(3)}%`}
            height="34"
            class={look}
          />
        );
      })}
    </svg>
  );
}
