import type { BatchCourseView, BatchView } from '../../application/views/batch-view.js';
import { burnPlot } from '../../plots/burn-plot.js';
import { Plot } from '../parts/plot.js';
import { Time } from '../parts/time.js';

/** What a batch burnt and which attempt cap it gave, over time. */
export function BatchCourse({
  batch,
  course,
}: {
  readonly batch: BatchView;
  readonly course: BatchCourseView;
}) {
  const { budgetTokens: budget, projectedTokens: projected } = batch;
  // Runs under way have spent some by now as well: the line ends at what the figure above it says.
  const marks = [...course.burnt, { at: course.until, tokens: batch.tokens }];
  const lowered = course.caps.slice(1);
  return (
    <section aria-labelledby="h-course">
      <div class="title">
        <h2 id="h-course">Burn and cap over time</h2>
        <span>
          tokens, when their runs ended; <span data-zone>UTC</span>
        </span>
      </div>
      <Plot
        width={1_000}
        draw={(width) =>
          burnPlot({
            ...{ marks, from: course.from, until: course.until, caps: course.caps },
            ...{ budget, projected, width, height: 240 },
          })
        }
      />
      <p class="small second">
        {lowered.length === 0
          ? `The attempt cap stayed at ${course.caps[0]?.cap ?? 0}.`
          : lowered.map(({ at, cap }, index) => (
              <>
                {index === 0 ? 'The attempt cap became ' : ', '}
                <b>{cap === 0 ? 'none: the budget was gone' : cap}</b> <Time at={at} />
              </>
            ))}
      </p>
    </section>
  );
}
