import type { Hono } from 'hono';
import { readQueue } from '../../application/review-queue.js';
import { summarise } from '../../application/views/extraction-view.js';
import type { ConsoleEnv } from '../environment.js';
import { overviewPage } from '../pages/overview.js';
import type { Pages } from '../render.js';

const openShown = 8;

export function overviewRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/', async (c) => {
    const app = c.get('app');
    const [queue, groups, open] = await Promise.all([
      readQueue(app, {}),
      app.store.deadLetters.groups({}),
      app.store.extractions.list({ state: 'open' }, { limit: openShown }),
    ]);
    const body = overviewPage({ queue, groups, open: open.items.map(summarise), now: app.now() });
    return pages.show(c, { title: 'Overview', place: 'overview', body });
  });
}
