import { routeWord, SignShape, signOfRoute } from '../parts/marks.js';
import { conditionWord, routeLine } from '../parts/route-words.js';
import { Time } from '../parts/time.js';
import type { ExtractionShown } from './extraction-shown.js';

/** The routing table that held for this run, the deciding line marked. */
export function RouteTaken({ shown }: { readonly shown: ExtractionShown }) {
  const { explained, extraction, review, letter } = shown;
  if (extraction.route === null) return null;
  const last = explained?.explanations.at(-1);
  return (
    <section aria-labelledby="h-route">
      <div class="title">
        <h2 id="h-route">Route taken</h2>
        <span>first match wins</span>
      </div>
      {last === undefined || last.decidedBy === 'systemic' ? (
        <p class="second">
          <SignShape sign={signOfRoute(extraction.route)} /> <b>{routeWord(extraction.route)}</b>
          {last?.decidedBy === 'systemic'
            ? ': the reason says nothing about the document, so the table is not asked.'
            : ''}
        </p>
      ) : (
        <table>
          <tbody>
            {last.lines.map(({ to, when, unmet, tried, taken }) => (
              <tr class={taken ? '' : 'off'}>
                <td class="nowrap">
                  <SignShape
                    sign={taken ? signOfRoute(to) : 'unread'}
                    label={taken ? 'taken' : 'not taken'}
                  />
                </td>
                <td>{taken ? <b>{routeLine(to, when)}</b> : routeLine(to, when)}</td>
                <td class="end">
                  {taken
                    ? 'taken'
                    : tried
                      ? 'tried, nothing found'
                      : unmet.length > 0
                        ? `not ${unmet.map(conditionWord).join(', ')}`
                        : 'not reached'}
                </td>
              </tr>
            ))}
            {last.decidedBy === 'end_of_table' ? (
              <tr>
                <td>
                  <SignShape sign="dead_letter" />
                </td>
                <td>
                  <b>Dead letter</b>, the end of the table
                </td>
                <td class="end">taken</td>
              </tr>
            ) : null}
          </tbody>
        </table>
      )}
      {review === null ? null : (
        <p class="small second">
          Review {review.state === 'open' ? 'waiting since' : `${review.state}; asked on`}{' '}
          <Time at={review.createdAt} />
          {review.holder === null ? null : (
            <>
              , held by <bdi>{review.holder}</bdi>
            </>
          )}
          . <a href={`/console/reviews/${review.id}`}>Open</a>
        </p>
      )}
      {letter === null ? null : (
        <p class="small second">
          Dead letter {letter.state} since <Time at={letter.at} />
          {letter.redrivenInto === null ? null : (
            <>
              , run again as{' '}
              <a href={`/console/extractions/${letter.redrivenInto.key}?run=${letter.redrivenInto.run}`}>
                run {letter.redrivenInto.run}
              </a>
            </>
          )}
          .
        </p>
      )}
    </section>
  );
}
