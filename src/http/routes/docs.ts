import type { OpenAPIHono } from '@hono/zod-openapi';
import { html } from 'hono/html';
import { describe } from '../description.js';
import type { HttpEnv } from '../environment.js';
import { HttpProblem } from '../problem.js';
import { type ProblemSlug, type ProblemType, problemTypes } from '../problem-types.js';

/** Pages load their style from here, and nothing else from anywhere. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Content-Type': 'text/html; charset=utf-8',
};

/** The description of the API, the same for people, and a page for every kind of problem. Nobody needs a key for them. */
export function docsRoutes(api: OpenAPIHono<HttpEnv>, version: string): void {
  let description: ReturnType<typeof describe> | null = null;
  // It takes a tenth of a second to make and never changes.
  const described = () => {
    description ??= describe(api, version);
    return description;
  };
  api.get('/openapi.json', (c) => c.json(described()));
  api.get('/docs', (c) => c.body(String(docsPage(described())), 200, pageHeaders));
  api.get('/docs.css', (c) => c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  api.get('/problems', (c) => c.body(String(problemsPage()), 200, pageHeaders));
  api.get('/problems/:slug', (c) => {
    const slug = c.req.param('slug');
    if (!Object.hasOwn(problemTypes, slug)) {
      throw new HttpProblem({
        slug: 'not-found',
        detail: 'There is no problem of this name; /problems lists them.',
      });
    }
    return c.body(String(problemPage(slug as ProblemSlug)), 200, pageHeaders);
  });
}

type Markup = ReturnType<typeof html>;

function page(title: string, body: Markup): Markup {
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><link rel="stylesheet" href="/docs.css"></head>
<body><main>${body}</main></body>
</html>`;
}

function problemPage(slug: ProblemSlug): Markup {
  const { status, title, when, remedy }: ProblemType = problemTypes[slug];
  return page(
    title,
    html`<p><a href="/problems">All problems</a></p><h1>${title}</h1><p><code>/problems/${slug}</code>, status ${status}</p><h2>When</h2><p>${when}</p><h2>What to do</h2><p>${remedy}</p>`,
  );
}

function problemsPage(): Markup {
  const rows = Object.entries(problemTypes).map(
    ([slug, { title, status }]) =>
      html`<tr><td><a href="/problems/${slug}">${slug}</a></td><td>${status}</td><td>${title}</td></tr>`,
  );
  return page(
    'Problems',
    html`<h1>Problems</h1><table><thead><tr><th>Type</th><th>Status</th><th>Title</th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Record<string, readonly string[]>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Record<string, Body> };
  readonly responses?: Record<
    string,
    { readonly description?: string; readonly content?: Record<string, Body> }
  >;
}

interface Body {
  readonly schema?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: { readonly description?: string };
}

function docsPage({ info, paths, components }: ReturnType<typeof describe>): Markup {
  const operations = Object.entries(paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      path,
      method,
      operation,
    })),
  );
  const tags = [...new Set(operations.map(({ operation }) => operation.tags?.[0] ?? 'Other'))];
  const sections = tags.map(
    (tag) =>
      html`<section><h2 id="${tag}">${tag}</h2>${operations
        .filter(({ operation }) => (operation.tags?.[0] ?? 'Other') === tag)
        .map(operationPart)}</section>`,
  );
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      html`<details id="schema-${name}"><summary>${name}</summary><pre>${json(schema)}</pre></details>`,
  );
  return page(
    `${info.title} ${info.version}`,
    html`<h1>${info.title} ${info.version}</h1><p>${info.description ?? ''}</p><p><a href="/openapi.json">openapi.json</a> <a href="/problems">Problems</a></p><nav><ul>${tags.map(
      (tag) => html`<li><a href="#${tag}">${tag}</a></li>`,
    )}</ul></nav>${sections}<section><h2>Schemas</h2>${schemas}</section>`,
  );
}

function operationPart({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): Markup {
  const role = operation.security?.[0]?.['key']?.[0];
  const bodies = Object.entries(operation.requestBody?.content ?? {}).map(
    ([type, body]) => html`<div>Body: ${bodyPart(type, body)}</div>${examplesOf(body)}`,
  );
  const parameters = (operation.parameters ?? []).map(
    (one) =>
      html`<tr><td><code>${one.name}</code></td><td>${one.in}${one.required === true ? ', needed' : ''}</td><td>${one.description ?? one.schema?.description ?? ''}</td></tr>`,
  );
  const answers = Object.entries(operation.responses ?? {}).map(
    ([status, { description, content = {} }]) =>
      html`<tr><td>${status}</td><td>${description ?? ''}</td><td>${Object.entries(content).map(
        ([type, body]) => html`<div>${bodyPart(type, body)}${examplesOf(body)}</div>`,
      )}</td></tr>`,
  );
  return html`<article id="${operation.operationId ?? ''}"><h3><code>${method.toUpperCase()} ${path}</code></h3><p>${operation.summary ?? ''}</p>${operation.description === undefined ? '' : html`<p>${operation.description}</p>`}${role === undefined ? '' : html`<p>Role: <code>${role}</code></p>`}${parameters.length === 0 ? '' : html`<table><tbody>${parameters}</tbody></table>`}${bodies}<table><tbody>${answers}</tbody></table></article>`;
}

function bodyPart(type: string, { schema }: Body): Markup {
  return html`<code>${type}</code> ${schemaPart(schema)}`;
}

/** The name of a schema that has one; else the schema itself. */
function schemaPart(schema: unknown): Markup {
  const name = (schema as { $ref?: string } | undefined)?.$ref?.split('/').at(-1);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  return schema === undefined
    ? html``
    : html`<details><summary>Fields</summary><pre>${json(schema)}</pre></details>`;
}

function examplesOf({ examples = {} }: Body): readonly Markup[] {
  return Object.values(examples).map(
    ({ summary, value }) => html`<details><summary>${summary}</summary><pre>${json(value)}</pre></details>`,
  );
}

const json = (value: unknown) => JSON.stringify(value, null, 2);

const style = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
code, pre { font-family: ui-monospace, monospace; }
pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
article { border-top: 1px solid; padding: 0.5rem 0; }
table { border-collapse: collapse; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.1rem 0.8rem 0.1rem 0; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; padding: 0; list-style: none; }
`;
