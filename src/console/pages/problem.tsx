import type { Problem } from '../../http/problem.js';
import { withQuery } from '../query.js';

/** What failed, what is safe, what to do, and under which id the log has it. */
export function problemPage(problem: Problem, requestId: string, address: URL) {
  const { title, detail, status, errors = [] } = problem;
  return (
    <>
      <div class="head">
        <div>
          <h1>{title}</h1>
          <p>{detail}</p>
        </div>
      </div>
      {errors.length === 0 ? null : (
        <ul class="stack">
          {errors.map(({ pointer, detail: what }) => (
            <li>
              {pointer === '' ? null : <code>{pointer} </code>}
              {what}
            </li>
          ))}
        </ul>
      )}
      <p class="empty">
        {status >= 500
          ? 'Nothing was lost: what is stored stays as it was. Try again in a moment; should it stay, look for the request id in the log. '
          : null}
        {problem.slug === 'bad-cursor' ? (
          <a href={beginningOf(address)}>To the beginning of the list</a>
        ) : (
          <a href="/console">To the overview</a>
        )}
      </p>
      <p class="small grey">
        Request <code>{requestId}</code>
      </p>
    </>
  );
}

/** The same list under the same filters, from its first row on. */
function beginningOf({ pathname, searchParams }: URL): string {
  return withQuery(pathname, { ...Object.fromEntries(searchParams), cursor: undefined });
}

/** A cursor is a word of the API; people follow an address. */
export function inWords(problem: Problem): Problem {
  return problem.slug === 'bad-cursor'
    ? { ...problem, title: 'No such place in this list', detail: 'This address leads to none of its rows.' }
    : problem;
}
