import type { Hono } from 'hono';
import { cancelExtraction } from '../../application/cancel-extraction.js';
import { explainExtraction } from '../../application/explain-route.js';
import { findExtraction } from '../../application/find-extraction.js';
import { readOutcome } from '../../application/read-outcome.js';
import { redriveByKey, redriveRefusal } from '../../application/redrive.js';
import { readAttempts } from '../../application/views/attempt-view.js';
import { summarise } from '../../application/views/extraction-view.js';
import { failureClasses } from '../../domain/failure-class.js';
import { reasons } from '../../domain/reason.js';
import { routeNames } from '../../domain/route.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { HttpProblem } from '../../http/problem.js';
import { given } from '../../http/routes/answers.js';
import type { Extraction, ExtractionFilter } from '../../ports/extraction-store.js';
import { assertMay } from '../access.js';
import type { ConsoleEnv } from '../environment.js';
import { extractionPage } from '../pages/extraction.js';
import { type ExtractionQuery, extractionsPage, outcomeChoices } from '../pages/extractions.js';
import { beganAt, instantOf, oneOf, spanOf, textOf } from '../query.js';
import type { Pages } from '../render.js';
import { reviewedBy } from '../reviewed.js';

const perPage = 50;

export function extractionRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/extractions', async (c) => {
    const app = c.get('app');
    const query = readQuery(c.req.query());
    const now = app.now();
    const page = await app.store.extractions.list(filterOf(query, now), {
      limit: perPage,
      ...given({ cursor: textOf(c.req.query('cursor')) }),
    });
    const rows = page.items.map(summarise);
    const body = extractionsPage({
      query,
      rows,
      reviewed: await reviewedBy(app, rows),
      engineUrlOf: ({ id }) => app.engine.link(workflowIds.extraction(id)),
      nextCursor: page.nextCursor,
      isFirst: c.req.query('cursor') === undefined,
      specs: app.catalogue.list(),
      now,
      isOfOneTenant: app.tenant !== undefined,
    });
    return pages.show(c, { title: 'Extractions', place: 'extractions', body });
  });

  site.get('/find', async (c) => {
    const app = c.get('app');
    const text = textOf(c.req.query('q'));
    if (text === undefined) return c.redirect('/console/extractions', 303);
    const id = text.replaceAll(/\s/g, '').toLowerCase();
    const isId = /^[0-9a-f]{8,64}$/.test(id);
    const found = isId ? await app.store.extractions.find(id) : null;
    const review = isId && found === null ? await app.store.reviews.find(id) : null;
    if (review !== null) return c.redirect(`/console/reviews/${review.id}`, 303);
    const isThere = async (filter: ExtractionFilter) =>
      (await app.store.extractions.list(filter, { limit: 1 })).items.length > 0;
    const narrowedBy =
      found === null && !(await isThere({ tag: text })) && (await isThere({ file: text })) ? 'file' : 'tag';
    const where = found === null ? `?${narrowedBy}=${encodeURIComponent(text)}` : `/${found.key}`;
    return c.redirect(`/console/extractions${where}`, 303);
  });

  site.get('/extractions/:id', async (c) => {
    const app = c.get('app');
    const run = Number(c.req.query('run'));
    const extraction = await findExtraction(app.store, c.req.param('id'), run >= 1 ? run : undefined);
    const newest = (await app.store.extractions.find(extraction.key)) ?? extraction;
    const isGone = extraction.erasedAt !== null;
    const [reading, attempts, review, document, letter] = await Promise.all([
      isGone ? null : readOutcome(app.store, extraction),
      readAttempts(app.store, extraction.key, extraction.run),
      app.store.reviews.find(extraction.key),
      isGone ? null : app.store.documents.load(extraction.tenant, extraction.documentHash),
      app.store.deadLetters.find(extraction.key),
    ]);
    const read = document === null ? null : await app.reader.read(document);
    const explained =
      extraction.route === null || isGone
        ? null
        : await explainExtraction(app, extraction.key, null).catch(() => null);
    const stored = await app.store.attempts.list(extraction.key, extraction.run);
    const body = extractionPage({
      run: summarise(extraction),
      reviewed:
        (await reviewedBy(app, [summarise(extraction)])).get(`${extraction.key} ${extraction.run}`) ?? null,
      extraction,
      reading,
      attempts,
      stored,
      explained,
      review,
      letter,
      document,
      text: read?.kind === 'readable' ? read.text : null,
      spec: app.catalogue.find({ ...extraction, id: extraction.specId }),
      specs: app.catalogue.list(),
      newest,
      redriveFault:
        newest.state === 'open'
          ? 'It is running.'
          : ((await redriveRefusal(app, newest, null))?.message ?? null),
      engineUrl: app.engine.link(workflowIds.extraction(extraction.key)),
      visitor: c.get('visitor'),
      now: app.now(),
      told: c.req.query('told'),
    });
    const title = `${extraction.fileName ?? extraction.key.slice(0, 8)}`;
    return pages.show(c, { title, place: 'extractions', body });
  });

  site.post('/extractions/:id/cancel', async (c) => {
    const app = c.get('app');
    assertMay(c, 'operate');
    const { key } = await findExtraction(app.store, c.req.param('id'));
    const { kind } = await cancelExtraction(app, key);
    return c.redirect(
      `/console/extractions/${key}?told=${kind === 'ended' ? 'had-ended' : 'cancelling'}`,
      303,
    );
  });

  site.post('/extractions/:id/redrive', async (c) => {
    const app = c.get('app');
    assertMay(c, 'operate');
    const { key } = await findExtraction(app.store, c.req.param('id'));
    const prompt = textOf(String((await c.req.parseBody())['with'] ?? ''));
    const into = await redriveByKey(app, key, prompt ?? null);
    return c.redirect(`/console/extractions/${into.key}?told=redriven`, 303);
  });

  site.get('/extractions/:id/document', async (c) => {
    const app = c.get('app');
    const extraction = await findExtraction(app.store, c.req.param('id'));
    const document = await app.store.documents.load(extraction.tenant, extraction.documentHash);
    if (document === null) {
      throw new HttpProblem({
        slug: 'gone',
        title: 'No longer kept',
        status: 410,
        detail: 'The document of this extraction was erased.',
      });
    }
    // Saved, never shown: whatever it holds, it runs nothing here.
    c.header('Content-Disposition', `attachment; filename="${safeName(extraction)}"`);
    return c.body(new Uint8Array(document.bytes), 200, { 'Content-Type': 'application/octet-stream' });
  });
}

function readQuery(words: Readonly<Record<string, string | undefined>>): ExtractionQuery {
  return given({
    outcome: oneOf(
      words['outcome'],
      outcomeChoices.map(([value]) => value),
    ),
    reason: oneOf(words['reason'], reasons),
    route: oneOf(words['route'], routeNames),
    class: oneOf(words['class'], failureClasses),
    attempts: /^\d{1,2}(\+|-\d{1,2})?$/.test(words['attempts'] ?? '') ? words['attempts'] : undefined,
    spec: textOf(words['spec']),
    prompt: textOf(words['prompt']),
    tenant: textOf(words['tenant']),
    tag: textOf(words['tag']),
    file: textOf(words['file']),
    batch: textOf(words['batch']),
    time: spanOf(words['time']),
    from: instantOf(words['from']),
    before: instantOf(words['before']),
  });
}

function filterOf(query: ExtractionQuery, now: number): ExtractionFilter {
  const { outcome, route } = query;
  return given({
    tenant: query.tenant,
    state: outcome === 'running' ? ('open' as const) : undefined,
    outcome: outcome === 'verified' || outcome === 'unverified' ? outcome : undefined,
    route,
    ...attemptsOf(query.attempts),
    reason: query.reason,
    failureClass: query.class,
    specId: query.spec,
    promptVersion: query.prompt,
    batchId: query.batch,
    tag: query.tag,
    file: query.file,
    startedFrom:
      query.from !== undefined
        ? Date.parse(query.from)
        : query.time === undefined
          ? undefined
          : beganAt(query.time, now),
    startedBefore: query.before === undefined ? undefined : Date.parse(query.before),
  });
}

/** "2", "2+" and "1-3". */
function attemptsOf(text: string | undefined): Pick<ExtractionFilter, 'attemptsFrom' | 'attemptsTo'> {
  const [, least, end] = /^(\d+)(\+|-\d+)?$/.exec(text ?? '') ?? [];
  if (least === undefined) return {};
  if (end === '+') return { attemptsFrom: Number(least) };
  return {
    attemptsFrom: Number(least),
    attemptsTo: end === undefined ? Number(least) : Number(end.slice(1)),
  };
}

function safeName({ fileName, documentHash }: Extraction): string {
  const name = (fileName ?? '').replaceAll(/[^\w.-]+/g, '_').slice(-100);
  return name === '' ? `document-${documentHash.slice(0, 12)}` : name;
}
