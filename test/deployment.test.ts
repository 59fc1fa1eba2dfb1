import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, variableNames } from '../src/config.js';
import { defaultPorts } from '../src/embedded/ports.js';
import { createContext } from '../src/main/context.js';
import { wholeProgram } from '../src/main/whole-program.js';
import { loadSpecs } from '../src/spec/load-spec.js';
import {
  compose,
  composeText,
  makeSecrets,
  ours,
  secretFolder,
  services,
  withSecrets,
} from './support/compose.js';

const packageJson = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
const refused = makeSecrets({});
const made = makeSecrets({ ANTHROPIC_API_KEY: 'sk-of-the-tests' });
const context = createContext({}, process.cwd());
const program = await wholeProgram(context, '0');

/** Read by the AWS client itself, which takes an empty one for a value. */
const ofBucket = ['AWS_REGION', 'AWS_ENDPOINT_URL_S3', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

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
      expect(
        Object.keys(environment).filter((name) => !variableNames.includes(name) && !ofBucket.includes(name)),
      ).toEqual([]);
      const config = readConfig(withSecrets(environment), undefined, '/');
      expect(config.temporal.address).toBe('temporal:7233');
      expect(new URL(config.databaseUrl ?? '').hostname).toBe('postgres');
      expect(config.model.apiKey).toBe('sk-of-the-tests');
      expect(config.temporal.codecKeys.map(({ id }) => id)).toEqual(['first']);
    },
  );

  it.each(services)('%s is held within bounds', (name, service) => {
    const { deploy, security_opt, restart, cap_drop, user, read_only } = service;
    // Processes among them: Compose refuses the whole file when they are bounded beside these.
    const bounds = { cpus: expect.any(String), memory: expect.any(String), pids: expect.any(Number) };
    expect(deploy?.resources.limits).toEqual(bounds);
    expect(service).not.toHaveProperty('pids_limit');
    expect(security_opt).toEqual(['no-new-privileges:true']);
    expect(restart).toMatch(/^(unless-stopped|on-failure)$/);
    // Postgres steps down from root by itself, and owns its folder before that; the UI writes its own configuration.
    if (name !== 'postgres') expect(cap_drop).toEqual(['ALL']);
    if (name !== 'postgres' && name !== 'temporal-ui') expect(user).toBe('1000:1000');
    if (name !== 'temporal-ui') expect(read_only).toBe(true);
  });

  it.each(services.filter(([, { restart }]) => restart === 'unless-stopped'))(
    '%s is asked whether it lives',
    (_name, { healthcheck }) => {
      expect(healthcheck?.test.length).toBeGreaterThan(1);
      expect(healthcheck?.test.every((word) => typeof word === 'string')).toBe(true);
    },
  );

  it('keeps secrets in files: none is an environment variable, and each is mounted where it is read', () => {
    // What the shell inside a container fills in is written with two.
    const fromOutside = [...composeText.matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name]) => name);
    expect([...new Set(fromOutside)].sort()).toEqual([
      ...['ENDSTOP_DOCUMENTS_URL', 'ENDSTOP_REQUESTS_PER_MINUTE', 'ENDSTOP_SPECS', 'ENDSTOP_SPECS_FOLDER'],
      ...['ENDSTOP_TENANT_MOST_OPEN', 'ENDSTOP_TENANT_PER_SECOND'],
      ...['TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_WORKER_BUILD_ID'],
    ]);
    for (const [name, { environment = {}, secrets = [], command = [], entrypoint = [] }] of services) {
      const said = [...Object.values(environment), ...command, ...entrypoint].join('\n');
      const read = [...said.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret ?? '');
      expect([...new Set(read)].sort(), name).toEqual([...secrets].sort());
      expect(
        Object.keys(environment).filter(
          (variable) =>
            /(KEYS?|PASSWORD|PWD|_URL)$/.test(variable) &&
            !['TEMPORAL_UI_URL', 'ENDSTOP_DOCUMENTS_URL', ...ofBucket].includes(variable),
        ),
      ).toEqual([]);
    }
    for (const [name, { file }] of Object.entries(compose.secrets)) {
      expect(file).toBe(`./secrets/${name}`);
      expect(existsSync(join(secretFolder, name)), `deploy/secrets.sh makes ${name}`).toBe(true);
    }
  });

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

describe('deploy/secrets.sh', () => {
  it('makes what is missing, says what it needs, and keeps what is there', () => {
    expect(refused.status).toBe(2);
    expect(refused.stderr).toMatch(/^Set ANTHROPIC_API_KEY, so that/);
    expect(made.status).toBe(0);
    const before = readFileSync(join(secretFolder, 'database_url'), 'utf8');
    const again = makeSecrets({ ANTHROPIC_API_KEY: 'another' });
    expect(again).toMatchObject({ status: 0, stdout: '' });
    expect(readFileSync(join(secretFolder, 'database_url'), 'utf8')).toBe(before);
    expect(readFileSync(join(secretFolder, 'anthropic_api_key'), 'utf8')).toBe('sk-of-the-tests');
  });
});

describe.each(['Dockerfile', 'Dockerfile.lambda'])('%s', (path) => {
  const text = readFileSync(path, 'utf8').replace(/\\\n/g, ' ');
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  const all = (instruction: string) =>
    lines
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1));

  it('begins from a version that is named to its last number', () => {
    const bases = all('FROM').map((from) => from.split(' ')[0]);
    expect(bases[0]).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    // The second: the same one, or Amazon's runtime, which a release names by digest.
    expect(bases[1]).toBe(path === 'Dockerfile' ? bases[0] : ['$', '{RUNTIME}'].join(''));
    expect(text).not.toMatch(/:latest/);
  });

  it('does not run as root', () => {
    const [user = ''] = all('USER').slice(-1);
    expect(Number(user.split(':')[0])).toBeGreaterThan(0);
    expect(lines.findLastIndex((line) => line.startsWith('USER '))).toBeGreaterThan(
      lines.findLastIndex((line) => /^(RUN|COPY) /.test(line)),
    );
  });

  it('holds no secret, and asks for none', () => {
    expect([...all('ARG'), ...all('ENV')].join(' ')).not.toMatch(/KEY|TOKEN|PASSWORD|SECRET|_URL/);
    expect(text).not.toMatch(/^ADD /m);
  });

  it('holds only what is needed, and that is let through to it', () => {
    const copied = all('COPY')
      .filter((copy) => !copy.startsWith('--from'))
      .flatMap((copy) => copy.split(' ').slice(0, -1));
    expect(copied.sort()).toEqual(
      [
        'activities',
        'bin',
        'package-lock.json',
        'package.json',
        'specs',
        'src',
        'tsconfig*.json',
        'workflows',
      ].sort(),
    );
    const allowed = readFileSync('.dockerignore', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('!'));
    expect(allowed.map((line) => line.slice(1)).sort()).toEqual(copied.sort());
    // Native code of this platform comes as optional packages, so they must not be left out.
    expect(text).toMatch(/npm ci /);
    expect(text).not.toMatch(/--omit=optional/);
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

  it('and docs/configuration.md name every setting, and none that is not read', async () => {
    const namesIn = async (file: string) =>
      [...(await readFile(file, 'utf8')).matchAll(/`((?:[A-Z]+_)+[A-Z]+)`/g)].map(([, name]) => name ?? '');
    const internal = ['ENDSTOP_STANDIN_URL'];
    const known = [...variableNames.filter((name) => !internal.includes(name)), 'TEMPORAL_CLI_PATH'].sort();
    expect([...new Set(await namesIn('docs/configuration.md'))].sort()).toEqual(known);
    expect((await namesIn('README.md')).filter((name) => !known.includes(name))).toEqual([]);
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
