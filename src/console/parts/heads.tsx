/** A column's word. `num`: figures, at the right; `aloud`: its word is not shown; `bars`: a drawing, which needs none. */
export type Column = string | readonly [word: string, kind: 'num' | 'aloud' | 'bars'];

/** The head of a table. */
export function Heads({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [word, kind] = typeof column === 'string' ? [column, null] : column;
          if (kind === 'bars') return <td class="bars" />;
          return (
            <th scope="col" {...(kind === 'num' ? { class: 'num' } : {})}>
              {kind === 'aloud' ? <span class="aloud">{word}</span> : word}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
