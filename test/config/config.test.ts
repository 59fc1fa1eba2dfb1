import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError, isLoopback, misspeltVariables, readConfig, readHome } from '../../src/config.js';

const stack = {
  databaseUrl: 'postgres://endstop:secret@127.0.0.1:5433/endstop',
  temporalAddress: '127.0.0.1:7234',
  namespace: 'local',
  urls: { temporalUi: 'http://127.0.0.1:8234', standin: 'http://127.0.0.1:4010' },
};
const read = (env: Record<string, string>) => readConfig(env, undefined, '/srv/app');
const message = (env: Record<string, string>): string => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

describe('given variables that nobody reads', () => {
  it('then each that is named like ours is said, with what was meant, and never its value', () => {
    const env = {
      ENDSTOP_SPEC: 'secret.ts',
      ENDSTOP_FOO_BAR_BAZ_QUX_ZZ: '1',
      ENDSTOP_TENANT: 'a',
      HOME: '/',
      SPECS: 'x',
    };
    expect(misspeltVariables(env)).toEqual([
      'ENDSTOP_SPEC is no variable of Endstop; did you mean ENDSTOP_SPECS?',
      'ENDSTOP_FOO_BAR_BAZ_QUX_ZZ is no variable of Endstop.',
    ]);
    expect(misspeltVariables({ ENDSTOP_API_KEY_FILE: 'k', ENDSTOP_STANDIN_URL: 'u' })).toEqual([]);
  });
});

describe('given an empty environment', () => {
  it('then every number has its default and every address is unknown', () => {
    expect(read({})).toEqual({
      databaseUrl: null,
      temporal: { address: null, namespace: 'default', uiUrl: null, access: null, codecKeys: [] },
      model: { provider: null, baseUrl: null, apiKey: null },
      documents: null,
      deployment: null,
      home: '/srv/app/.endstop',
      isHomeNamed: false,
      api: { host: '127.0.0.1', port: 4680, key: null, perMinute: 6_000 },
      specFiles: [],
      tenant: 'default',
      slots: { first: null, repair: null, store: null },
      shutdownGraceMs: 60_000,
      inFlight: 20,
      tenantLimits: { mostOpen: null, perSecond: null },
      reviewSlaMs: 86_400_000,
      allowPrivateWebhooks: false,
      metrics: null,
      logLevel: 'info',
    });
  });

  it('when a local stack runs, then its addresses are used and its stand-in is the model', () => {
    const config = readConfig({}, stack, '/srv/app');
    expect(config.databaseUrl).toBe(stack.databaseUrl);
    expect(config.temporal).toEqual({
      address: '127.0.0.1:7234',
      namespace: 'local',
      uiUrl: 'http://127.0.0.1:8234',
      access: null,
      codecKeys: [],
    });
    expect(config.model).toEqual({ provider: 'stand-in', baseUrl: 'http://127.0.0.1:4010', apiKey: null });
  });
});

describe('given variables', () => {
  it('then they win over the local stack', () => {
    const config = readConfig(
      { DATABASE_URL: 'postgres://db/x', TEMPORAL_ADDRESS: 'temporal.example:7233' },
      stack,
      '/srv/app',
    );
    expect(config.databaseUrl).toBe('postgres://db/x');
    expect(config.temporal.address).toBe('temporal.example:7233');
  });

  it("then another server is not shown in the local stack's UI or namespace", () => {
    const config = readConfig({ TEMPORAL_ADDRESS: 'temporal.example:7233' }, stack, '/srv/app');
    expect(config.temporal).toEqual({
      address: 'temporal.example:7233',
      namespace: 'default',
      uiUrl: null,
      access: null,
      codecKeys: [],
    });
  });

  it('then an empty one counts as unset', () => {
    expect(read({ DATABASE_URL: '  ', ENDSTOP_API_PORT: '' }).api.port).toBe(4680);
  });

  it('then spec files are listed with commas and meant from the working directory', () => {
    expect(() => read({ ENDSTOP_SPECS: ' ,' })).toThrow(
      'it must be paths of spec files, with commas between them',
    );
    expect(read({ ENDSTOP_SPECS: 'a.ts, /specs/b.ts,' }).specFiles).toEqual(['/srv/app/a.ts', '/specs/b.ts']);
  });

  it('then the home folder can be read alone, before the stack file in it', () => {
    expect(readHome({ ENDSTOP_HOME: 'state' }, '/srv/app')).toBe('/srv/app/state');
    expect(readHome({ ENDSTOP_HOME: '' }, '/srv/app')).toBe('/srv/app/.endstop');
  });
});

describe('given a model server', () => {
  it('when only a key is set, then it is Anthropic', () => {
    expect(readConfig({ ANTHROPIC_API_KEY: 'sk-1' }, stack, '/').model).toEqual({
      provider: 'anthropic',
      baseUrl: null,
      apiKey: 'sk-1',
    });
  });

  it('when a stand-in is named, then it is the model unless a real one is', () => {
    const env = { ENDSTOP_STANDIN_URL: 'http://127.0.0.1:5000' };
    expect(read(env).model).toEqual({ provider: 'stand-in', baseUrl: 'http://127.0.0.1:5000', apiKey: null });
    expect(read({ ...env, ANTHROPIC_API_KEY: 'sk-1' }).model.provider).toBe('anthropic');
  });

  it('when a base URL is set, then the provider is its host', () => {
    const provider = (url: string) => readConfig({ ANTHROPIC_BASE_URL: url }, stack, '/').model.provider;
    expect(provider('https://gateway.example:8443/v1')).toBe('gateway.example:8443');
    expect(provider('https://api.anthropic.com')).toBe('anthropic');
    expect(provider('http://127.0.0.1:4010')).toBe('stand-in');
  });
});

describe('given a value that cannot be used', () => {
  it.each([
    ['ENDSTOP_API_PORT', '70000', 'a whole number from 0 to 65535'],
    ['ENDSTOP_API_PORT', '80 80', 'a whole number from 0 to 65535'],
    ['ENDSTOP_FIRST_SLOTS', '-1', 'a whole number from 1 to 1000'],
    ['ENDSTOP_REPAIR_SLOTS', '0', 'a whole number from 1 to 1000'],
    ['ENDSTOP_SHUTDOWN_GRACE_SECONDS', '1h', 'a whole number from 0 to 3600'],
    ['ENDSTOP_STORE_SLOTS', '0', 'a whole number from 1 to 1000'],
    ['TEMPORAL_ADDRESS', 'localhost', 'host:port, such as localhost:7233'],
    ['TEMPORAL_ADDRESS', 'http://localhost:7233', 'host:port, such as localhost:7233'],
    ['TEMPORAL_UI_URL', 'localhost:8233', 'a URL such as http://localhost:8233'],
    ['ENDSTOP_API_HOST', 'localhost:80', 'a host name or an IP address, without a port'],
    ['ENDSTOP_TENANT', 'a b', 'letters, digits, ".", "_" and "-", at most 64 of them'],
    ['ENDSTOP_WEBHOOK_ALLOW_PRIVATE', 'yes', '1 (yes) or 0 (no)'],
    ['ENDSTOP_LOG_LEVEL', 'loud', 'one of trace, debug, info, warn, error, fatal, silent'],
  ])(
    'then %s=%s is refused in one sentence that names it and says what is allowed',
    (name, value, allowed) => {
      expect(message({ [name]: value })).toBe(`${name} is "${value}", but it must be ${allowed}.`);
    },
  );

  it.each([
    ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
    ['ENDSTOP_API_KEY', 'hunter2'],
    ['ANTHROPIC_API_KEY', 'sk hunter2'],
    ['ANTHROPIC_BASE_URL', 'ftp://user:hunter2@host'],
  ])('then the message about %s does not repeat the secret', (name, value) => {
    expect(message({ [name]: value })).toMatch(
      new RegExp(`^${name} holds a value that cannot be used, but it must be `),
    );
    expect(message({ [name]: value })).not.toContain('hunter2');
  });

  it('then, whatever the text, a number is read as exactly what it says or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (text) => {
        const answer = message({ ENDSTOP_IN_FLIGHT: text });
        if (text.trim() === '') expect(read({ ENDSTOP_IN_FLIGHT: text }).inFlight).toBe(20);
        else if (answer === 'accepted') {
          expect(read({ ENDSTOP_IN_FLIGHT: text }).inFlight).toBe(Number(text));
        } else expect(answer).toContain('ENDSTOP_IN_FLIGHT');
      }),
    );
  });
});

describe('given a host to listen on', () => {
  it.each(['127.0.0.1', '127.8.9.1', 'localhost', 'LOCALHOST', '::1', '[::1]'])(
    'then %s is this machine',
    (host) => {
      expect(isLoopback(host)).toBe(true);
    },
  );

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.com', 'localhost.example.com', '1270.0.1'])(
    'then %s may be another one',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});
