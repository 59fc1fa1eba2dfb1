import type { Arithmetic } from '../application/review-arithmetic.js';
import type { FieldReading } from '../application/review-fields.js';
import type { ReviewSheet, UnmetField } from '../application/review-sheet.js';
import type { ReviewStepView, RunView } from '../application/views/review-view.js';
import type { StoredJson } from '../ports/attempt-store.js';
import { pretty } from './extraction-table.js';
import { diagnosisText, minute, price, problemLine, shortId } from './format.js';
import { facts, oneLine, table } from './table.js';
import { paint, type Terminal } from './terminal.js';

/** One review with what a person needs to decide it: why it is here first, then the fields, then how it came about. */
export function reviewSheet(terminal: Terminal, sheet: ReviewSheet): string {
  const title = paint(terminal, 'bold', oneLine(sheet.fileName ?? sheet.documentHash.slice(0, 12)));
  const { draft, withdrawn } = sheet;
  const parts = [
    facts([
      ['why', sheet.why],
      ['withdrawn', withdrawn === null ? null : withdrawnText(withdrawn)],
      ['diagnosis', sheet.diagnosis === null ? null : diagnosisText(sheet.diagnosis)],
      ['unmet', sheet.unmet.length === 0 ? null : sheet.unmet.map(unmetText).join('\n')],
      ['sums', arithmeticLines(sheet.arithmetic)],
    ]),
    fieldTable(terminal, sheet),
    changeTable(sheet),
    facts([
      ['draft', draft === null ? null : `yours of ${minute(draft.at)}, for version ${draft.version}`],
      ['candidate', sheet.candidate === null ? 'none was read' : pretty(sheet.candidate)],
      ['review', `${sheet.id}, version ${sheet.version}`],
      ['extraction', `${sheet.extractionId}, run ${sheet.run}`],
      ['spec', sheet.spec],
      ['tenant', sheet.tenant],
      ['amount', sheet.amount === null ? null : price(sheet.amount)],
      [
        'held by',
        sheet.holder === null ? null : `${oneLine(sheet.holder)} until ${minute(sheet.leaseExpiresAt)}`,
      ],
      [
        'due',
        sheet.dueAt === null
          ? null
          : sheet.overdue
            ? `${minute(sheet.dueAt)} (overdue)`
            : minute(sheet.dueAt),
      ],
      ['trail', sheet.trail.length === 0 ? null : sheet.trail.map(stepLine).join('\n')],
    ]),
  ];
  return `${title}  ${sheet.verdict ?? sheet.state}\n${parts.filter((part) => part !== '').join('\n')}`;
}

/** What each computing rule works out, beside what the field holds; null when no rule computes. */
export function arithmeticLines(arithmetic: readonly Arithmetic[]): string | null {
  if (arithmetic.length === 0) return null;
  return arithmetic
    .map(({ rule, pointer, computed, holds }) => {
      const held = holds === null ? 'nothing' : oneLine(holds);
      return `${rule}: ${pointer} should be ${oneLine(computed)} and is ${held}`;
    })
    .join('\n');
}

function unmetText({ pointer, title, rules }: UnmetField): string {
  const lines = rules.map((rule) => `  ${problemLine({ ...rule, pointer })}`);
  return [title ?? (pointer === '' ? 'the whole record' : pointer), ...lines].join('\n');
}

function fieldTable(terminal: Terminal, { fields, unmet }: ReviewSheet): string {
  return table<FieldReading>(
    [
      { title: 'FIELD', most: 40, cell: ({ title, pointer }) => title ?? pointer },
      {
        title: 'VALUE',
        most: 40,
        cell: valueText,
        paint: (row, text) => (row.unmet.length === 0 ? text : paint(terminal, 'yellow', text)),
      },
      { title: 'PRINTED', most: 40, cell: (row) => printedText(row, unmet) },
      { title: 'UNMET', most: 60, cell: ({ unmet }) => unmet.join(', ') },
    ],
    fields,
  );
}

/** Only a value is shown as one: what is not there is said in brackets. */
function valueText({ state, value }: FieldReading): string {
  return state === 'value' ? shown(value) : `(${state.replace('_', ' ')})`;
}

function printedText({ pointer, evidence, ungrounded }: FieldReading, unmet: readonly UnmetField[]): string {
  const [found, ...more] = evidence;
  if (found === undefined) return ungrounded ? '(no text to look in)' : printedInstead(pointer, unmet);
  const also = more.length === 0 ? '' : `, and ${more.length} more`;
  const readings = found.otherReadings === undefined ? '' : `, or ${found.otherReadings.join(' or ')}`;
  return `"${found.printed}" p. ${found.page}${readings}${also}`;
}

/** What stands at the field's label where the value itself stands nowhere; '' when nothing does. */
function printedInstead(pointer: string, unmet: readonly UnmetField[]): string {
  const rules = unmet.find((field) => field.pointer === pointer)?.rules ?? [];
  const value = rules.find(({ rule }) => rule.startsWith('printed/'))?.expected ?? null;
  return value === null || value === 'not_printed' || value === 'blank' ? '' : `${value}, and not this`;
}

/** One column for each attempt that had a candidate; a dash where it had no such field. */
function changeTable({ changes, attempts }: ReviewSheet): string {
  const columns = attempts.filter(({ hasCandidate }) => hasCandidate);
  return table(
    [
      { title: 'CHANGED', most: 40, cell: ({ title, pointer }) => title ?? pointer },
      ...columns.map(({ attempt }) => ({
        title: `ATTEMPT ${attempt}`,
        most: 30,
        cell: ({ values }: ReviewSheet['changes'][number]) => {
          const held = values.find((value) => value.attempt === attempt);
          return held === undefined ? '-' : shown(held.value);
        },
      })),
    ],
    changes,
  );
}

function shown(value: StoredJson): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withdrawnText({ by, from }: NonNullable<ReviewSheet['withdrawn']>): string {
  const held = from === null ? '' : `, while ${oneLine(from)} held it`;
  return `${runText(by)} verified the document${held}; nothing is left to decide`;
}

function stepLine(step: ReviewStepView): string {
  const { decision, run, holder, note, leaseExpiresAt } = step;
  const words = [
    minute(step.at),
    step.actor === null ? step.kind : `${oneLine(step.actor)} ${step.kind}`,
    ...(decision === null ? [] : [decision.verb]),
    ...(decision?.carriedOut === false ? ['(not carried out)'] : []),
    ...(decision === null || decision.overrides.length === 0
      ? []
      : [`overriding ${decision.overrides.join(', ')}`]),
    ...(holder === null ? [] : [`from ${oneLine(holder)}`]),
    ...(run === null ? [] : [`by ${runText(run)}`]),
    ...(leaseExpiresAt === null ? [] : [`until ${minute(leaseExpiresAt)}`]),
  ];
  return `${words.join(' ')}${note === null ? '' : `: ${oneLine(note)}`}`;
}

function runText({ extractionId, run }: RunView): string {
  return `run ${run} of ${shortId(extractionId)}`;
}
