import { counted } from '../parts/format.js';
import { SignShape } from '../parts/marks.js';
import type { Desk } from '../review-desk.js';
import type { FormField, FormList } from '../review-form.js';
import { Control, place } from './review-control.js';
import { RuleLines } from './review-rule-lines.js';
import { rulesAt, signOf } from './review-rules.js';

/** The rows of a list with a column for each field, a way to add one, and the rules about the list itself. */
export function ListRows({ node, desk }: { readonly node: FormList; readonly desk: Desk }) {
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
        <RuleLines rules={rules} />
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
  const isEmpty = cells.every(({ said }) => said === 'missing');
  const [sign, label] = signOf(desk, { isUnmet, isEmpty });
  const number = index === null ? '' : String(index + 1);
  return (
    <tr class={isUnmet ? 'row unmet' : 'row'}>
      <td class="grey small" data-number>
        {number}
      </td>
      {cells.map((cell) => (
        <td class={cell.field.kind === 'text' ? 'f cell words' : 'f cell'} {...place(cell)}>
          <Control node={cell} hint="" rules={null} isCell />
          {cell.printed === null || cell.printed.printed === cell.text ? null : (
            <span class="printed small" data-printed>
              <bdi class="mono">{cell.printed.printed}</bdi>
            </span>
          )}
        </td>
      ))}
      <td class="ok" data-sign>
        <SignShape sign={sign} label={label} />
      </td>
      <td class="ok">
        <button type="button" class="link small" data-remove aria-label={`Remove row ${number}`}>
          ×
        </button>
      </td>
    </tr>
  );
}
