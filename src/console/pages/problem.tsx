import type { Problem } from '../../http/problem.js';

/** What failed, what is safe, what to do, and under which id the log has it. */
export function problemPage({ title, detail, status, errors = [] }: Problem, requestId: string) {
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
        <a href="/console">To the overview</a>
      </p>
      <p class="small grey">
        Request <code>{requestId}</code>
      </p>
    </>
  );
}
