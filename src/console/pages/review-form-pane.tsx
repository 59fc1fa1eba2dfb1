import { Time } from '../parts/time.js';
import type { Desk } from '../review-desk.js';
import { ConflictStrip } from './review-conflict.js';
import { Decide } from './review-decide.js';
import { FormRow } from './review-fields.js';
import { sayUnmet, unmetBefore } from './review-rules.js';
import type { ReviewShown, Standing } from './review-shown.js';

/** The form beside the document. Controls carry pointers, so that the script finds their place on the page. */
export function FormPane({ shown, standing }: { readonly shown: ReviewShown; readonly standing: Standing }) {
  const { desk } = shown;
  const { sheet, form } = desk;
  const isMine = standing === 'mine';
  return (
    <form
      method="post"
      action={`/console/reviews/${sheet.id}/decision`}
      id="review-form"
      class="pane"
      autocomplete="off"
      novalidate
      {...(desk.check === null
        ? {}
        : {
            'data-check': JSON.stringify({
              ...desk.check,
              stands: desk.stands,
              before: unmetBefore(desk),
            }),
          })}
    >
      <input type="hidden" name="version" value={String(sheet.version)} />
      <div class="tabs">
        <div class="tab-list" role="tablist" aria-label="Review">
          <button type="button" role="tab" id="tab-fields" aria-controls="fields" aria-selected="true">
            Fields
          </button>
          <button
            type="button"
            role="tab"
            id="tab-attempts"
            aria-controls="attempts"
            aria-selected="false"
            tabindex={-1}
          >
            Attempts {desk.attempts.length}
          </button>
          <button
            type="button"
            role="tab"
            id="tab-history"
            aria-controls="history"
            aria-selected="false"
            tabindex={-1}
          >
            History
          </button>
        </div>
        <span class="state small" id="form-state" role="status">
          <FormState desk={desk} />
        </span>
      </div>
      <div class="over" id="notices">
        <Notices desk={desk} />
      </div>
      <div class="fields" id="fields" role="tabpanel" aria-labelledby="tab-fields">
        {form.length === 0 ? (
          <Unknown desk={desk} />
        ) : (
          <>
            <div class="f head-row" aria-hidden="true">
              <span>Field</span>
              <span>As printed</span>
              <span>Value</span>
              <span />
            </div>
            <fieldset disabled={!isMine} id="controls">
              <legend class="aloud">Values</legend>
              {form.map((node) => (
                <FormRow node={node} desk={desk} />
              ))}
            </fieldset>
          </>
        )}
      </div>
      <Decide shown={shown} standing={standing} />
    </form>
  );
}

function FormState({ desk }: { readonly desk: Desk }) {
  const { from, sheet } = desk;
  const { words, isMet } = sayUnmet(desk);
  return (
    <>
      <b id="unmet-count" class={isMet ? 't-ok' : 't-person'}>
        {words}
      </b>
      <span id="draft-state">
        {from === 'draft' && sheet.draft !== null ? (
          <>
            ; your draft of <Time at={sheet.draft.at} form="clock" />.{' '}
            <a href={`/console/reviews/${sheet.id}?fresh`}>Start over</a>
          </>
        ) : null}
      </span>
    </>
  );
}

function Notices({ desk }: { readonly desk: Desk }) {
  const { failure, faults, conflict } = desk;
  return (
    <>
      {conflict === null ? null : <ConflictStrip conflict={conflict} desk={desk} />}
      {failure === null || conflict !== null ? null : (
        <div class="note bad" role="alert">
          <b>{failure}</b>
          {faults.length > 1 ? (
            <ul>
              {faults.map(({ pointer, detail }) => (
                <li>
                  <code>{pointer.replace(/^\/values/, '')}</code> {detail}
                </li>
              ))}
            </ul>
          ) : null}
          <p class="small second">Nothing was decided, and what you typed is still here.</p>
        </div>
      )}
    </>
  );
}

function Unknown({ desk }: { readonly desk: Desk }) {
  const { task, values } = desk;
  return (
    <div class="stack unknown">
      <p class="empty">
        Spec {task.specId} in schema version {task.schemaVersion} is not known to this server, so its rules
        cannot be run. Start it with a spec file that exports this version, or decide without values.
      </p>
      <pre class="snippet" tabindex={0}>
        {JSON.stringify(values, null, 2)}
      </pre>
    </div>
  );
}
