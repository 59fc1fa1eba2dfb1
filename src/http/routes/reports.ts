import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Application } from '../../application/application.js';
import { reportCsv } from '../../application/report-csv.js';
import { planOfReport } from '../../application/report-plan.js';
import { readReport } from '../../application/reports.js';
import { type ReportName, viewMeasure, viewReport } from '../../application/views/report-view.js';
import type { Report as ReportData } from '../../reports/report.js';
import { reportPage } from '../../reports/report-page.js';
import { needs } from '../access.js';
import type { HttpEnv } from '../environment.js';
import { MeasureQuery, Report, ReportOf, ReportQuery } from '../schemas/report.js';
import { given, problem } from './answers.js';

const tags = ['Reports'];

const all = createRoute({
  operationId: 'readReports',
  method: 'get',
  path: '/v1/reports',
  security: needs('read'),
  tags,
  summary: 'Read every measure of the runs that were begun within some time',
  request: { query: ReportQuery },
  responses: {
    200: {
      description: 'As it is now; as html one page with drawings.',
      content: { 'application/json': { schema: Report }, 'text/html': { schema: z.string() } },
    },
    default: problem,
  },
});

const summaries: Readonly<Record<ReportName, string>> = {
  yield:
    'Read which attempt verifies which share of documents, with intervals and what each adds to the tail',
  latency: 'Read how long all documents took, by hour, open ones counted as longer than so far',
  cost: 'Read how many documents repairs recovered, what each cost, and what a person costs',
  completeness: 'Read whether rows were lost, by printed counts and sums',
  repairs: 'Read repairs as a share of first calls against each budget',
  estimates: 'Read how often the expected duration of an attempt was wrong',
  audits: 'Read how many verified records were wrong when people checked them',
};

const mediaTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  html: 'text/html; charset=utf-8',
} as const;

export function reportRoutes(api: OpenAPIHono<HttpEnv>): void {
  const read = async (
    app: Application,
    query: z.output<typeof MeasureQuery> | z.output<typeof ReportQuery>,
  ): Promise<ReportData> => {
    const { spec, version, format: _, reviewsPerHour, reviewerCost, currency, ...rest } = query;
    const perHour = reviewerCost === undefined ? undefined : { amount: reviewerCost, currency };
    const filter = given({ ...rest, specId: spec, promptVersion: version });
    return await readReport(app, filter, given({ reviewsPerHour, perHour }));
  };

  api.openapi(all, async (c) => {
    const query = c.req.valid('query');
    const report = await read(c.get('app'), query);
    if (query.format === 'json') return c.json(viewReport(report), 200);
    // How many slots the workers have is not known here, so a plan sizes lanes and judges none.
    const plan = planOfReport(report, { kind: 'lanes', first: 0, repair: 0 });
    return c.body(reportPage(report, { slots: null, plan }), 200, { 'Content-Type': mediaTypes.html });
  });

  const measureRoute = <Name extends ReportName>(name: Name) => {
    const route = createRoute({
      operationId: `readReportOn${name.charAt(0).toUpperCase()}${name.slice(1).replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())}`,
      method: 'get',
      path: `/v1/reports/${name}`,
      security: needs('read'),
      tags,
      summary: summaries[name],
      request: { query: MeasureQuery },
      responses: {
        200: {
          description: 'As it is now.',
          content: {
            'application/json': { schema: ReportOf[name] as z.ZodType },
            'text/csv': { schema: z.string() },
          },
        },
        default: problem,
      },
    });
    api.openapi(route, async (c) => {
      const query = c.req.valid('query');
      const report = await read(c.get('app'), query);
      return query.format === 'csv'
        ? c.body(reportCsv(report, name), 200, { 'Content-Type': mediaTypes.csv })
        : c.json(viewMeasure(report, name), 200);
    });
  };
  for (const name of Object.keys(summaries) as ReportName[]) measureRoute(name);
}
