import type { Hono } from 'hono';
import { plan } from '../../planner/plan.js';
import type { ConsoleEnv } from '../environment.js';
import { plannerPage } from '../pages/planner.js';
import { readPlan } from '../planner-form.js';
import type { Pages } from '../render.js';

/** What a cap, slots and people come to together. A form without a script; with one, it follows the sliders. */
export function plannerRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/planner', (c) => {
    const asked = readPlan(c.req.query());
    const body = plannerPage(asked, plan(asked.input));
    return pages.show(c, { title: 'Planner', place: 'planner', body, scripts: ['planner.js'] });
  });
}
