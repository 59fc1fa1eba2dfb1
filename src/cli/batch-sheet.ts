import type { BatchDocumentView, BatchView } from '../application/views/batch-view.js';
import type { BatchPart } from '../domain/batch.js';
import { personColumn, type Settled } from './extraction-table.js';
import { minute, shortId } from './format.js';
import { type Column, facts, oneLine, table } from './table.js';
import { type Colour, paint, type Terminal } from './terminal.js';

const colours: Record<BatchView['state'], Colour> = {
  collecting: 'dim',
  running: 'dim',
  stopping: 'yellow',
  finished: 'green',
  cancelled: 'yellow',
  stopped: 'red',
};

/** How a batch fares, or what it came to. Lines that count nothing are left out where the rest says the same. */
export function batchSheet(terminal: Terminal, batch: BatchView, engineUrl: string | null): string {
  const some = (count: number) => (count === 0 ? null : String(count));
  const reasons = Object.entries(batch.unverifiedBy).sort(([, left], [, right]) => right - left);
  const { budgetTokens, tokens, projectedTokens, runs } = batch;
  return facts([
    ['batch', batch.id],
    ['name', batch.name === null ? null : oneLine(batch.name)],
    ['state', paint(terminal, colours[batch.state], batch.state)],
    ['spec', `${batch.spec} (schema ${batch.schemaVersion}, prompt ${batch.promptVersion})`],
    ['tenant', batch.tenant],
    ['documents', String(batch.documents)],
    ['verified', String(batch.verified)],
    ['unverified', String(batch.unverified)],
    ...reasons.map(([reason, count]) => [`  ${reason}`, String(count)] as const),
    ['refused', some(batch.refused)],
    ['waiting', some(batch.waiting)],
    ['under way', some(batch.underWay)],
    ['known before', some(runs.known)],
    ['run elsewhere', some(runs.followed)],
    ['same bytes', some(runs.repeated)],
    [
      'tokens',
      budgetTokens === null ? String(tokens) : `${tokens} of ${budgetTokens}${share(tokens, budgetTokens)}`,
    ],
    ['projected', projectedTokens === null ? null : String(projectedTokens)],
    ['attempt cap', batch.attemptCap === 0 ? 'the budget is gone' : String(batch.attemptCap)],
    ['began', minute(batch.beganAt)],
    ['deadline', minute(batch.deadlineAt)],
    ['ended', minute(batch.endedAt)],
    ['engine', engineUrl],
  ]);
}

function share(part: number, whole: number): string {
  return ` (${((100 * part) / whole).toFixed(1)} %)`;
}

/** What the counts do not say by themselves; one sentence a line. */
export function batchRemarks(batch: BatchView): readonly string[] {
  const { id, state, refused, unverifiedBy, waiting } = batch;
  const remarks: string[] = [];
  if (state === 'collecting') {
    remarks.push(
      'Its documents are still being handed in; if that was interrupted, run the same command again.',
    );
  }
  if (state === 'running' || state === 'stopping')
    remarks.push(`It goes on by itself: endstop batch show ${id}`);
  if (state === 'stopped')
    remarks.push(
      `Its workflow is gone. It gets another within a minute, or at once: endstop batch --resume ${id}`,
    );
  if (state === 'cancelled' && waiting > 0) {
    remarks.push(`${waiting} were never begun; endstop batch --resume ${id} goes on with them.`);
  }
  if ((unverifiedBy.batch_budget ?? 0) > 0) {
    remarks.push(
      `${unverifiedBy.batch_budget} came after the end of the budget; endstop redrive --reason batch_budget runs them.`,
    );
  }
  if (refused > 0) remarks.push(`${refused} could not be run: the logs of the workers say why.`);
  return remarks;
}

export function batchTable(terminal: Terminal, rows: readonly BatchView[]): string {
  const columns: readonly Column<BatchView>[] = [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'NAME', most: 30, cell: ({ name }) => name ?? '' },
    { title: 'SPEC', cell: ({ spec }) => spec },
    {
      title: 'STATE',
      cell: ({ state }) => state,
      paint: ({ state }, text) => paint(terminal, colours[state], text),
    },
    { title: 'DOCUMENTS', align: 'right', cell: ({ documents }) => String(documents) },
    { title: 'VERIFIED', align: 'right', cell: ({ verified }) => String(verified) },
    { title: 'UNVERIFIED', align: 'right', cell: ({ unverified }) => String(unverified) },
    { title: 'LEFT', align: 'right', cell: ({ waiting, underWay }) => String(waiting + underWay) },
    { title: 'TOKENS', align: 'right', cell: ({ tokens }) => String(tokens) },
    { title: 'CREATED', cell: ({ createdAt }) => minute(createdAt) },
  ];
  return table(columns, rows);
}

/** How a document came by its run, in the words of the sheet. */
const partSays: Readonly<Record<BatchPart, string>> = {
  own: 'its own',
  known: 'known before',
  followed: 'run elsewhere',
  repeated: 'same bytes',
  refused: 'none',
};

export function batchDocumentTable(
  terminal: Terminal,
  rows: readonly (BatchDocumentView & Settled)[],
): string {
  const columns: readonly Column<BatchDocumentView & Settled>[] = [
    {
      title: 'DOCUMENT',
      most: 50,
      cell: ({ item, fileName }) => (/^\d+$/.test(item) ? (fileName ?? item) : item),
    },
    { title: 'ID', cell: ({ id }) => shortId(id) },
    {
      title: 'OUTCOME',
      cell: ({ outcomeKind, state, part }) => (part === 'refused' ? 'refused' : (outcomeKind ?? state)),
      paint: ({ outcomeKind }, text) =>
        paint(terminal, outcomeKind === null ? 'dim' : outcomeKind === 'verified' ? 'green' : 'yellow', text),
    },
    { title: 'WHY', cell: ({ reason }) => reason ?? '' },
    ...personColumn(terminal, rows),
    { title: 'RUN', cell: ({ part }) => (part === null ? '' : partSays[part]) },
    { title: 'ATTEMPTS', align: 'right', cell: ({ attempts }) => String(attempts) },
    { title: 'TOKENS', align: 'right', cell: ({ tokens }) => String(tokens) },
  ];
  return table(columns, rows);
}
