import type { ReviewQueue } from '../../application/review-queue.js';
import { count, percent } from './format.js';

const path = '/console/reviews';

/** What waits for people, and what that takes of them. */
export function PeopleFigures({ queue }: { readonly queue: ReviewQueue }) {
  const { audit } = queue;
  return (
    <>
      <div class="title">
        <h2 id="h-people">People</h2>
        <span>{(60 / queue.minutesEach).toFixed(0)} an hour</span>
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
        <dt>Come in on a day</dt>
        <dd>
          {queue.inflowPerDay.toFixed(1)}, {queue.hoursPerDay.toFixed(1)} h
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
            <span class="grey">no sample was decided in 30 days</span>
          ) : (
            `${audit.defects} of ${audit.decided}, ${percent(audit.interval.low)} to ${percent(audit.interval.high)}`
          )}
        </dd>
      </dl>
    </>
  );
}
