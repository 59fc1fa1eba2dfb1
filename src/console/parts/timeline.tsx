import type { AttemptView, CallView } from '../../application/views/attempt-view.js';
import type { ExtractionSummary } from '../../application/views/extraction-view.js';
import { count, counted, duration } from './format.js';

const wide = 1_000;

/** Attempts and calls against seconds since the start: waiting, calls, failed calls, backoff, and where it stopped. */
export function Timeline({
  run,
  attempts,
  now,
}: {
  readonly run: ExtractionSummary;
  readonly attempts: readonly AttemptView[];
  readonly now: number;
}) {
  const start = Date.parse(run.startedAt);
  const end = run.closedAt === null ? now : Date.parse(run.closedAt);
  const span = axisSpan(end - start);
  const at = (instant: number) => Math.max(0, Math.min(wide, ((instant - start) / span) * wide));
  let before = start;
  return (
    <>
      <div class="attempts">
        <span class="axis" />
        <span class="axis run">
          <Axis span={span} />
        </span>
        <span class="axis" />
        {attempts.map((attempt, index) => {
          const from = before;
          before = lastEnd(attempt, now) ?? from;
          const isLast = index === attempts.length - 1 && run.closedAt !== null;
          return <Line attempt={attempt} from={from} stoppedAt={isLast ? end : null} at={at} now={now} />;
        })}
      </div>
      <p class="key" aria-hidden="true">
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect x="0.5" y="0.5" width="19" height="9" class="s-wait" />
          </svg>
          waiting
        </span>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect width="20" height="10" class="s-accent" />
          </svg>
          call
        </span>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect x="7" width="7" height="10" class="s-dead" />
          </svg>
          failed call
        </span>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <path d="M0 5h20" class="s-dots" />
          </svg>
          backoff
        </span>
        <span>
          <svg viewBox="0 0 20 10" aria-hidden="true">
            <rect x="9" width="3" height="10" class="s-ink" />
          </svg>
          stopped
        </span>
      </p>
    </>
  );
}

function Line({
  attempt,
  from,
  stoppedAt,
  at,
  now,
}: {
  readonly attempt: AttemptView;
  readonly from: number;
  readonly stoppedAt: number | null;
  readonly at: (instant: number) => number;
  readonly now: number;
}) {
  const { calls, failureClass, lane, maxTokens, result } = attempt;
  const first = calls[0] === undefined ? from : Date.parse(calls[0].startedAt);
  return (
    <>
      <div class="lane">
        <b>Attempt {attempt.attempt}</b>
        <div class="second small">
          {lane === null ? 'no reply yet' : `${lane} lane`}
          {maxTokens === null ? '' : `, may answer in ${count(maxTokens)} tokens`}
        </div>
      </div>
      <div class="run">
        <svg viewBox={`0 0 ${wide} 22`} preserveAspectRatio="none" aria-hidden="true">
          <rect
            x={at(from) + 0.5}
            y="5.5"
            width={Math.max(0, at(first) - at(from) - 1)}
            height="11"
            class="s-wait"
          />
          {calls.map((call, index) => {
            const [began, ended] = [Date.parse(call.startedAt), endOf(call, now)];
            const next = calls[index + 1];
            return (
              <>
                <rect
                  x={at(began)}
                  y="5"
                  width={Math.max(3, at(ended) - at(began))}
                  height="12"
                  class={call.state === 'failed' ? 's-dead' : 's-accent'}
                />
                {next === undefined ? null : (
                  <path d={`M${at(ended)} 11H${at(Date.parse(next.startedAt))}`} class="s-dots" />
                )}
              </>
            );
          })}
          {stoppedAt === null ? null : (
            <rect x={Math.min(wide - 4, at(stoppedAt))} y="0" width="4" height="22" class="s-ink" />
          )}
        </svg>
        <p class="second small">{callsText(attempt)}</p>
      </div>
      <div class="ended">
        {result === 'accepted' ? (
          <b class="t-ok">accepted</b>
        ) : failureClass === null ? (
          <span class="grey">no reply</span>
        ) : (
          <>
            <span class="class">{failureClass}</span>{' '}
            {attempt.problems.length > 0 ? counted(rulesOf(attempt), 'rule') : ''}
          </>
        )}
        <div class="second small">{count(attempt.tokens)} tokens</div>
      </div>
    </>
  );
}

function callsText(attempt: AttemptView): string {
  const { calls, candidate, failureClass } = attempt;
  const said = calls.map((call, index) => {
    const took = call.endedAt === null ? '' : duration(Date.parse(call.endedAt) - Date.parse(call.startedAt));
    const gap = calls[index + 1];
    const waited =
      gap === undefined || call.endedAt === null
        ? ''
        : `, waited ${duration(Date.parse(gap.startedAt) - Date.parse(call.endedAt))}`;
    if (call.state === 'failed') {
      return `Call ${index + 1}: ${call.status ?? call.faultClass ?? 'failed'} after ${took}${waited}.`;
    }
    return call.state === 'open' ? `Call ${index + 1}: under way.` : `Call ${index + 1}: ${took}.`;
  });
  const read =
    failureClass === 'truncated'
      ? ' Cut off at the most tokens that it may answer in; no candidate is read from a cut reply.'
      : candidate === null && failureClass !== null
        ? ' No candidate was read.'
        : '';
  return `${said.join(' ')}${read}`;
}

function rulesOf({ problems }: AttemptView): number {
  return new Set(problems.map(({ rule }) => rule)).size;
}

function endOf(call: CallView, now: number): number {
  return call.endedAt === null ? now : Date.parse(call.endedAt);
}

function lastEnd({ calls }: AttemptView, now: number): number | null {
  const last = calls.at(-1);
  return last === undefined ? null : endOf(last, now);
}

/** Milliseconds that the axis covers: a round number of steps, just beyond the end. */
function axisSpan(ms: number): number {
  const step = stepOf(ms);
  return Math.max(step, Math.ceil((ms * 1.02) / step) * step);
}

function stepOf(ms: number): number {
  const steps = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000, 3_600_000];
  return steps.find((step) => ms / step <= 5) ?? 86_400_000;
}

/** Labels at equal distances, in words that need no drawing. */
function Axis({ span }: { readonly span: number }) {
  const step = stepOf(span);
  const ticks = Array.from({ length: Math.round(span / step) + 1 }, (_, index) => index * step);
  const isFine = step < 1_000;
  return ticks.map((tick, index) => (
    <span>
      {(tick / 1_000).toFixed(isFine ? 2 : 0)}
      {index === ticks.length - 1 ? ' s' : ''}
    </span>
  ));
}
