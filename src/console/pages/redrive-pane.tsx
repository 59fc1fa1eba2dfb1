import { Confirm } from '../parts/confirm.js';
import { count, counted, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import { mayAs } from '../visitor.js';
import type { LettersShown } from './letters-shown.js';

/** What running the chosen groups again would come to; then, for whoever may, the button that does it. */
export function RedrivePane({ shown }: { readonly shown: LettersShown }) {
  return (
    <div>
      <section id="redrive" data-live aria-labelledby="h-redrive">
        <div class="title">
          <h2 id="h-redrive">Redrive the selection</h2>
          <span>a new run of each, never a second record</span>
        </div>
        {shown.chosen.length === 0 ? (
          <p class="empty">Nothing is chosen. Tick one or more groups.</p>
        ) : (
          <Dry shown={shown} />
        )}
      </section>
      <Recent shown={shown} />
    </div>
  );
}

function Dry({ shown }: { readonly shown: LettersShown }) {
  const { chosen, dry, prompt, perMinute, specs, tenant, visitor, now } = shown;
  const ids = new Set(chosen.map(({ specId }) => specId));
  const prompts = [
    ...new Set(specs.filter(({ id }) => ids.has(id)).map(({ prompt: { version } }) => version)),
  ].sort();
  const sum = (pick: (run: (typeof dry)[number]) => number) =>
    dry.reduce((total, run) => total + pick(run), 0);
  const selected = sum(({ parked }) => parked);
  const runnable = sum(({ parked, isKnown }) => (isKnown ? parked : 0));
  const mostTokens = sum((run) => run.mostTokens);
  const least = duration((runnable / perMinute) * 60_000);
  const mayRun = mayAs(visitor, 'operate');
  const command = chosen
    .map(
      ({ specId, reason, failureClass, promptVersion }) =>
        `endstop redrive --spec ${specId} --reason ${reason}${failureClass === null ? '' : ` --class ${failureClass}`} --failed-under ${promptVersion}${prompt === null ? '' : ` --with ${prompt}`} --dry-run`,
    )
    .join('\n');
  return (
    <form method="post" action="/console/dead-letters/redrive" class="sheet-form">
      {dry.map(({ name, parked }) => (
        <>
          <input type="hidden" name="g" value={name} />
          <input type="hidden" name="most" value={String(parked)} />
        </>
      ))}
      {Object.entries({ tenant, with: prompt ?? undefined, rate: String(perMinute) }).map(([name, value]) =>
        value === undefined ? null : <input type="hidden" name={name} value={value} />,
      )}
      {/* They belong to the form that only looks: Enter in one of them starts nothing, and what starts is what was shown. */}
      <div class="pair">
        <label class="field">
          With prompt
          <select name="with" form="choose">
            <option value="">as each failed</option>
            {prompts.map((version) => (
              <option value={version} selected={version === prompt}>
                {version}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          Starts a minute, at most
          <input type="number" name="rate" form="choose" min={1} max={6000} value={String(perMinute)} />
        </label>
      </div>
      <pre class="snippet" tabindex={0}>
        {command}
      </pre>
      <table>
        <caption class="small">
          Dry run, <Time at={now} form="clock" />: nothing was started, no call was made
        </caption>
        <tbody>
          <tr>
            <th scope="row">
              <SignShape sign="running" /> would run
            </th>
            <td class="num">
              <b class="big">{count(runnable)}</b>
            </td>
          </tr>
          {selected === runnable ? null : (
            <tr class="off">
              <th scope="row">
                <SignShape sign="unread" /> their spec version is not known to this server, so they stay
                parked
              </th>
              <td class="num">{count(selected - runnable)}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">selected</th>
            <td class="num">{count(selected)}</td>
          </tr>
        </tfoot>
      </table>
      <dl class="bounds two-up">
        <div>
          <dt>Tokens, at most</dt>
          <dd>
            <b>{count(mostTokens)}</b>
          </dd>
        </div>
        <div>
          <dt>Takes at least</dt>
          <dd>
            <b>{least}</b>
          </dd>
        </div>
      </dl>
      <p class="second small">
        What a person decided stands: a new run never overwrites their record. Repairs come out of the spec’s
        budget.
      </p>
      <div class="buttons">
        {mayRun && runnable > 0 ? (
          <Confirm
            id="redrive-chosen"
            word={`Redrive ${count(runnable)}`}
            asks={`Run ${counted(runnable, 'document')} again?`}
            go={{ word: `Start ${counted(runnable, 'run')}` }}
          >
            <p>
              They may use <b>{counted(mostTokens, 'token')}</b> at most, and starting them takes{' '}
              <b>{least}</b> at least, at {count(perMinute)} a minute. No more are run, however many are
              parked by then.
            </p>
          </Confirm>
        ) : (
          <button type="button" aria-disabled="true">
            {runnable === 0 ? 'Nothing would run' : 'Redriving needs a key with the role "operate"'}
          </button>
        )}
        <span class="second small">
          {chosen.length === 1
            ? 'one redrive, which goes on by itself'
            : `${count(chosen.length)} redrives, each of which goes on by itself`}
        </span>
      </div>
    </form>
  );
}

function Recent({ shown }: { readonly shown: LettersShown }) {
  const { redrives, now } = shown;
  if (redrives.length === 0) return null;
  return (
    <section id="redrives" data-live aria-labelledby="h-redrives">
      <div class="title">
        <h2 id="h-redrives">Redrives so far</h2>
        <span>the newest {redrives.length}, as the engine remembers them</span>
      </div>
      <table>
        <Heads columns={['Redrive', 'State', ['Started', 'num'], ['Took', 'num']]} />
        <tbody>
          {redrives.map(({ workflowId, status, startedAt, closedAt }) => {
            const id = workflowId.replace(/^redrive\//, '');
            return (
              <tr>
                <td>
                  <a class="mono" href={`/console/redrives/${id}`}>
                    {id}
                  </a>
                </td>
                <td class="second">{status.toLowerCase().replaceAll('_', ' ')}</td>
                <td class="num">
                  <Time at={startedAt} />
                </td>
                <td class="num">{duration((closedAt ?? now) - startedAt)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
