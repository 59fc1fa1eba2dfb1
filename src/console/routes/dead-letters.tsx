import type { Context, Hono } from 'hono';
import type { Application } from '../../application/application.js';
import { cancelRedrive, readRedrive, startRedrive } from '../../application/redrive.js';
import { viewDeadLetter } from '../../application/views/dead-letter-view.js';
import { workflowIds } from '../../domain/workflow-id.js';
import { HttpProblem } from '../../http/problem.js';
import { given } from '../../http/routes/answers.js';
import { type LetterState, letterStates } from '../../ports/dead-letter-store.js';
import type { EngineRun } from '../../ports/engine.js';
import { assertMay } from '../access.js';
import type { ConsoleDeps, ConsoleEnv } from '../environment.js';
import { dryRun, groupName, selectionOf } from '../letter-groups.js';
import { deadLettersPage } from '../pages/dead-letters.js';
import { redrivePage } from '../pages/redrive.js';
import { oneOf, textOf } from '../query.js';
import type { Pages } from '../render.js';

const perPage = 20;
const perMinuteDefault = 60;
const redrivesShown = 5;

/** Parked runs by why they failed, and running them again: what it would come to first, then for real. */
export function deadLetterRoutes(site: Hono<ConsoleEnv>, deps: ConsoleDeps, pages: Pages): void {
  site.get('/dead-letters', async (c) => {
    const app = c.get('app');
    const words = c.req.query();
    const [spec, tenant] = [textOf(words['spec']), textOf(words['tenant'])];
    const state: LetterState = oneOf(words['state'], letterStates) ?? 'parked';
    const filter = given({ specId: spec, tenant });
    const groups = await app.store.deadLetters.groups(filter);
    const asked = new Set(c.req.queries('g') ?? []);
    const chosen = groups.filter((group) => asked.has(groupName(group)));
    const looked = textOf(words['open']);
    const open =
      looked === undefined
        ? (chosen[0] ?? null)
        : (groups.find((group) => groupName(group) === looked) ?? null);
    const prompt = textOf(words['with']) ?? null;
    const cursor = textOf(words['cursor']);
    const inGroup = open === null ? null : selectionOf(groupName(open));
    const [page, dry, redrives] = await Promise.all([
      app.store.deadLetters.list(given({ ...filter, ...(inGroup ?? {}), state }), {
        limit: perPage,
        ...given({ cursor }),
      }),
      Promise.all(
        chosen.flatMap((group) => {
          const name = groupName(group);
          const selection = selectionOf(name);
          return selection === null ? [] : [dryRun(app, name, given({ ...selection, tenant }), prompt)];
        }),
      ),
      recentRedrives(app),
    ]);
    const body = deadLettersPage({
      ...{ groups, chosen, open, spec, tenant, state, prompt, dry, redrives },
      hasRun: groups.length > 0 || (await app.store.extractions.list({}, { limit: 1 })).items.length > 0,
      rows: page.items.map(viewDeadLetter),
      nextCursor: page.nextCursor,
      isFirst: cursor === undefined,
      perMinute: rateOf(words['rate']),
      specs: app.catalogue.list(),
      visitor: c.get('visitor'),
      now: app.now(),
    });
    return pages.show(c, { title: 'Dead letters', place: 'letters', body, scripts: ['letters.js'] });
  });

  site.post('/dead-letters/redrive', async (c) => {
    assertMay(c, 'operate');
    const form = await c.req.parseBody({ all: true });
    const shown = [form['most'] ?? []].flat();
    const chosen = [form['g'] ?? []].flat().flatMap((name, index) => {
      const selection = typeof name === 'string' ? selectionOf(name) : null;
      return selection === null ? [] : [{ selection, most: Number(shown[index]) }];
    });
    // No more than whoever pressed was shown, however many were parked since.
    if (chosen.length === 0 || !chosen.every(({ most }) => Number.isSafeInteger(most) && most > 0))
      throw nothingChosen();
    const one = (name: string) => textOf(String([form[name] ?? ''].flat()[0]));
    const tenant = one('tenant');
    const ids: string[] = [];
    for (const { selection, most } of chosen) {
      const { order } = await startRedrive(c.get('app'), {
        ...{ id: null, selection: given({ ...selection, tenant }), promptVersion: one('with') ?? null },
        ...{ most, inFlight: deps.inFlight, perSecond: rateOf(one('rate')) / 60 },
      });
      ids.push(order.id);
    }
    return c.redirect(`/console/redrives/${ids.join(',')}`, 303);
  });

  site.get('/redrives/:ids', async (c) => {
    const app = c.get('app');
    const ids = idsOf(c);
    const reports = await Promise.all(ids.map((id) => readRedrive(app, id)));
    const body = redrivePage({
      reports,
      links: ids.map((id) => app.engine.link(workflowIds.redrive(id))),
      visitor: c.get('visitor'),
      now: app.now(),
    });
    return pages.show(c, { title: 'Redrive', place: 'letters', body });
  });

  site.post('/redrives/:ids/cancel', async (c) => {
    assertMay(c, 'operate');
    for (const id of idsOf(c)) await cancelRedrive(c.get('app'), id);
    return c.redirect(`/console/redrives/${c.req.param('ids')}`, 303);
  });
}

function idsOf(c: Context<ConsoleEnv>): readonly string[] {
  return (c.req.param('ids') ?? '').split(',').slice(0, 20);
}

/** Starts in a minute, from 1 to 6,000. */
function rateOf(text: string | undefined): number {
  const rate = Number(text ?? perMinuteDefault);
  return Number.isFinite(rate) ? Math.min(6_000, Math.max(1, Math.round(rate))) : perMinuteDefault;
}

/** What the engine remembers of redrives, the newest first. It is asked for beside everything else, so it may be away. */
async function recentRedrives(app: Application): Promise<readonly EngineRun[]> {
  // Redrives of other tenants are none of a tenant's business, and the engine's lists know no tenants.
  if (app.tenant !== undefined) return [];
  try {
    return await app.engine.list("WorkflowType = 'redrive'", redrivesShown);
  } catch {
    return [];
  }
}

function nothingChosen(): HttpProblem {
  return new HttpProblem({
    slug: 'invalid-request',
    title: 'Nothing was chosen',
    status: 422,
    detail:
      'Choose at least one group of dead letters, and press what then says how many run; nothing was started.',
  });
}
