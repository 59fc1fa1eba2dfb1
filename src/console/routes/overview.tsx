import type { Hono } from 'hono';
import type { Application } from '../../application/application.js';
import { breakerStandings } from '../../application/breakers.js';
import { type Overview, readOverview } from '../../application/overview.js';
import { repairStandings } from '../../application/repairs.js';
import { readQueue } from '../../application/review-queue.js';
import { summarise } from '../../application/views/extraction-view.js';
import { given } from '../../http/routes/answers.js';
import type { ConsoleEnv } from '../environment.js';
import { overviewPage } from '../pages/overview.js';
import { beganAt, spanOf, textOf } from '../query.js';
import type { Pages } from '../render.js';

const openShown = 5;
/** Figures of a day need not be counted anew for everybody who looks within these seconds. */
const keptMs = 10_000;

export function overviewRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  const reports = new Map<string, { readonly at: number; readonly report: Promise<Overview> }>();

  const reportOf = (
    app: Application,
    filter: Parameters<typeof readOverview>[1],
    name: string,
  ): Promise<Overview> => {
    const at = app.now();
    for (const [known, entry] of reports) if (at - entry.at > keptMs) reports.delete(known);
    const last = reports.get(name);
    if (last !== undefined) return last.report;
    const report = readOverview(app, filter);
    report.catch(() => reports.delete(name));
    reports.set(name, { at, report });
    return report;
  };

  site.get('/', async (c) => {
    const app = c.get('app');
    const words = c.req.query();
    const query = {
      spec: textOf(words['spec']),
      prompt: textOf(words['prompt']),
      time: spanOf(words['time']) ?? '24h',
    };
    const { spec: specId, prompt: promptVersion, time } = query;
    const now = app.now();
    const filter = given({ specId, promptVersion, since: beganAt(time, now) });
    const [report, queue, repairs, breakers, open] = await Promise.all([
      reportOf(app, filter, JSON.stringify([app.tenant, specId, promptVersion, time])),
      readQueue(app, given({ specId })),
      repairStandings(app),
      breakerStandings(app),
      app.store.extractions.oldestOpen(given({ specId, promptVersion }), openShown),
    ]);
    const body = overviewPage({
      ...{ query, report, queue, repairs, breakers, now },
      open: open.map(summarise),
      specs: app.catalogue.list(),
    });
    return pages.show(c, { title: 'Overview', place: 'overview', body });
  });
}
