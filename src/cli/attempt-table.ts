import type { AttemptView } from '../application/views/attempt-view.js';
import { duration, modelText, place } from './format.js';
import { type Column, oneLine, table } from './table.js';
import { paint, type Terminal } from './terminal.js';

/** Attempts as a table, one line each. */
export function attemptTable(terminal: Terminal, attempts: readonly AttemptView[]): string {
  const columns: readonly Column<AttemptView>[] = [
    { title: 'ATTEMPT', align: 'right', cell: ({ attempt }) => String(attempt) },
    { title: 'LANE', cell: ({ lane }) => lane ?? '-' },
    { title: 'MODEL', cell: (attempt) => modelText(attempt) ?? '-' },
    {
      title: 'RESULT',
      cell: resultWord,
      paint: ({ result }, text) => paint(terminal, result === 'accepted' ? 'green' : 'yellow', text),
    },
    { title: 'PROBLEMS', most: 70, cell: ({ problems }) => problems.map(place).join(', ') },
    { title: 'CEILING', align: 'right', cell: ({ maxTokens }) => String(maxTokens ?? '-') },
    { title: 'TOKENS', align: 'right', cell: ({ tokens }) => String(tokens) },
    { title: 'CALLS', align: 'right', cell: ({ calls }) => String(calls.length) },
    { title: 'TIME', align: 'right', cell: ({ durationMs }) => duration(durationMs) },
  ];
  return table(columns, attempts);
}

/** What each repair was told of the failure before it, in full. */
export function feedbackLines(attempts: readonly AttemptView[]): string {
  return attempts
    .flatMap(({ attempt, feedback }) =>
      feedback === null
        ? []
        : [
            `\nAttempt ${attempt} was told:\n`,
            ...feedback.split('\n').map((line) => (line.trim() === '' ? '' : `  ${oneLine(line)}\n`)),
          ],
    )
    .join('');
}

/** The class of a rejected attempt; of one without a reply, what became of its last call. */
function resultWord({ result, failureClass, calls }: AttemptView): string {
  if (result === 'unanswered') return calls.at(-1)?.faultClass ?? 'no reply yet';
  return failureClass ?? result;
}
