import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../src/config.js';
import { workerSize } from '../src/main/worker-size.js';
import {
  compose,
  composeText,
  makeSecrets,
  ours,
  readCompose,
  secretFolder,
  withSecrets,
} from './support/compose.js';

makeSecrets({ ANTHROPIC_API_KEY: 'sk-of-the-tests' });

const guide = readFileSync('docs/deploy.md', 'utf8');

describe('docker-compose.yml', () => {
  it("knows specs of one's own wherever specs are looked up, and versions of workers", () => {
    const config = (name: string, env: Record<string, string>) => {
      const { environment = {} } = readCompose('docker-compose.yml', env).services[name] ?? {};
      return readConfig(withSecrets(environment), undefined, '/app');
    };
    for (const [name, { volumes }] of ours) {
      expect(volumes, name).toEqual(['./specs:/app/own:ro']);
      expect(config(name, { ENDSTOP_SPECS: 'own/receipt.ts' }).specFiles).toEqual(['/app/own/receipt.ts']);
      expect(config(name, {}).specFiles).toEqual([]);
    }
    const versioned = { TEMPORAL_DEPLOYMENT_NAME: 'endstop', TEMPORAL_WORKER_BUILD_ID: '7' };
    for (const name of ['worker', 'worker-lanes']) {
      expect(config(name, versioned).deployment).toEqual({ name: 'endstop', buildId: '7' });
      expect(config(name, {}).deployment).toBeNull();
    }
  });

  it('lets a bucket and limits through to whoever needs them, and is as without where they are not set', () => {
    const given = {
      ...{ ENDSTOP_DOCUMENTS_URL: 's3://papers/in', ENDSTOP_REQUESTS_PER_MINUTE: '60' },
      ...{ ENDSTOP_TENANT_MOST_OPEN: '7', ENDSTOP_TENANT_PER_SECOND: '0.5' },
    };
    const read = (name: string, env: Record<string, string>) => {
      const { environment = {} } = readCompose('docker-compose.yml', env).services[name] ?? {};
      const { documents, tenantLimits, api } = readConfig(withSecrets(environment), undefined, '/app');
      return [documents, tenantLimits, api.perMinute];
    };
    for (const [name, { environment }] of ours) {
      const limits = { mostOpen: 7, perSecond: 0.5 };
      expect(read(name, given), name).toEqual([{ bucket: 'papers', prefix: 'in/' }, limits, 60]);
      expect(read(name, {}), name).toEqual([null, { mostOpen: null, perSecond: null }, 6_000]);
      // An empty one would be a region, a server and keys to the AWS client.
      for (const part of ['REGION', 'ENDPOINT_URL_S3', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'])
        expect(environment, name).toHaveProperty(`AWS_${part}`, null);
    }
  });

  it('has the name that the guide calls its containers by, wherever the clone lies', () => {
    const { name } = parse(composeText) as { readonly name: string };
    const called = [...guide.matchAll(/docker (?:stop|rm) (.+)/g)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    expect(called.length).toBeGreaterThan(0);
    expect(called.filter((each) => !each.startsWith(`${name}-worker-`))).toEqual([]);
  });

  it('gives a container the memory for its slots: as many as it computes, and no floor of one each', () => {
    for (const [name, { command = [], environment = {}, deploy }] of ours) {
      expect(Object.keys(environment).filter((variable) => variable.endsWith('_SLOTS'))).toEqual([]);
      if (!command.join().includes('first')) continue;
      const { cpus = '', memory = '' } = deploy?.resources.limits ?? {};
      const memoryMib = Number(/^(\d+)g$/.exec(memory)?.[1]) * 1024;
      const { first, repair } = workerSize({ cores: Number(cpus), memoryMib, heapMib: memoryMib / 2 });
      expect([name, first, repair]).toEqual(['worker-lanes', 7, 2]);
      expect(composeText).toContain(`${first} first and ${repair} repair`);
    }
  });

  it('lets Postgres take every connection that may be opened, while an upgrade runs both versions as well', () => {
    const perProcess = Number(
      /poolSize \?\? (\d+)/.exec(readFileSync('src/adapters/postgres/connection.ts', 'utf8'))?.[1],
    );
    const { SQL_MAX_CONNS, SQL_VIS_MAX_CONNS } = compose.services['temporal']?.environment ?? {};
    // Each of its services opens both stores by itself: frontend, history, matching, worker.
    const temporal = 4 * (Number(SQL_MAX_CONNS) + Number(SQL_VIS_MAX_CONNS));
    const steady = ours.filter(([, { restart }]) => restart === 'unless-stopped');
    const own = steady
      .map(([, { command = [], deploy }]) => {
        const listening = command.join().includes('store') ? 1 : 0;
        return (deploy?.replicas ?? 1) * (perProcess + listening);
      })
      .reduce((sum, connections) => sum + connections, 0);
    const [command, schemaTools, reserved] = [perProcess, 2, 3];
    expect([temporal, own]).toEqual([60, 41]);
    const sum = temporal + 2 * own + command + schemaTools + reserved;
    expect(composeText).toContain(`${sum}. Ten more for each`);
    const most = /max_connections=(\d+)/.exec(compose.services['postgres']?.command?.join() ?? '')?.[1];
    expect(Number(most)).toBeGreaterThan(sum);
    expect(Math.floor((Number(most) - sum) / perProcess)).toBe(4);
    expect(guide).toMatch(/leaves room for\s+four more/);
  });

  it('says once and for all how many shards Temporal has', () => {
    expect(compose.services['temporal']?.environment?.['NUM_HISTORY_SHARDS']).toBe('512');
  });
});

describe('deploy/prometheus.yml', () => {
  const { scrape_configs: jobs, rule_files: rules } = parse(
    readFileSync('deploy/prometheus.yml', 'utf8'),
  ) as {
    readonly scrape_configs: readonly {
      readonly authorization?: { readonly credentials_file: string };
      readonly static_configs?: readonly { readonly targets: readonly string[] }[];
      readonly dns_sd_configs?: readonly { readonly names: readonly string[]; readonly port: number }[];
    }[];
    readonly rule_files: readonly string[];
  };
  const { services: beside, secrets } = readCompose('deploy/monitoring.yaml');

  it('asks every process that shows metrics where it shows them, and no other', () => {
    const asked = jobs.flatMap(({ static_configs = [], dns_sd_configs = [] }) => [
      ...static_configs.flatMap(({ targets }) => targets),
      ...dns_sd_configs.flatMap(({ names, port }) => names.map((name) => `${name}:${port}`)),
    ]);
    const shown = ours.flatMap(([name, { environment = {}, expose = [] }]) => {
      const { api, metrics } = readConfig(withSecrets(environment), undefined, '/');
      if (name === 'api') return [`${name}:${api.port}`];
      if (metrics === null) return [];
      expect(metrics.host).toBe('0.0.0.0');
      expect(expose).toEqual([String(metrics.port)]);
      return [`${name}:${metrics.port}`];
    });
    expect(asked.sort()).toEqual(shown.sort());
  });

  it('finds its rules and its key where they are mounted, and is bounded as the others are', () => {
    const { prometheus } = beside;
    const mounts = (prometheus?.volumes ?? []).filter((volume) => volume.startsWith('./'));
    for (const mount of mounts) expect(existsSync(mount.split(':')[0] ?? '')).toBe(true);
    const inside = mounts.map((mount) => mount.split(':')[1]);
    expect(rules.filter((rule) => !inside.includes(rule))).toEqual([]);
    const credentials = jobs.flatMap(({ authorization }) => authorization?.credentials_file ?? []);
    expect(credentials).toEqual(prometheus?.secrets?.map((secret) => `/run/secrets/${secret}`));
    expect(secrets).toEqual({ metrics_key: { file: './secrets/metrics_key' } });
    expect(prometheus?.cap_drop).toEqual(['ALL']);
    expect(prometheus?.deploy?.resources.limits.pids).toBeGreaterThan(0);
    expect(prometheus?.ports?.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
  });
});

describe('deploy/temporal-cloud.yaml', () => {
  const cloud = readCompose('deploy/temporal-cloud.yaml', {
    TEMPORAL_ADDRESS: 'endstop.a1b2c.tmprl.cloud:7233',
    TEMPORAL_NAMESPACE: 'endstop.a1b2c',
  });

  it('takes away the bundled server with all that waits for it, and gives the rest what Cloud asks for', () => {
    writeFileSync(join(secretFolder, 'temporal_api_key'), 'key-of-the-tests');
    const gone = Object.keys(cloud.services).filter((name) => cloud.services[name] === null);
    const left = Object.entries(compose.services)
      .filter(([name]) => !gone.includes(name))
      .map(([name]) => name);
    expect(left.sort()).toEqual(['api', 'migrate', 'postgres', 'worker', 'worker-lanes']);
    for (const [name, { depends_on, environment }] of ours) {
      const more = cloud.services[name];
      const waits = Object.keys(more?.depends_on ?? depends_on ?? {});
      expect(waits.filter((needed) => gone.includes(needed))).toEqual([]);
      const config = readConfig(withSecrets({ ...environment, ...more?.environment }), undefined, '/');
      expect(config.temporal).toMatchObject({
        address: 'endstop.a1b2c.tmprl.cloud:7233',
        namespace: 'endstop.a1b2c',
        access: { tls: {}, apiKey: 'key-of-the-tests' },
      });
      expect(more?.secrets).toEqual(['temporal_api_key']);
    }
  });
});

describe('docs/deploy.md', () => {
  const blocks = [...guide.matchAll(/^```(\w+).*\n([\s\S]*?)^```/gm)].map(([, language, text]) => ({
    language,
    text: text ?? '',
  }));

  it('sets in .env what the Compose files read from there, and nothing else', () => {
    const set = blocks
      .filter(({ language }) => language === 'ini')
      .flatMap(({ text }) => [...text.matchAll(/^(\w+)=/gm)].map(([, name]) => name ?? ''));
    const files = ['docker-compose.yml', 'deploy/temporal-cloud.yaml'];
    const read = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?<!\$)\$\{(\w+):/g)].map(([, name]) => name ?? ''),
    );
    const passedOn = Object.entries(compose.services['api']?.environment ?? {})
      .filter(([, value]) => value === null)
      .map(([name]) => name);
    expect([...new Set(set)].sort()).toEqual([...new Set([...read, ...passedOn, 'COMPOSE_FILE'])].sort());
    const together = /COMPOSE_FILE=(.*)/.exec(guide)?.[1]?.split(':') ?? [];
    expect(together).toEqual(files);
  });

  it('names only services that exist', () => {
    const lines = blocks.flatMap(({ language, text }) => (language === 'sh' ? text.split('\n') : []));
    const named = lines.flatMap((line) => {
      const [, rest] = /^docker compose (.*)$/.exec(line) ?? [];
      const words = (rest ?? '').replaceAll(/--(?:file|scale) \S+/g, '').split(' ');
      const [verb = '', ...after] = words.filter((word) => word !== '' && !word.startsWith('-'));
      return verb === 'up' ? after : after.slice(0, 1);
    });
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => compose.services[name] === undefined)).toEqual([]);
  });

  it.each([
    [
      ...['caddy', /reverse_proxy localhost:4680/, /max_size 32MiB/],
      /@bounded not path \/v1\/batches\n\trequest_body @bounded \{/,
    ],
    [
      ...['nginx', /proxy_pass http:\/\/127\.0\.0\.1:4680/, /client_max_body_size 32m/],
      /location = \/v1\/batches \{\s+client_max_body_size 0;\s+proxy_request_buffering off;\s+proxy_pass/,
    ],
  ] as const)('%s passes on to the API whatever it takes', (proxy, port, size, manifest) => {
    const [{ text } = { text: '' }] = blocks.filter(({ language }) => language === proxy);
    expect(text).toMatch(port);
    expect(text).toMatch(size);
    // Of these the API says no length, and reads them as they arrive.
    expect(text).toMatch(manifest);
    expect(compose.services['api']?.ports).toEqual(['127.0.0.1:4680:4680']);
    // What its largest body is, src/http/app.ts says.
    expect(readFileSync('src/http/app.ts', 'utf8')).toContain('submissionBytes = 32 * 1024 * 1024');
  });
});
