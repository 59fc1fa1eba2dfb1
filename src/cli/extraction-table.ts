import type { ExtractionSummary, ExtractionView } from '../application/views/extraction-view.js';
import type { ReviewStepView } from '../application/views/review-view.js';
import { type LastCall, whatToDo } from '../application/views/what-to-do.js';
import { type Reason, reasonSays } from '../domain/reason.js';
import type { LetterState } from '../ports/dead-letter-store.js';
import type { PersonStatus } from '../ports/record-store.js';
import type { Problem } from '../verification/problem.js';
import {
  counted,
  diagnosisText,
  duration,
  minute,
  modelText,
  outcomeColour,
  outcomeWord,
  price,
  problemLine,
  shortId,
  why,
} from './format.js';
import { type Column, facts, oneLine, table } from './table.js';
import { asCalled, paint, type Terminal } from './terminal.js';

/** What a person made of a document; left out where it was not looked for. */
export interface Settled {
  readonly humanStatus?: PersonStatus | null;
}

/** What became of a run after it ended. */
export interface Since {
  /** What a person made of it, from the trail of its review. */
  readonly decision?: ReviewStepView | null;
  /** Its dead letter's; null: it has none. */
  readonly letter?: LetterState | null;
  /** Its last call, where what to do depends on it. */
  readonly lastCall?: LastCall | null;
}

type ListedRun = ExtractionSummary & Settled;

/** Runs as a table, one line each. */
export function extractionTable(terminal: Terminal, rows: readonly ListedRun[]): string {
  const columns: readonly Column<ListedRun>[] = [
    { title: 'ID', cell: (row) => shortId(row.id) },
    { title: 'RUN', align: 'right', cell: (row) => String(row.run), spare: true },
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
    { title: 'ATTEMPTS', align: 'right', cell: (row) => String(row.attempts), spare: true },
    { title: 'CALLS', align: 'right', cell: (row) => String(row.calls), spare: true },
    { title: 'TOKENS', align: 'right', cell: (row) => String(row.tokens), spare: true },
    { title: 'TIME', align: 'right', cell: (row) => duration(row.durationMs), spare: true },
    { title: 'MODEL', cell: (row) => row.provider ?? '-', spare: true },
  ];
  return table(columns, rows, terminal.columns);
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
 * One run with all that a person asks first: how it ended, why, what it cost, and where to look further. `since`: what
 * became of it afterwards, where that was looked for.
 */
export function extractionSheet(
  terminal: Terminal,
  view: ExtractionView,
  { decision = null, letter = null, lastCall = null }: Since = {},
): string {
  const { outcome } = view;
  const unverified = outcome?.kind === 'unverified' ? outcome : null;
  const verified = outcome?.kind === 'verified' ? outcome : null;
  const settled = view.humanRecord?.verificationStatus ?? null;
  const word =
    settled === null
      ? paint(terminal, outcomeColour(view), outcomeWord(view))
      : `${paint(terminal, settled === 'human_verified' ? 'green' : 'yellow', settled)} (run ${view.run}: ${outcomeWord(view)})`;
  const isOver = settled !== null || (letter !== null && letter !== 'parked');
  const todo = whatToDo(view, { lastCall, diagnosis: unverified?.diagnosis ?? null });
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
        `${counted(view.attempts, 'attempt')}, ${counted(view.calls, 'call')}, ${view.tokens} tokens, ${costText(view)}`,
      ],
      ['started', minute(view.startedAt)],
      [
        'time',
        view.durationMs === null
          ? `running, until ${minute(view.deadlineAt)} at most`
          : duration(view.durationMs),
      ],
      ['erased', minute(view.erasedAt)],
      ['settled', view.humanRecord === null ? null : settledText(view.humanRecord, decision)],
      ['record', settled === 'human_verified' ? pretty(view.humanRecord?.record) : null],
      ['reason', unverified === null ? null : `${why(view)}: ${reasonSays[unverified.reason]}`],
      ['diagnosis', unverified?.diagnosis ? diagnosisText(unverified.diagnosis) : null],
      ['unmet', unverified === null ? null : problemLines(unverified.unmet)],
      ['to do', isOver ? null : todo === null ? null : asCalled(terminal, todo)],
      ['stand-in', unverified === null ? null : standInText(view)],
      ['went to', unverified === null ? null : wentTo(unverified.route, letter)],
      ['next', isOver || todo !== null ? null : nextText(terminal, view)],
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
function standInText({ provider, reason, outcome }: ExtractionView): string | null {
  if (provider !== 'stand-in' || !couldBeReading.includes(reason)) return null;
  if (outcome?.kind !== 'unverified' || !outcome.unmet.some(isUnread)) return null;
  return (
    'It reads lines such as "Label: value", and tables whose headings stand in one line above their rows; a real model ' +
    'may read more.'
  );
}

/** Whether a field came back without a value. */
function isUnread({ rule, found }: Pick<Problem, 'rule' | 'found'>): boolean {
  return (
    ['schema/missing', 'schema/empty-list'].includes(rule) ||
    (rule.startsWith('schema/') && (found?.trim() === '' || found === 'null'))
  );
}

/** Whose work it is now; null when nobody has to do anything. */
function nextText(terminal: Terminal, { id, outcome }: ExtractionView): string | null {
  if (outcome?.kind !== 'unverified') return null;
  switch (outcome.route) {
    case 'human_review':
      return asCalled(terminal, `endstop review show ${shortId(id)}`);
    case 'dead_letter':
      return asCalled(terminal, `endstop redrive ${shortId(id)}, once its cause is mended`);
    default:
      return null;
  }
}

/** A letter that was run again is nobody's to do any more. */
function wentTo(route: string | null, letter: LetterState | null): string {
  if (route === 'dead_letter' && letter !== null && letter !== 'parked') return `${route} (${letter} since)`;
  return route ?? 'nowhere';
}

/** The stand-in asks for no money. */
function costText({ provider, cost }: ExtractionSummary): string {
  return provider === 'stand-in' ? `would cost ${price(cost)} (stand-in)` : price(cost);
}

function problemLines(problems: readonly Problem[]): string | null {
  return problems.length === 0 ? null : problems.map(problemLine).join('\n');
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
  return `${verificationStatus} ${who} on ${minute(step?.at ?? at)}${overriding}${note}`;
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
