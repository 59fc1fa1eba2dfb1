import type { Context } from 'hono';
import type { Application } from '../application/application.js';
import type { RequestFault } from '../application/application-error.js';
import { withDigits } from '../application/check-record.js';
import { checkReview, type ReviewCheck } from '../application/check-review.js';
import { type ReviewSheet, readReviewSheet } from '../application/review-sheet.js';
import type { Attempt, StoredJson } from '../ports/attempt-store.js';
import type { ReviewTask, ReviewVerb } from '../ports/review-store.js';
import { reviewVerbs } from '../ports/review-store.js';
import { canonicalCandidate } from '../spec/canonical-candidate.js';
import type { Spec } from '../spec/spec.js';
import type { DocumentShelf, ShelvedDocument } from './document-shelf.js';
import type { ConsoleEnv } from './environment.js';
import { oneOf } from './query.js';
import { type FormNode, formOf, type Posted, recordOf } from './review-form.js';

/** What a reviewer sent: the form, and what they want done with it. */
export interface SentReview {
  readonly values: StoredJson;
  readonly note: string;
  readonly overrides: readonly string[];
  /** The version of the question that they looked at; null: not said. */
  readonly version: number | null;
  readonly verb: ReviewVerb | null;
}

/** Everything the screen is made of. */
export interface Desk {
  readonly sheet: ReviewSheet;
  readonly task: ReviewTask;
  readonly spec: Spec | null;
  readonly attempts: readonly Attempt[];
  readonly document: ShelvedDocument;
  readonly form: readonly FormNode[];
  /** What the form holds: what was sent, a draft, or the machine's candidate. */
  readonly values: StoredJson;
  readonly note: string;
  readonly overrides: readonly string[];
  /** Where the values came from. */
  readonly from: 'candidate' | 'draft' | 'sent';
  /** The rules over these values; null without a spec, and where the page asks for them later. */
  readonly check: ReviewCheck | null;
  /** What deciding with these values is. */
  readonly stands: 'approve' | 'correct';
  /** Set when the values were made for another version of the question, or the question was settled meanwhile. */
  readonly conflict: Conflict | null;
  readonly faults: readonly RequestFault[];
  readonly failure: string | null;
}

/** What happened while somebody worked: who, when, what, and their values beside the person's own. */
export interface Conflict {
  readonly says: string;
  readonly at: string | null;
  /** True: the question is still open, under a new version, so that one can choose; false: it was settled. */
  readonly isOpen: boolean;
  readonly theirs: StoredJson;
  readonly rows: readonly {
    readonly pointer: string;
    readonly theirs: StoredJson;
    readonly yours: StoredJson;
  }[];
}

/** The form as it came: of several controls of one name all are kept. */
export async function readForm(c: Context<ConsoleEnv>): Promise<Posted> {
  const body = await c.req.parseBody({ all: true });
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      [value].flat().filter((item): item is string => typeof item === 'string'),
    ]),
  );
}

export function readSent(spec: Spec | null, posted: Posted): SentReview {
  const one = (name: string) => [posted[name] ?? []].flat()[0] ?? '';
  const version = Number(one('version'));
  return {
    values: spec === null ? null : recordOf(spec, posted),
    note: one('note').slice(0, 10_000),
    overrides: [posted['o'] ?? []].flat(),
    version: Number.isSafeInteger(version) && version > 0 ? version : null,
    verb: oneOf(one('verb'), reviewVerbs) ?? null,
  };
}

/** Gathers the screen. `sent` is what a person sent and could not be taken as it is. */
export async function openDesk(
  app: Application,
  shelf: DocumentShelf,
  task: ReviewTask,
  actor: string,
  sent:
    | (SentReview & {
        readonly failure?: { readonly detail: string; readonly faults: readonly RequestFault[] };
      })
    | null,
  isFresh = false,
): Promise<Desk> {
  const [sheet, attempts, document] = await Promise.all([
    readReviewSheet(app, task.id, actor),
    app.store.attempts.list(task.key, task.run),
    shelf.take(task.tenant, task.documentHash),
  ]);
  const spec = app.catalogue.find({ ...task, id: task.specId });
  const draft = isFresh ? null : sheet.draft;
  // Where nothing was read the form is empty, and the rules say what it lacks.
  const empty = spec === null ? null : recordOf(spec, {});
  const values = sent?.values ?? draft?.values ?? sheet.candidate ?? empty;
  const from = sent !== null ? 'sent' : draft !== null ? 'draft' : 'candidate';
  const seen = sent?.version ?? draft?.version ?? sheet.version;
  const check =
    spec === null || document.kind === 'gone'
      ? null
      : isLong(document) && sheet.candidate !== null
        ? from === 'candidate'
          ? asLeft(sheet)
          : null
        : await checkReview(app, task.id, values).catch(() => null);
  return {
    sheet,
    task,
    spec,
    attempts,
    document,
    form: spec === null ? [] : formOf(spec, values, attempts),
    values,
    note: sent?.note ?? draft?.note ?? '',
    overrides: sent?.overrides ?? [],
    from,
    check,
    stands:
      spec === null || values === sheet.candidate ? 'approve' : standsFor(spec, values, sheet.candidate).verb,
    conflict: from === 'candidate' || seen === sheet.version ? null : conflictOf(sheet, values),
    faults: sent?.failure?.faults ?? [],
    failure: sent?.failure?.detail ?? null,
  };
}

/** What the rules said when the machine asked them, of the very values that it left. */
function asLeft({ unmet, arithmetic }: ReviewSheet): ReviewCheck {
  const problems = unmet.flatMap(({ pointer, rules }) => rules.map((rule) => ({ ...rule, pointer })));
  return {
    ...{ kind: problems.length === 0 ? 'holds' : 'unmet', unmet: problems, arithmetic },
    overrides: [...new Set(problems.map(({ rule }) => rule))].sort(),
    ...{ contradiction: null, evidence: [], ungrounded: [] },
  };
}

/** Characters beyond which a page does not wait for the rules: they look for every value in all of the text. */
const longText = 400_000;

function isLong({ read }: ShelvedDocument): boolean {
  const pages = read?.kind === 'readable' ? (read.text?.pages ?? []) : [];
  return pages.reduce((sum, page) => sum + page.length, 0) > longText;
}

/** The last thing that changed the question, and what it says against what the person has. */
function conflictOf(sheet: ReviewSheet, yours: StoredJson): Conflict {
  const step = sheet.trail.findLast(({ version }) => version !== null);
  const isOpen = sheet.state === 'open';
  const theirs = isOpen ? sheet.candidate : (step?.decision?.values ?? sheet.candidate);
  const run = step?.run;
  const by = run === null || run === undefined ? '' : ` by run ${run.run}`;
  const says =
    step?.kind === 'decided'
      ? `${step.actor ?? 'Somebody'} decided this review: ${verbWords[step.decision?.verb ?? 'approve']}.`
      : step?.kind === 'withdrawn'
        ? `This review was withdrawn${by === '' ? ': its document was erased' : `: the document was verified${by}`}.`
        : `Another run ended without a verified record${by}, so the question has a new candidate.`;
  return { says, at: step?.at ?? null, isOpen, theirs, rows: differences(theirs, yours) };
}

export const verbWords: Readonly<Record<ReviewVerb, string>> = {
  approve: 'approved',
  correct: 'corrected',
  reject: 'rejected',
  not_in_document: 'not in the document',
  redrive: 'sent back to be run again',
};

function differences(theirs: StoredJson, yours: StoredJson): Conflict['rows'] {
  const [left, right] = [leavesOf(theirs), leavesOf(yours)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .filter((pointer) => left.get(pointer) !== right.get(pointer))
    .map((pointer) => ({
      pointer,
      theirs: left.get(pointer) ?? null,
      yours: right.get(pointer) ?? null,
    }));
}

function leavesOf(value: StoredJson, pointer = ''): Map<string, StoredJson> {
  if (value === null || typeof value !== 'object') return new Map(pointer === '' ? [] : [[pointer, value]]);
  return new Map(
    Object.entries(value).flatMap(([name, inner]) => [
      ...leavesOf(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    ]),
  );
}

/** Agreement when the values are the machine's own, by value; else a correction. */
export function standsFor(
  spec: Spec,
  values: StoredJson,
  offered: StoredJson,
): { readonly verb: 'approve' | 'correct'; readonly values: StoredJson } {
  if (offered === null) return { verb: 'correct', values };
  const canonical = (record: StoredJson) => canonicalCandidate(spec, withDigits(record, '/values'));
  return canonical(values) === canonical(offered)
    ? { verb: 'approve', values: null }
    : { verb: 'correct', values };
}
