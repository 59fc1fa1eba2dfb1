import type { Child } from 'hono/jsx';
import { minorUnitsOf } from '../../verification/currencies.js';
import { get } from '../../verification/pointer.js';
import { counted } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import { Time } from '../parts/time.js';
import type { Desk } from '../review-desk.js';
import type { FormField, FormJson, FormList, FormNode } from '../review-form.js';
import { ConflictStrip } from './review-conflict.js';
import { Decide } from './review-decide.js';
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
    >
      <input type="hidden" name="version" value={String(sheet.version)} />
      <div class="tabs" role="tablist" aria-label="Review" id="tabs">
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
                <Node node={node} desk={desk} />
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
  const { check, from, sheet } = desk;
  const unmet = check?.unmet.length ?? sheet.unmet.length;
  return (
    <>
      <b id="unmet-count" class={unmet === 0 ? 't-ok' : 't-person'}>
        {unmet === 0 ? 'every rule holds' : `${unmet} unmet`}
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
    <div class="stack">
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

function Node({ node, desk }: { readonly node: FormNode; readonly desk: Desk }) {
  switch (node.kind) {
    case 'field':
      return <FieldRow node={node} desk={desk} />;
    case 'list':
      return <ListRows node={node} desk={desk} />;
    case 'json':
      return <JsonRow node={node} />;
  }
}

function FieldRow({ node, desk }: { readonly node: FormField; readonly desk: Desk }) {
  const { pointer, title, printed } = node;
  const rules = rulesAt(desk, pointer);
  const isUnmet = rules.some(({ isBroken }) => isBroken);
  return (
    <div class={isUnmet ? 'f unmet' : 'f'} {...place(node)}>
      <label for={`c${pointer}`}>{title}</label>
      <span class="printed" data-printed>
        <PrintedText node={node} />
      </span>
      <Control node={node} hint={hintOf(node, desk)} rules={rules.length > 0 ? `r${pointer}` : null} />
      <FieldSign node={node} isUnmet={isUnmet} />
      <div class="rules" id={`r${pointer}`} data-rules hidden={rules.length === 0}>
        {rules.map(({ rule, says, isBroken }) => (
          <p data-rule={rule} data-says={says}>
            <SignShape sign={isBroken ? 'broken' : 'holds'} label={isBroken ? 'broken:' : 'holds:'} />{' '}
            <code>{rule}</code> <bdi data-message>{says}</bdi>
          </p>
        ))}
      </div>
      {printed?.otherReadings === undefined ? null : (
        <div class="readings small" data-readings>
          {printed.printed} can also be read as{' '}
          {printed.otherReadings.map((reading) => (
            <button type="button" class="link" data-reading={reading}>
              {reading}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

function PrintedText({ node: { printed, said } }: { readonly node: FormField }): Child {
  if (printed !== null) return <bdi class="mono">{printed.printed}</bdi>;
  if (said === 'blank') return <span class="small">label printed, nothing in it</span>;
  if (said === 'not_printed') return <span class="small">no label, no value</span>;
  return <span class="small">not found</span>;
}

/** Where the field stands on the page, and what accepting it as printed puts in. */
function place({ pointer, printed }: FormField) {
  return {
    'data-pointer': pointer,
    ...(printed === null
      ? {}
      : {
          'data-page': String(printed.page),
          'data-start': String(printed.start),
          'data-end': String(printed.end),
          'data-accept': printed.value,
          ...(printed.otherReadings === undefined ? {} : { 'data-two': 'yes' }),
        }),
  };
}

function Control({
  node,
  hint,
  rules,
  isCell = false,
}: {
  readonly node: FormField;
  readonly hint: string;
  readonly rules: string | null;
  readonly isCell?: boolean;
}) {
  const { pointer, field, said, text, title } = node;
  const isAbsent = said === 'not_printed' || said === 'blank';
  const isNumber = ['money', 'decimal', 'percent', 'count'].includes(field.kind);
  return (
    <span class={isNumber ? 'control number' : 'control'} data-said={said}>
      <input
        id={`c${pointer}`}
        name={`v${pointer}`}
        value={text}
        dir="auto"
        {...(isNumber ? { inputmode: 'decimal' as const } : {})}
        {...(isCell ? { 'aria-label': title } : {})}
        {...(rules === null ? {} : { 'aria-describedby': rules })}
        readonly={isAbsent}
        placeholder={said === 'blank' ? 'blank' : said === 'not_printed' ? 'not printed' : ''}
      />
      {hint === '' ? null : (
        <span class="hint" aria-hidden="true">
          {hint}
        </span>
      )}
      {field.asPrinted ? (
        <select name={`s${pointer}`} aria-label={`${title}: is there a value?`}>
          <option value="value" selected={!isAbsent}>
            value
          </option>
          <option value="blank" selected={said === 'blank'}>
            blank
          </option>
          <option value="not_printed" selected={said === 'not_printed'}>
            not printed
          </option>
        </select>
      ) : null}
    </span>
  );
}

function FieldSign({ node, isUnmet }: { readonly node: FormField; readonly isUnmet: boolean }) {
  const hasTwo = node.printed?.otherReadings !== undefined;
  const [sign, label] = isUnmet
    ? (['broken', 'a rule is broken'] as const)
    : hasTwo
      ? (['warning', 'can be read in two ways'] as const)
      : (['holds', 'no rule objects'] as const);
  return (
    <span class="ok" data-sign>
      <SignShape sign={sign} label={label} />
    </span>
  );
}

function ListRows({ node, desk }: { readonly node: FormList; readonly desk: Desk }) {
  const { pointer, title, columns, rows } = node;
  const rules = rulesAt(desk, pointer);
  const isUnmet = rules.some(({ isBroken }) => isBroken);
  return (
    <div class={isUnmet ? 'list unmet' : 'list'} data-list={pointer}>
      <table>
        <caption>
          <span data-count>{counted(rows.length, 'row')}</span> of {title.toLowerCase()}
        </caption>
        <thead>
          <tr>
            <th scope="col">No.</th>
            {columns.map(({ field }) => (
              <th scope="col" class={field.kind === 'money' || field.kind === 'decimal' ? 'num' : ''}>
                {field.title}
              </th>
            ))}
            <th scope="col">
              <span class="aloud">Rules</span>
            </th>
            <th scope="col">
              <span class="aloud">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ cells }, index) => (
            <ListRow cells={cells} index={index} desk={desk} />
          ))}
        </tbody>
      </table>
      <template data-row>
        <ListRow
          cells={columns.map(({ name, field }) => ({
            kind: 'field',
            pointer: `${pointer}/NEW/${name}`,
            title: `${field.title}, new row`,
            field,
            said: 'missing',
            text: '',
            printed: null,
          }))}
          index={null}
          desk={desk}
        />
      </template>
      <div class="rules" data-rules hidden={rules.length === 0}>
        {rules.map(({ rule, says, isBroken }) => (
          <p data-rule={rule} data-says={says}>
            <SignShape sign={isBroken ? 'broken' : 'holds'} label={isBroken ? 'broken:' : 'holds:'} />{' '}
            <code>{rule}</code> <bdi data-message>{says}</bdi>
          </p>
        ))}
      </div>
      <button type="button" class="link small" data-add>
        Add a row
      </button>
    </div>
  );
}

function ListRow({
  cells,
  index,
  desk,
}: {
  readonly cells: readonly FormField[];
  readonly index: number | null;
  readonly desk: Desk;
}) {
  const isUnmet = cells.some(({ pointer }) => rulesAt(desk, pointer).some(({ isBroken }) => isBroken));
  const number = index === null ? '' : String(index + 1);
  return (
    <tr class={isUnmet ? 'row unmet' : 'row'}>
      <td class="grey small" data-number>
        {number}
      </td>
      {cells.map((cell) => (
        <td class="f cell" {...place(cell)}>
          <Control node={cell} hint="" rules={null} isCell />
          {cell.printed === null || cell.printed.printed === cell.text ? null : (
            <span class="printed small" data-printed>
              <bdi class="mono">{cell.printed.printed}</bdi>
            </span>
          )}
        </td>
      ))}
      <td class="ok" data-sign>
        <SignShape
          sign={isUnmet ? 'broken' : 'holds'}
          label={isUnmet ? 'a rule is broken' : 'no rule objects'}
        />
      </td>
      <td class="ok">
        <button type="button" class="link small" data-remove aria-label={`Remove row ${number}`}>
          ×
        </button>
      </td>
    </tr>
  );
}

function JsonRow({ node: { pointer, title, text } }: { readonly node: FormJson }) {
  return (
    <div class="f wide" data-pointer={pointer}>
      <label for={`c${pointer}`}>{title}</label>
      <textarea
        id={`c${pointer}`}
        name={`j${pointer}`}
        rows={Math.min(12, text.split('\n').length)}
        class="mono"
      >
        {text}
      </textarea>
      <span class="ok" data-sign />
      <div class="rules" data-rules hidden />
    </div>
  );
}

/** Rules that were broken when it came here, and those that are now: the first stay in sight when they hold again. */
function rulesAt({ sheet, check }: Desk, pointer: string) {
  const first = sheet.unmet.find((field) => field.pointer === pointer)?.rules ?? [];
  const now = (check?.unmet ?? []).filter((problem) => problem.pointer === pointer);
  const added = now.filter(({ rule }) => !first.some((known) => known.rule === rule));
  return [...first, ...added].map(({ rule, message }) => {
    const broken = check === null ? true : now.some((problem) => problem.rule === rule);
    return { rule, says: now.find((problem) => problem.rule === rule)?.message ?? message, isBroken: broken };
  });
}

function hintOf({ field, printed, pointer }: FormField, { values }: Desk): string {
  if (printed?.otherReadings !== undefined) return field.kind === 'date' ? 'day first?' : 'two readings';
  if (field.kind !== 'currency') return '';
  const units = minorUnitsOf(get(values, pointer));
  return units === null ? '' : counted(units, 'decimal');
}
