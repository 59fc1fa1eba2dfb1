import type { Hono } from 'hono';
import type { Application } from '../../application/application.js';
import {
  compareEvaluation,
  evaluationsOf,
  findEvaluation,
  latestEvaluations,
} from '../../application/read-evaluations.js';
import { labelStandings } from '../../application/spec-labels.js';
import { labelOf } from '../../spec/catalogue.js';
import type { Spec } from '../../spec/spec.js';
import type { ConsoleEnv } from '../environment.js';
import { findSpec } from '../find-spec.js';
import { evaluationPage } from '../pages/evaluation.js';
import { specPage } from '../pages/spec.js';
import type { SpecEvaluations } from '../pages/spec-evaluations.js';
import { specsPage } from '../pages/specs.js';
import type { Pages } from '../render.js';

/** The newest one is shown whole, these are listed below it. */
const olderShown = 20;

/** What this server knows how to extract: versions, rules, bounds, and how well each did. */
export function specRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/specs', async (c) => {
    const app = c.get('app');
    const body = specsPage(app.catalogue, await latestEvaluations(app));
    return pages.show(c, { title: 'Specs', place: 'specs', body });
  });

  site.get('/specs/:id/:schema/:prompt', async (c) => {
    const { id, schema, prompt } = c.req.param();
    const app = c.get('app');
    const spec = findSpec(app.catalogue, { id, schemaVersion: schema, promptVersion: prompt });
    const isCurrent = app.catalogue.current(id) === spec;
    const [evaluations, labels] = await Promise.all([evaluationsShown(app, spec), labelStandings(app, id)]);
    const body = specPage({ spec, isCurrent, evaluations, labels });
    return pages.show(c, { title: spec.title, place: 'specs', body });
  });

  site.get('/evaluations/:id', async (c) => {
    const app = c.get('app');
    const evaluation = await findEvaluation(app, c.req.param('id'));
    const spec = app.catalogue.find({ ...evaluation, id: evaluation.specId });
    const body = evaluationPage(await compareEvaluation(app, evaluation), spec);
    return pages.show(c, { title: `Evaluation of ${evaluation.specId}`, place: 'specs', body });
  });
}

async function evaluationsShown(app: Application, spec: Spec): Promise<SpecEvaluations> {
  const { items } = await evaluationsOf(app, labelOf(spec), olderShown + 1);
  const [newest, ...older] = items;
  const latest = newest === undefined ? null : await compareEvaluation(app, newest);
  return { latest, older, isOfOneTenant: app.tenant !== undefined };
}
