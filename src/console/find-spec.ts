import { HttpProblem } from '../http/problem.js';
import type { Catalogue, SpecLabel } from '../spec/catalogue.js';
import type { Spec } from '../spec/spec.js';

/** Throws a 404 that says what to do. */
export function findSpec(catalogue: Catalogue, label: SpecLabel): Spec {
  const spec = catalogue.find(label);
  if (spec !== null) return spec;
  throw new HttpProblem({
    slug: 'not-found',
    title: 'Not known here',
    status: 404,
    detail: 'This server knows no spec in these versions; start it with a spec file that exports them.',
  });
}
