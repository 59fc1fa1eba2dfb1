import { Heads } from './heads.js';

/** Two rules that no value of a field can meet together, as a table and a sentence. */
export function ContradictionTable({
  rules,
  values,
}: {
  readonly rules: readonly [string, string];
  readonly values: readonly [string, string] | null;
}) {
  if (values === null) return null;
  const [one, other] = rules;
  const [first, second] = values;
  return (
    <table>
      <Heads columns={['Rule', 'wants', 'then breaks']} />
      <tbody>
        <tr>
          <th scope="row" class="mono">
            {one}
          </th>
          <td>{first}</td>
          <td class="mono">{other}</td>
        </tr>
        <tr>
          <th scope="row" class="mono">
            {other}
          </th>
          <td>{second}</td>
          <td class="mono">{one}</td>
        </tr>
      </tbody>
    </table>
  );
}
