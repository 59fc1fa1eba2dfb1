import type { Child } from 'hono/jsx';
import { SignShape } from '../parts/marks.js';
import type { Desk } from '../review-desk.js';
import type { FormField, FormJson, FormNode } from '../review-form.js';
import { isSought } from '../sought.js';
import { Control, place } from './review-control.js';
import { ListRows } from './review-list.js';
import { RuleLines } from './review-rule-lines.js';
import { hintOf, rulesAt, signOf } from './review-rules.js';
import { isScan } from './review-shown.js';

/** One part of the form: a field, a list, or what has no controls of its own. */
export function FormRow({ node, desk }: { readonly node: FormNode; readonly desk: Desk }) {
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
        <PrintedText node={node} desk={desk} />
      </span>
      <Control node={node} hint={hintOf(node, desk)} rules={rules.length > 0 ? `r${pointer}` : null} />
      <FieldSign node={node} isUnmet={isUnmet} desk={desk} />
      <div class="rules" id={`r${pointer}`} data-rules hidden={rules.length === 0}>
        <RuleLines rules={rules} />
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

function PrintedText({
  node: { pointer, printed, said },
  desk,
}: {
  readonly node: FormField;
  readonly desk: Desk;
}): Child {
  if (printed !== null) return <bdi class="mono">{printed.printed}</bdi>;
  if (said === 'blank') return <span class="small">label printed, nothing in it</span>;
  if (said === 'not_printed') return <span class="small">no label, no value</span>;
  if (isScan(desk)) return <span class="small">compare by eye</span>;
  const wasSought = desk.sheet.candidate !== null && isSought(desk.spec, pointer);
  return <span class="small">{wasSought ? 'not found' : 'not looked for'}</span>;
}

function FieldSign({
  node,
  isUnmet,
  desk,
}: {
  readonly node: FormField;
  readonly isUnmet: boolean;
  readonly desk: Desk;
}) {
  const hasTwo = node.printed?.otherReadings !== undefined;
  const [sign, label] = signOf(desk, { isUnmet, isEmpty: node.said === 'missing', hasTwo });
  return (
    <span class="ok" data-sign>
      <SignShape sign={sign} label={label} />
    </span>
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
