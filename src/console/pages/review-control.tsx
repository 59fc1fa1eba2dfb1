import type { FormField } from '../review-form.js';

/** Where the field stands on the page, and what accepting it as printed puts in. */
export function place({ pointer, printed }: FormField) {
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

/** The control of one field: a text, a choice, and where the spec knows the difference, whether there is a value at all. */
export function Control({
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
      {field.kind === 'choice' ? (
        <Choices node={node} isCell={isCell} />
      ) : (
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
      )}
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

/** One of a few fixed words; what the machine said stays, even where it is none of them. */
function Choices({ node, isCell }: { readonly node: FormField; readonly isCell: boolean }) {
  const { pointer, field, text, title } = node;
  const words = (field.json as { readonly enum?: readonly string[] }).enum ?? [];
  const options = words.includes(text) ? words : [text, ...words];
  return (
    <select
      id={`c${pointer}`}
      name={`v${pointer}`}
      class="choice"
      {...(isCell ? { 'aria-label': title } : {})}
    >
      {options.map((word) => (
        <option value={word} selected={word === text}>
          {word === '' ? 'choose' : word}
        </option>
      ))}
    </select>
  );
}
