import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import config from '../.dependency-cruiser.mjs';

const rooms = ['src', 'workflows', 'activities', 'specs'];

/** One forbidden import per wall: the file it is planted in, and what it imports. */
const plants: Record<string, { readonly file: string; readonly code: string }> = {
  'no-cycles': { file: 'src/domain/planted-cycle.ts', code: "export * from './planted-cycle-back.js';" },
  'no-unresolved': { file: 'src/domain/planted-nowhere.ts', code: "export * from './nowhere.js';" },
  'pure-has-no-node': { file: 'src/reply/planted-node.ts', code: "export * from 'node:fs';" },
  'pure-has-no-packages': { file: 'src/verification/planted-package.ts', code: "export * from 'pino';" },
  'big-js-in-verification-only': { file: 'src/domain/planted-big.ts', code: "export * from 'big.js';" },
  'domain-is-innermost': {
    file: 'src/domain/planted-out.ts',
    code: "export * from '../reply/canonical.js';",
  },
  'pure-looks-inward': { file: 'src/reply/planted-out.ts', code: "export * from '../ports/store.js';" },
  'spec-looks-inward': { file: 'src/spec/planted-out.ts', code: "export * from '../ports/store.js';" },
  'ports-are-interfaces': {
    file: 'src/ports/planted-out.ts',
    code: "export * from '../adapters/temporal/engine.js';",
  },
  'adapters-stand-apart': {
    file: 'src/adapters/pdf/planted-side.ts',
    code: "export * from '../temporal/engine.js';",
  },
  'adapters-look-inward': {
    file: 'src/adapters/pdf/planted-out.ts',
    code: "export * from '../../config.js';",
  },
  'only-temporal-knows-workflows': {
    file: 'src/adapters/pdf/planted-workflow.ts',
    code: "export * from '../../../workflows/messages.js';",
  },
  'workflows-replay': { file: 'workflows/planted-out.ts', code: "export * from '../src/ports/store.js';" },
  'workflows-have-no-node': { file: 'workflows/planted-node.ts', code: "export * from 'node:crypto';" },
  'workflows-have-no-zod': { file: 'workflows/planted-zod.ts', code: "export * from 'zod';" },
  'contract-is-types': {
    file: 'activities/contract.ts',
    code: "export { decide } from '../src/domain/decide.js';",
  },
  'activities-use-ports': {
    file: 'activities/planted-out.ts',
    code: "export * from '../src/adapters/temporal/engine.js';",
  },
  'application-uses-ports': {
    file: 'src/application/planted-out.ts',
    code: "export * from '../adapters/temporal/engine.js';",
  },
  'http-over-application': {
    file: 'src/http/planted-out.ts',
    code: "export * from '../adapters/temporal/engine.js';",
  },
  'http-knows-no-pages': {
    file: 'src/http/planted-page.ts',
    code: "export * from '../console/session.js';",
  },
  'pages-are-mounted-by-main': {
    file: 'src/cli/planted-page.ts',
    code: "export * from '../console/session.js';",
  },
  'assets-are-served-not-imported': {
    file: 'src/console/planted-asset.ts',
    code: "export * from './assets/planted-plain.js';",
  },
  'assets-stand-alone': {
    file: 'src/console/assets/planted-out.js',
    code: "export * from '../session.js';",
  },
  'cli-over-application': {
    file: 'src/cli/planted-out.ts',
    code: "export * from '../adapters/temporal/engine.js';",
  },
  'embedded-knows-no-vendor-code': {
    file: 'src/embedded/planted-out.ts',
    code: "export * from '../application/keys.js';",
  },
  'standin-stands-alone': { file: 'src/standin/planted-out.ts', code: "export * from '../domain/money.js';" },
  'client-stands-alone': { file: 'src/client/planted-out.ts', code: "export * from '../domain/decide.js';" },
  'specs-use-the-authoring-api': {
    file: 'specs/planted-out.ts',
    code: "export * from '../src/domain/decide.js';",
  },
  'zod-in-few-places': { file: 'src/application/planted-zod.ts', code: "export * from 'zod';" },
  'anthropic-aisdk-has-one-home': {
    file: 'src/application/planted-sdk.ts',
    code: "export * from '@anthropic-ai/sdk';",
  },
  'pg-has-one-home': { file: 'src/application/planted-pg.ts', code: "export * from 'pg';" },
  'kysely-has-one-home': { file: 'src/application/planted-kysely.ts', code: "export * from 'kysely';" },
  'standardwebhooks-has-one-home': {
    file: 'src/application/planted-webhooks.ts',
    code: "export * from 'standardwebhooks';",
  },
  'prom-client-has-one-home': { file: 'src/http/planted-metrics.ts', code: "export * from 'prom-client';" },
  'opentelemetryapi-has-one-home': {
    file: 'src/http/planted-tracing.ts',
    code: "export * from '@opentelemetry/api';",
  },
  'unpdf-has-one-home': { file: 'src/application/planted-unpdf.ts', code: "export * from 'unpdf';" },
  'hono-has-one-home': { file: 'src/application/planted-hono.ts', code: "export * from 'hono';" },
  'cockatiel-has-one-home': {
    file: 'activities/planted-cockatiel.ts',
    code: "export * from 'cockatiel';",
  },
  'commander-has-one-home': {
    file: 'src/application/planted-commander.ts',
    code: "export * from 'commander';",
  },
  'no-dev-packages-in-product': { file: 'src/spec/planted-dev.ts', code: "export * from 'fast-check';" },
  'no-tests-in-product': { file: 'src/spec/planted-test.ts', code: "export * from '../../test/planted.js';" },
};

async function cruised(baseDir: string): Promise<ICruiseResult> {
  const tsConfig = extractTSConfig(join(baseDir, 'tsconfig.node.json'));
  const { forbidden, options } = config;
  const { output } = await cruise(
    rooms,
    { ...options, baseDir, ruleSet: { forbidden }, validate: true } as never,
    undefined,
    { tsConfig } as never,
  );
  return output as ICruiseResult;
}

describe('the walls of the house', () => {
  let replica: string;

  beforeAll(async () => {
    replica = await mkdtemp(join(tmpdir(), 'endstop-walls-'));
    for (const room of [...rooms, 'tsconfig.base.json', 'tsconfig.node.json', 'package.json']) {
      await cp(room, join(replica, room), { recursive: true });
    }
    await symlink(join(process.cwd(), 'node_modules'), join(replica, 'node_modules'));
    const files = [
      ...Object.values(plants),
      { file: 'src/domain/planted-cycle-back.ts', code: "export * from './planted-cycle.js';" },
      { file: 'test/planted.ts', code: 'export const planted = true;' },
      { file: 'src/console/assets/planted-plain.js', code: 'export const planted = true;' },
    ];
    for (const { file, code } of files) {
      await mkdir(dirname(join(replica, file)), { recursive: true });
      await writeFile(join(replica, file), `${code}\n`);
    }
  });

  afterAll(() => rm(replica, { recursive: true, force: true }));

  it('stand: no forbidden import in the product, and the checker really read it', async () => {
    const { summary } = await cruised(process.cwd());
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
    // A checker that read nothing passes silently.
    expect(summary.totalCruised).toBeGreaterThan(250);
  });

  it('each refuse the import they were built against', async () => {
    const { summary } = await cruised(replica);
    // A cycle is reported once, from either of its files: hence the common beginning of their names.
    const missed = Object.entries(plants).filter(
      ([name, { file }]) =>
        !summary.violations.some(
          ({ rule, from }) => rule.name === name && from.startsWith(file.replace('.ts', '')),
        ),
    );
    expect(missed.map(([name]) => name)).toEqual([]);
  });

  it('are all covered by a plant', () => {
    expect(Object.keys(plants).sort()).toEqual(config.forbidden.map(({ name }) => name).sort());
  });
});

describe('what the linter looks at', () => {
  it('is every folder of the program, and nothing that a user has put beside them', async () => {
    const read = async (name: string) => JSON.parse(await readFile(name, 'utf8'));
    const { files } = (await read('biome.json')) as { files: { includes: string[] } };
    const { project } = (await read('knip.json')) as { project: string[] };
    const [folders = ''] = files.includes;
    const named = /^\{([\w,]+)\}\/\*\*$/.exec(folders)?.[1]?.split(',') ?? [];
    for (const glob of project) expect(named).toContain(glob.split('/')[0]);
    expect(files.includes.filter((glob) => glob.startsWith('**'))).toEqual([]);
  });
});
