import type { ReviewQueue } from '../../application/review-queue.js';
import { count, counted, percent } from './format.js';

const path = '/console/reviews';

/** What waits for people, and what that takes of them. */
export function PeopleFigures({ queue }: { readonly queue: ReviewQueue }) {
  const { audit } = queue;
  return (
    <>
      <div class="title">
        <h2 id="h-people">People</h2>
        <span>one person decides {(60 / queue.minutesEach).toFixed(0)} an hour</span>
      </div>
      <dl class="facts">
        <dt>Free</dt>
        <dd>
          <a class="figure" href={`${path}?lease=free`}>
            <b>{count(queue.free)}</b>
          </a>
        </dd>
        <dt>Held</dt>
        <dd>
          <a class="figure" href={`${path}?lease=held`}>
            <b>{count(queue.held)}</b>
          </a>
        </dd>
        <dt>Overdue</dt>
        <dd>
          <a class="figure" href={`${path}?due=overdue`}>
            <b>{count(queue.overdue)}</b>
          </a>
        </dd>
        <dt>Samples of what verified</dt>
        <dd>
          <a class="figure" href={`${path}?kind=sample`}>
            <b>{count(queue.samples)}</b>
          </a>
        </dd>
        <dt>New on a day, mean of a week</dt>
        <dd>
          <a class="figure" href="/console/extractions?route=human_review&time=7d">
            {queue.inflowPerDay.toFixed(1)}
          </a>
          , {queue.hoursPerDay.toFixed(1)} h of people at {queue.minutesEach.toFixed(1)} min each
        </dd>
        <dt>Backlog</dt>
        <dd>
          <a class="figure" href={`${path}?state=open`}>
            {queue.backlogHours.toFixed(1)} h
          </a>
        </dd>
        <dt>Wrong although verified</dt>
        <dd>
          {audit.decided === 0 ? (
            <a class="figure grey" href={`${path}?kind=sample`}>
              no sample was decided in 30 days
            </a>
          ) : (
            <>
              <a class="figure" href={`${path}?kind=sample&state=decided`}>
                {count(audit.defects)} of {counted(audit.decided, 'sample')}
              </a>
              , {percent(audit.interval.low)} to {percent(audit.interval.high)}
            </>
          )}
        </dd>
      </dl>
    </>
  );
}
