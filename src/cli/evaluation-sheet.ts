import type { Evaluation } from '../application/evaluation.js';
import { price, shortId } from './format.js';
import { type Column, oneLine, table } from './table.js';
import { asCalled, paint, type Terminal } from './terminal.js';

/** Null: the store did not take it. */
type KeptOrNot = Evaluation & { readonly id: string | null };

interface Row {
  readonly title: string;
  readonly cells: readonly string[];
}

/** What one or two versions did on a truth set, side by side: the yield curve, wrong records, where the rest landed. */
export function evaluationSheet(
  terminal: Terminal,
  evaluations: readonly KeptOrNot[],
  about: { readonly tenant: string; readonly provider: string },
): string {
  const [first] = evaluations;
  if (first === undefined) return '';
  const { id } = first.label;
  const head = `${first.documents} documents under spec "${id}" as tenant ${about.tenant}, model from ${about.provider}\n`;
  const columns: readonly Column<Row>[] = [
    { title: '', cell: ({ title }) => title },
    ...evaluations.map(({ label }, index): Column<Row> => {
      const isCurrent = index === evaluations.length - 1;
      return {
        title: `PROMPT ${label.promptVersion}, SCHEMA ${label.schemaVersion}${isCurrent ? ' (current)' : ''}`,
        cell: ({ cells }) => cells[index] ?? '',
      };
    }),
  ];
  return `${head}\n${table(columns, rowsOf(evaluations))}${wrongLines(terminal, evaluations)}`;
}

function rowsOf(evaluations: readonly KeptOrNot[]): readonly Row[] {
  const row = (title: string, cell: (evaluation: KeptOrNot) => string): Row => ({
    title,
    cells: evaluations.map(cell),
  });
  const attempts = Math.max(...evaluations.map(({ curve }) => curve.length));
  return [
    ...Array.from({ length: attempts }, (_, index) =>
      row(`verified after ${index + 1} ${index === 0 ? 'attempt' : 'attempts'}`, (each) =>
        point(each, index),
      ),
    ),
    row('  of these wrong', ({ wrong }) => String(wrong.length)),
    row('  of these without a known truth', ({ unjudged }) => String(unjudged)),
    ...endings(evaluations).map(({ title, matches }) =>
      row(title, ({ landed, documents }) => {
        const count = landed.find(matches)?.documents ?? 0;
        return `${count} of ${documents}`;
      }),
    ),
    row('calls', ({ calls }) => String(calls)),
    row('tokens', ({ tokens }) => String(tokens)),
    row('cost', ({ cost }) => cost.map(price).join(', ')),
    row('kept as', ({ id }) => (id === null ? 'not kept' : shortId(id))),
  ];
}

/** A version with a lower cap keeps its last point: what it has verified by then is all it will. */
function point({ curve, documents }: Evaluation, index: number): string {
  const at = curve[Math.min(index, curve.length - 1)];
  if (at === undefined) return '';
  const { verified, share, interval } = at;
  return `${verified} of ${documents}, ${percent(share)} % (${percent(interval.low)} to ${percent(interval.high)})`;
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function endings(evaluations: readonly Evaluation[]) {
  const seen = new Map<string, { readonly reason: string; readonly route: string | null }>();
  for (const { landed } of evaluations) {
    for (const { reason, route } of landed) seen.set(JSON.stringify([reason, route]), { reason, route });
  }
  return [...seen.values()].map(({ reason, route }) => ({
    title: `${reason} -> ${route ?? 'nowhere'}`,
    matches: (landed: { readonly reason: string; readonly route: string | null }) =>
      landed.reason === reason && landed.route === route,
  }));
}

/** Every wrong record by name: it is what this command exists to find. */
function wrongLines(terminal: Terminal, evaluations: readonly Evaluation[]): string {
  return evaluations
    .flatMap(({ label, wrong }) =>
      wrong.map(
        ({ name, extractionId, differs }) =>
          `${paint(terminal, 'red', 'wrong')}  ${oneLine(name)} under prompt ${label.promptVersion} verified, but ${differs.join(', ')} ` +
          `is not what the truth says; see ${asCalled(terminal, `endstop show ${shortId(extractionId)}`)}\n`,
      ),
    )
    .map((line, index) => (index === 0 ? `\n${line}` : line))
    .join('');
}
