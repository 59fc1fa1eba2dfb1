import type { Context, Hono } from 'hono';
import type { Application } from '../../application/application.js';
import { ApplicationError, type RequestFault } from '../../application/application-error.js';
import { checkReview } from '../../application/check-review.js';
import { claimNextReview, extendReview, findReviewNow } from '../../application/claim-review.js';
import { decideReview } from '../../application/decide-review.js';
import { saveDraft } from '../../application/review-draft.js';
import { listReviews } from '../../application/review-queue.js';
import { offeredCandidate, specOf } from '../../application/review-sheet.js';
import { summariseReview } from '../../application/views/review-view.js';
import { HttpProblem, problemOf } from '../../http/problem.js';
import type { NextClaim, ReviewTask, ReviewVerb } from '../../ports/review-store.js';
import { assertMay } from '../access.js';
import { createShelf, pageImage } from '../document-shelf.js';
import type { ConsoleDeps, ConsoleEnv } from '../environment.js';
import { answerTo } from '../own-decision.js';
import { reviewPage } from '../pages/review.js';
import type { Pages } from '../render.js';
import { openDesk, readForm, readSent, type SentReview, standsFor } from '../review-desk.js';
import { knownTo, nextReview } from '../review-next.js';

/** The screen on which one review is decided, and what its script asks for meanwhile. */
export function reviewDeskRoutes(site: Hono<ConsoleEnv>, deps: ConsoleDeps, pages: Pages): void {
  const shelf = createShelf(deps.app, deps.pages);
  const taskOf = (c: Context<ConsoleEnv>) => findReviewNow(c.get('app'), c.req.param('id') ?? '');
  const shelved = async (c: Context<ConsoleEnv>) => {
    const task = await taskOf(c);
    return shelf.take(task.tenant, task.documentHash);
  };
  const sentTo = async (c: Context<ConsoleEnv>, task: ReviewTask) =>
    readSent(deps.app.catalogue.find({ ...task, id: task.specId }), await readForm(c));

  const show = async (
    c: Context<ConsoleEnv>,
    task: ReviewTask,
    sent: Parameters<typeof openDesk>[4],
    status: 200 | 409 | 412 | 422 = 200,
  ) => {
    const visitor = c.get('visitor');
    const isFresh = c.req.query('fresh') !== undefined;
    const desk = await openDesk(c.get('app'), shelf, task, visitor.name, sent, isFresh);
    const { done, told } = c.req.query();
    const body = reviewPage({ desk, visitor, now: deps.app.now(), done, isLate: told === 'late' });
    return pages.show(c, {
      ...{ title: `Review ${task.key.slice(0, 8)}`, place: 'review', body, status, wide: true },
      ...{ scripts: ['review.js'], styles: ['review.css'] },
    });
  };

  site.get('/reviews/:id', async (c) => show(c, await taskOf(c), null));

  site.post('/reviews/:id/compare', async (c) => {
    const task = await taskOf(c);
    return show(c, task, await sentTo(c, task));
  });

  site.post('/reviews/:id/decision', async (c) => {
    assertMay(c, 'review');
    const task = await taskOf(c);
    const sent = await sentTo(c, task);
    const app = c.get('app');
    const { name } = c.get('visitor');
    try {
      const verb = await decide(app, task, name, sent);
      return c.redirect(nextReview(await claimNextReview(app, knownTo(app), name), verb), 303);
    } catch (error) {
      const refused = refusal(error);
      if (refused === null) throw error;
      const verb = await decidedAlready(app, task, name, sent, error);
      if (verb !== null) {
        // The trail has it already.
        c.set('refused', true);
        return c.redirect(nextReview(await heldOrNext(app, name), verb), 303);
      }
      // Whatever somebody typed comes back with what is in its way.
      return show(c, await taskOf(c), { ...sent, failure: refused }, refused.status);
    }
  });

  site.post('/reviews/:id/check', async (c) => {
    const app = c.get('app');
    const task = await taskOf(c);
    const spec = specOf(app, task);
    const { values } = readSent(spec, await readForm(c));
    const check = await checkReview(app, task.id, values);
    const { verb } = standsFor(spec, values, await offeredCandidate(app, task));
    return c.json({ ...check, stands: verb });
  });

  site.post('/reviews/:id/draft', async (c) => {
    const app = c.get('app');
    assertMay(c, 'review');
    const task = await taskOf(c);
    const { values, note } = await sentTo(c, task);
    const actor = c.get('visitor').name;
    const draft = await saveDraft(app, { review: task.id, actor, values, note: note === '' ? null : note });
    return c.json({ at: new Date(draft.at).toISOString() });
  });

  site.post('/reviews/:id/extend', async (c) => {
    const app = c.get('app');
    assertMay(c, 'review');
    const task = await taskOf(c);
    const held = await extendReview(app, { review: task.id, actor: c.get('visitor').name });
    return c.json(summariseReview(held, app.now()));
  });

  site.get('/reviews/:id/state', async (c) => {
    const app = c.get('app');
    const task = await taskOf(c);
    const last = (await app.store.reviews.steps(task.id)).findLast(({ version }) => version !== null);
    const { version, state, holder, leaseExpiresAt } = summariseReview(task, app.now());
    return c.json({
      version,
      state,
      holder,
      leaseExpiresAt,
      by: last?.actor ?? null,
      kind: last?.kind ?? null,
    });
  });

  site.get('/reviews/:id/document', async (c) => {
    const { stored } = await shelved(c);
    if (stored === null) throw gone();
    return c.body(new Uint8Array(stored.bytes), 200, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': 'attachment',
    });
  });

  site.get('/reviews/:id/pages/:page', async (c) => {
    const document = await shelved(c);
    const page = Number(c.req.param('page'));
    const text = document.read?.kind === 'readable' ? (document.read.text?.pages[page - 1] ?? '') : '';
    return c.json({ text, layout: await shelf.layout(document, page) });
  });

  site.get('/reviews/:id/pages/:page/image', async (c) => {
    const image = pageImage(await shelved(c), Number(c.req.param('page')));
    if (image === null) throw gone();
    return c.body(new Uint8Array(image.bytes), 200, { 'Content-Type': imageType(image.mediaType) });
  });
}

async function decide(app: Application, task: ReviewTask, actor: string, sent: SentReview): Promise<string> {
  const { note, overrides, version } = sent;
  const standing = await standingFor(app, task, sent);
  await decideReview(app, {
    ...{ review: task.id, actor, ...standing, note: note.trim() === '' ? null : note },
    // Boxes that were ticked for rules which hold by now are no longer meant.
    overrides:
      standing.verb === 'approve' || standing.verb === 'correct'
        ? await stillUnmet(app, task, sent, overrides)
        : [],
    ifVersion: version === null ? null : [version],
  });
  return standing.verb;
}

/** What they decided, by what they pressed and by whether the values are the machine's own. */
async function standingFor(app: Application, task: ReviewTask, { verb, values }: SentReview) {
  if (verb === null) {
    const detail = 'Say what is to be done: approve, reject, not in the document, or redrive.';
    throw new ApplicationError('invalid_request', detail, [{ pointer: '/verb', detail }]);
  }
  return verb === 'approve' || verb === 'correct'
    ? standsFor(specOf(app, task), values, await offeredCandidate(app, task))
    : { verb, values: null };
}

/** Of a form that was sent twice: what it decided the first time. Null: what stands is something else. */
async function decidedAlready(
  app: Application,
  task: ReviewTask,
  actor: string,
  sent: SentReview,
  refused: unknown,
): Promise<ReviewVerb | null> {
  if (sent.verb === null || sent.version === null) return null;
  const stood = await answerTo(app, task, sent.version, refused);
  if (stood === null || stood.actor !== actor || (stood.note ?? '') !== sent.note.trim()) return null;
  const { verb } = await standingFor(app, task, sent);
  const isSame =
    stood.values === null || standsFor(specOf(app, task), sent.values, stood.values).verb === 'approve';
  return stood.verb === verb && isSame ? verb : null;
}

/** What they hold already, as the first sending gave it to them; else the next of the queue. */
async function heldOrNext(app: Application, holder: string): Promise<NextClaim> {
  const { items } = await listReviews(app, { ...knownTo(app), holder, lease: 'held' }, { limit: 1 });
  const id = items[0]?.id;
  const task = id === undefined ? null : await app.store.reviews.find(id);
  return task === null ? claimNextReview(app, knownTo(app), holder) : { kind: 'claimed', task };
}

async function stillUnmet(
  app: Application,
  task: ReviewTask,
  { values }: SentReview,
  named: readonly string[],
): Promise<readonly string[]> {
  if (named.length === 0) return [];
  const { overrides } = await checkReview(app, task.id, values);
  return named.filter((rule) => overrides.includes(rule));
}

/** What a person can do something about; null: it is for the page of faults. */
function refusal(error: unknown): {
  readonly status: 409 | 412 | 422;
  readonly detail: string;
  readonly faults: readonly RequestFault[];
} | null {
  const { status, detail, errors = [] } = problemOf(error);
  return status === 409 || status === 412 || status === 422 ? { status, detail, faults: errors } : null;
}

function gone(): HttpProblem {
  return new HttpProblem({
    slug: 'gone',
    title: 'No longer kept',
    status: 410,
    detail: 'The document was erased, or has no such page.',
  });
}

/** Only what a browser draws as a picture and nothing else. */
function imageType(mediaType: string): string {
  const bare = (mediaType.split(';')[0] ?? '').trim().toLowerCase();
  return ['image/png', 'image/jpeg', 'image/webp'].includes(bare) ? bare : 'application/octet-stream';
}
