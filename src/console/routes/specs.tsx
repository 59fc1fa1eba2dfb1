import type { Hono } from 'hono';
import type { ConsoleEnv } from '../environment.js';
import { findSpec } from '../find-spec.js';
import { specPage, specsPage } from '../pages/specs.js';
import type { Pages } from '../render.js';

/** What this server knows how to extract: versions, rules, bounds. */
export function specRoutes(site: Hono<ConsoleEnv>, pages: Pages): void {
  site.get('/specs', (c) => {
    const { catalogue } = c.get('app');
    return pages.show(c, { title: 'Specs', place: 'specs', body: specsPage(catalogue) });
  });

  site.get('/specs/:id/:schema/:prompt', (c) => {
    const { id, schema, prompt } = c.req.param();
    const { catalogue } = c.get('app');
    const spec = findSpec(catalogue, { id, schemaVersion: schema, promptVersion: prompt });
    return pages.show(c, {
      title: spec.title,
      place: 'specs',
      body: specPage(spec, catalogue.current(id) === spec),
    });
  });
}
