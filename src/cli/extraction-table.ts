import type { ExtractionSummary, ExtractionView } from '../application/views/extraction-view.js';
import type { ReviewStepView } from '../application/views/review-view.js';
import { type LastCall, whatToDo } from '../application/views/what-to-do.js';
import type { Reason } from '../domain/reason.js';
import type { PersonStatus } from '../ports/record-store.js';
import {
  counted,
  diagnosisText,
  duration,
  modelText,
  outcomeColour,
  outcomeWord,
  place,
  price,
  shortId,
  why,
} from './format.js';
import { type Column, facts, oneLine, table } from './table.js';
import { paint, type Terminal } from './terminal.js';

/** What a person made of a document; left out where it was not looked for. */
export interface Settled {
  readonly humanStatus?: PersonStatus | null;
}

type ListedRun = ExtractionSummary & Settled;

/** Runs as a table, one line each. */
export function extractionTable(terminal: Terminal, rows: readonly ListedRun[]): string {
  const columns: readonly Column<ListedRun>[] = [
    { title: 'ID', cell: (row) => shortId(row.id) },
    { title: 'DOCUMENT', most: 40, cell: documentName },
    ...tenantColumn(rows),
    { title: 'SPEC', cell: (row) => row.spec },
    {
      title: 'OUTCOME',
      cell: outcomeWord,
      paint: (row, text) => paint(terminal, outcomeColour(row), text),
    },
    { title: 'WHY', cell: why },
    { title: 'WENT TO', cell: (row) => row.route ?? '' },
    ...personColumn(terminal, rows),
    { title: 'ATTEMPTS', align: 'right', cell: (row) => String(row.attempts) },
    { title: 'CALLS', align: 'right', cell: (row) => String(row.calls) },
    { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens) },
    { title: 'TIME', align: 'right', cell: (row) => duration(row.durationMs) },
    { title: 'MODEL', cell: (row) => row.provider ?? 'unknown' },
  ];
  return table(columns, rows);
}

/** What a person made of it since, where anybody did. */
export function personColumn(terminal: Terminal, rows: readonly Settled[]): readonly Column<Settled>[] {
  if (!rows.some(({ humanStatus }) => humanStatus != null)) return [];
  const cell = ({ humanStatus }: Settled) => humanStatus ?? '';
  return [
    {
      title: 'PERSON',
      cell,
      paint: (row, text) => paint(terminal, row.humanStatus === 'human_verified' ? 'green' : 'yellow', text),
    },
  ];
}

/** Whose they are, where that differs. */
function tenantColumn(rows: readonly ExtractionSummary[]): readonly Column<ExtractionSummary>[] {
  const isOfSeveral = new Set(rows.map(({ tenant }) => tenant)).size > 1;
  return isOfSeveral ? [{ title: 'TENANT', cell: ({ tenant }) => tenant }] : [];
}

function documentName({ fileName, documentHash, erasedAt }: ExtractionSummary): string {
  return fileName ?? `${documentHash.slice(0, 12)}${erasedAt === null ? '' : ' (erased)'}`;
}

/**
 * One run with all that a person asks first: how it ended, why, what it cost, and where to look further. `decision`: what
 * a person made of it, from the trail of its review. `lastCall`: where what to do depends on it.
 */
export function extractionSheet(
  terminal: Terminal,
  view: ExtractionView,
  decision: ReviewStepView | null = null,
  lastCall: LastCall | null = null,
): string {
  const { outcome } = view;
  const unverified = outcome?.kind === 'unverified' ? outcome : null;
  const verified = outcome?.kind === 'verified' ? outcome : null;
  const settled = view.humanRecord?.verificationStatus ?? null;
  const word =
    settled === null
      ? paint(terminal, outcomeColour(view), outcomeWord(view))
      : `${paint(terminal, settled === 'human_verified' ? 'green' : 'yellow', settled)} (run ${view.run}: ${outcomeWord(view)})`;
  const head = `${paint(terminal, 'bold', oneLine(view.fileName ?? view.documentHash.slice(0, 12)))}  ${word}\n`;
  return (
    head +
    facts([
      ['id', `${view.id}, run ${view.run}`],
      ['spec', `${view.spec} (schema ${view.schemaVersion}, prompt ${view.promptVersion})`],
      ['document', view.documentHash],
      ['tenant', view.tenant],
      ['tags', view.tags.length === 0 ? null : view.tags.join(', ')],
      ['model', modelText(view) ?? 'unknown: none answered'],
      [
        'spent',
        `${counted(view.attempts, 'attempt')}, ${counted(view.calls, 'call')}, ${view.tokens} tokens, ${price(view.cost)}`,
      ],
      ['started', view.startedAt],
      [
        'time',
        view.durationMs === null ? `running, until ${view.deadlineAt} at most` : duration(view.durationMs),
      ],
      ['erased', view.erasedAt],
      ['settled', view.humanRecord === null ? null : settledText(view.humanRecord, decision)],
      ['record', settled === 'human_verified' ? pretty(view.humanRecord?.record) : null],
      ['reason', unverified === null ? null : why(view)],
      ['diagnosis', unverified?.diagnosis ? diagnosisText(unverified.diagnosis) : null],
      ['unmet', unverified === null ? null : problemLines(unverified.unmet)],
      ['to do', whatToDo(view, lastCall)],
      ['stand-in', unverified === null ? null : standInText(view)],
      ['went to', unverified === null ? null : (unverified.route ?? 'nowhere')],
      ['changed', verified === null ? null : normalisationText(verified.normalisations)],
      [settled === null ? 'record' : 'machine', verified === null ? null : pretty(verified.record)],
      [
        'fallback',
        unverified?.fallback
          ? `${unverified.fallback.template}: ${pretty(unverified.fallback.fields)}`
          : null,
      ],
      ['candidate', unverified === null ? null : bestEffortText(unverified.bestEffort)],
      ['engine', view.engineUrl],
    ])
  );
}

const couldBeReading: readonly (Reason | null)[] = [
  'attempt_cap',
  'no_progress',
  'oscillation',
  'not_repairable',
];

/** Whether another reader may have read it: the stand-in is no model. */
function standInText({ provider, reason }: ExtractionView): string | null {
  if (provider !== 'stand-in' || !couldBeReading.includes(reason)) return null;
  return (
    'It reads lines such as "Label: value", and tables whose headings stand in one line above their rows; a real model ' +
    'may read more.'
  );
}

export function problemLines(
  problems: readonly { rule: string; pointer: string; message: string }[],
): string | null {
  if (problems.length === 0) return null;
  return problems.map((problem) => `${place(problem)}: ${oneLine(problem.message)}`).join('\n');
}

function normalisationText(list: readonly { kind: string; count: number }[]): string | null {
  return list.length === 0 ? null : list.map(({ kind, count }) => `${kind} x ${count}`).join(', ');
}

/** "human_verified by ada on ..., overriding sum: the total is printed like this". */
function settledText(
  { verificationStatus, at }: NonNullable<ExtractionView['humanRecord']>,
  step: ReviewStepView | null,
): string {
  const who = step?.actor == null ? 'by a person' : `by ${oneLine(step.actor)}`;
  const overrides = step?.decision?.overrides ?? [];
  const overriding = overrides.length === 0 ? '' : `, overriding ${overrides.join(', ')}`;
  const note = step?.note == null ? '' : `: ${oneLine(step.note)}`;
  return `${verificationStatus} ${who} on ${step?.at ?? at}${overriding}${note}`;
}

function bestEffortText(candidate: unknown): string {
  return candidate === null ? 'none was read' : `(unverified) ${pretty(candidate)}`;
}

/** JSON escapes control characters by itself, so values cannot move the cursor. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    ' ',
  );
}
