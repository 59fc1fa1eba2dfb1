import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { createKeyring } from '../application/api-keys.js';
import { logUnforeseen } from '../http/log.js';
import { HttpProblem, problemOf } from '../http/problem.js';
import { requireOwnPage, requireVisitor } from './access.js';
import { askWho } from './ask-who.js';
import { asset, assetMark } from './assets.js';
import type { ConsoleDeps, ConsoleEnv } from './environment.js';
import { createNavCounts } from './nav-counts.js';
import { inWords, problemPage } from './pages/problem.js';
import { createPulse } from './pulse.js';
import { createPages } from './render.js';
import { batchRoutes } from './routes/batches.js';
import { deadLetterRoutes } from './routes/dead-letters.js';
import { extractionRoutes } from './routes/extractions.js';
import { liveRoutes } from './routes/live.js';
import { overviewRoutes } from './routes/overview.js';
import { plannerRoutes } from './routes/planner.js';
import { reviewDeskRoutes } from './routes/review-desk.js';
import { reviewRoutes } from './routes/reviews.js';
import { signInRoutes } from './routes/sign-in.js';
import { specRoutes } from './routes/specs.js';
import { noteChanges } from './trail.js';

/** Scripts, styles and requests from this server only, nothing inline, no frames: text of a document can run nothing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Holds the largest record that a person could send, with the record it is compared with. */
const mostBytes = 4 * 1024 * 1024;
const yearSeconds = 31_536_000;

/** The pages, to be mounted at `/console`. Every error, also the framework's own, is a page that says what to do. */
export function createConsole(deps: ConsoleDeps): Hono {
  const site = new Hono<ConsoleEnv>();
  const keyring = createKeyring(deps.app, deps.apiKey);
  const pages = createPages(deps, keyring, createNavCounts());
  site.use(async (c, next) => {
    c.header('Content-Security-Policy', policy);
    c.header('Referrer-Policy', 'same-origin');
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('X-Frame-Options', 'DENY');
    c.header('Cross-Origin-Opener-Policy', 'same-origin');
    await next();
  });
  site.get('/assets/:mark/:name', (c) => {
    const found = asset(c.req.param('name'));
    if (found === null || c.req.param('mark') !== assetMark()) return c.notFound();
    c.header('Cache-Control', `public, max-age=${yearSeconds}, immutable`);
    return c.body(found.bytes, 200, { 'Content-Type': found.type });
  });
  site.use(requireOwnPage);
  site.use(
    bodyLimit({
      maxSize: mostBytes,
      onError: () => {
        throw new HttpProblem({
          slug: 'too-large',
          title: 'Too much at once',
          status: 413,
          detail: 'A form may hold at most 4 MiB; nothing was changed.',
        });
      },
    }),
  );
  signInRoutes(site, deps, keyring);
  site.use(requireVisitor(deps, keyring));
  site.use(askWho);
  site.use(noteChanges);
  const pulse = createPulse(deps.pulseMs);
  site.use(async (c, next) => {
    // Looked at before the page is: what changes in between is news to it.
    if (c.req.method === 'GET') c.set('news', await pulse.read(c.get('app')).catch(() => null));
    await next();
  });

  overviewRoutes(site, pages);
  extractionRoutes(site, pages);
  reviewRoutes(site, pages);
  reviewDeskRoutes(site, deps, pages);
  deadLetterRoutes(site, deps, pages);
  batchRoutes(site, pages);
  plannerRoutes(site, pages);
  specRoutes(site, pages);
  liveRoutes(site, pulse);

  site.all('/*', () => {
    throw new HttpProblem({
      slug: 'not-found',
      title: 'There is no such page',
      status: 404,
      detail: 'Nothing is at this address; the bar above leads to everything there is.',
    });
  });
  site.onError(async (error, c) => {
    const problem = problemOf(error);
    if (problem.status === 500) logUnforeseen(deps.logger, c.get('requestId'), error);
    if (problem.status === 503) c.header('Retry-After', '5');
    if ((c.req.header('accept') ?? '').includes('application/json')) {
      const { title, detail, errors = [] } = problem;
      return c.json({ title, detail, errors, requestId: c.get('requestId') }, problem.status);
    }
    const shown = inWords(problem);
    const body = problemPage(shown, c.get('requestId'), new URL(c.req.url));
    // Whoever is not known yet gets the bare page: there is nobody to make a bar for.
    return c.get('visitor') === undefined
      ? pages.bare(c, { title: shown.title, body, status: problem.status })
      : await pages.show(c, { title: shown.title, place: null, body, status: problem.status });
  });
  // What requests carry with them is nobody's business outside.
  return site as unknown as Hono;
}
