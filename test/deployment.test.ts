import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../src/cli/program.js';
import { readConfig, variableNames } from '../src/config.js';
import { defaultPorts } from '../src/embedded/ports.js';
import { createContext } from '../src/main/context.js';
import { processCommands } from '../src/main/process-commands.js';
import { loadSpecs } from '../src/spec/load-spec.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

const compose = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
};
const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);

const context = createContext({}, process.cwd());
const program = createProgram(context, { version: '0', checks: [] });
for (const command of processCommands(context, '0')) program.addCommand(command);

const serverVersion = (image: string | undefined): readonly number[] =>
  (image?.split(':')[1] ?? '').split('.').map(Number);

describe('docker-compose.yml', () => {
  it('has Postgres, Temporal with its database, the UI, an API and workers', () => {
    expect(Object.keys(compose.services)).toEqual(
      expect.arrayContaining(['postgres', 'temporal', 'temporal-ui', 'api', 'worker', 'worker-lanes']),
    );
    expect(compose.services['temporal']?.environment).toMatchObject({
      DB: 'postgres12',
      POSTGRES_SEEDS: 'postgres',
    });
  });

  it('runs versions that the code supports, Temporal and its tools the same one', () => {
    expect(serverVersion(compose.services['postgres']?.image)[0]).toBeGreaterThanOrEqual(15);
    const [major = 0, minor = 0] = serverVersion(compose.services['temporal']?.image);
    expect(major * 100 + minor).toBeGreaterThanOrEqual(131);
    const tools = services.filter(([, { image }]) => image?.startsWith('temporalio/admin-tools'));
    expect(tools.length).toBeGreaterThan(0);
    for (const [, { image }] of tools) {
      expect(serverVersion(image)).toEqual(serverVersion(compose.services['temporal']?.image));
    }
    for (const [, { image }] of ours) expect(image).toBe(`endstop:${packageJson.version}`);
  });

  it.each(ours)('%s runs a command that exists, with options that exist', (_name, { command = [] }) => {
    let found = program;
    const options: string[] = [];
    for (const word of command) {
      const inner = found.commands.find((candidate) => candidate.name() === word);
      if (inner !== undefined) found = inner;
      else options.push(word);
    }
    expect(found).not.toBe(program);
    const known = found.options.map(({ long }) => long);
    expect(options.filter((word) => word.startsWith('--') && !known.includes(word))).toEqual([]);
  });

  it('serves every lane', () => {
    const lanes = ours.flatMap(([, { command = [] }]) =>
      command.includes('--lanes') ? (command[command.indexOf('--lanes') + 1] ?? '').split(',') : [],
    );
    expect(lanes.sort()).toEqual(['first', 'repair', 'store', 'workflows']);
  });

  it.each(ours)(
    '%s gets only settings that the code reads, and reads them',
    (_name, { environment = {} }) => {
      expect(Object.keys(environment).filter((name) => !variableNames.includes(name))).toEqual([]);
      const filled = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [
          name,
          value.replace(/\$\{[^}]*\}/g, 'filled-in-secret'),
        ]),
      );
      const config = readConfig(filled, undefined, '/');
      expect(config.temporal.address).toBe('temporal:7233');
      expect(new URL(config.databaseUrl ?? '').hostname).toBe('postgres');
    },
  );

  it('publishes the default ports, on loopback only', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);
    expect(published.sort()).toEqual(
      [
        `127.0.0.1:${defaultPorts.api}:${defaultPorts.api}`,
        `127.0.0.1:${defaultPorts.temporalUi}:8080`,
      ].sort(),
    );
    expect(readConfig({}, undefined, '/').api.port).toBe(defaultPorts.api);
    expect(compose.services['api']?.environment?.['ENDSTOP_API_PORT']).toBe(String(defaultPorts.api));
  });

  it('waits only for services that exist', () => {
    const needed = services.flatMap(([, { depends_on }]) => Object.keys(depends_on ?? {}));
    expect(needed.filter((name) => compose.services[name] === undefined)).toEqual([]);
  });
});

describe('README.md', () => {
  it('shows commands that exist', async () => {
    const readme = await readFile('README.md', 'utf8');
    const used = [...readme.matchAll(/^npx endstop ([a-z-]+)/gm)].map(([, name]) => name);
    expect(used.length).toBeGreaterThan(8);
    const known = [...program.commands.map((command) => command.name()), 'up', 'demo'];
    expect(used.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  it('names every setting, and none that is not read', async () => {
    const readme = await readFile('README.md', 'utf8');
    const table = readme.slice(readme.indexOf('## Configuration'));
    const named = [...table.matchAll(/`((?:[A-Z]+_)+[A-Z]+)`/g)].map(([, name]) => name ?? '');
    const internal = ['ENDSTOP_STANDIN_URL'];
    expect([...new Set(named)].sort()).toEqual(
      [...variableNames.filter((name) => !internal.includes(name)), 'TEMPORAL_CLI_PATH'].sort(),
    );
  });

  it('shows a spec that loads', async () => {
    const readme = await readFile('README.md', 'utf8');
    const example = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)]
      .map(([, code]) => code ?? '')
      .find((code) => code.includes('defineSpec('));
    const folder = await mkdtemp(join(tmpdir(), 'endstop-readme-'));
    const file = join(folder, 'receipt.ts');
    await writeFile(file, (example ?? '').replace("'endstop'", `'${resolve('src/spec/index.ts')}'`));
    const [spec] = await loadSpecs(file);
    expect(spec?.id).toBe('receipt');
    await rm(folder, { recursive: true });
  });
});
