import { Heads } from './heads.js';

/** Two rules that no value of a field can meet together, as a table and a sentence. */
export function ContradictionTable({
  rules,
  values,
  shown,
}: {
  readonly rules: readonly [string, string];
  readonly values: readonly [string, string] | null;
  /** A value as people read it. */
  readonly shown: (value: string) => string;
}) {
  if (values === null) return null;
  const [one, other] = rules;
  const [first, second] = values.map(shown);
  return (
    <table class="folds">
      <Heads columns={['Rule', 'wants', 'then breaks']} />
      <tbody>
        <tr>
          <th scope="row" class="mono">
            {one}
          </th>
          <td data-label="wants">{first}</td>
          <td class="mono" data-label="then breaks">
            {other}
          </td>
        </tr>
        <tr>
          <th scope="row" class="mono">
            {other}
          </th>
          <td data-label="wants">{second}</td>
          <td class="mono" data-label="then breaks">
            {one}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
