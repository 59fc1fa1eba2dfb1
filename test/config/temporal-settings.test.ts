import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig, resolveEnvironment } from '../../src/config.js';
import { selfSigned } from '../support/certificate.js';

const folder = mkdtempSync(join(tmpdir(), 'endstop-temporal-'));
afterAll(() => rmSync(folder, { recursive: true }));
const one = selfSigned('one.test');
const other = selfSigned('other.test');
for (const [name, text] of Object.entries({
  'one.pem': one.cert,
  'one.key': one.key,
  'other.key': other.key,
  'no.pem': 'hunter2',
  'temporal.toml':
    '[profile.default]\naddress = "cloud.example:7233"\nnamespace = "claims.a1b2c"\napi_key = "hunter2"\n',
  'broken.toml': '[profile.default]\napi_key = hunter2"\n',
}))
  writeFileSync(join(folder, name), text);

const address = 'temporal.example:7233';
const read = (env: Record<string, string>) => readConfig(env, undefined, folder).temporal;
const message = (env: Record<string, string>): string => {
  try {
    read({ TEMPORAL_ADDRESS: address, ...env });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};
const certificate = { TEMPORAL_TLS_CLIENT_CERT_PATH: 'one.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: 'one.key' };

describe('given how to enter a Temporal server', () => {
  it('when nothing is said, then it is entered as it always was', () => {
    expect(read({ TEMPORAL_ADDRESS: address })).toEqual({
      address,
      namespace: 'default',
      uiUrl: null,
      access: null,
      codecKeys: [],
    });
  });

  it('when TLS is asked for, then with the certificates of this machine', () => {
    expect(read({ TEMPORAL_ADDRESS: address, TEMPORAL_TLS: 'true' }).access).toEqual({
      tls: {},
      apiKey: null,
      metadata: {},
    });
  });

  it('when there is a key, then with TLS, unless that is switched off by name', () => {
    const key = { TEMPORAL_ADDRESS: address, TEMPORAL_API_KEY: 'k' };
    expect(read(key).access).toEqual({ tls: {}, apiKey: 'k', metadata: {} });
    expect(read({ ...key, TEMPORAL_TLS: '0' }).access?.tls).toBeNull();
  });

  it('when there is a certificate, then both of its parts are read from the working directory', () => {
    const { access } = read({ TEMPORAL_ADDRESS: address, ...certificate, TEMPORAL_GRPC_META_TEAM: 'claims' });
    expect(String(access?.tls?.clientCertPair?.crt)).toBe(one.cert);
    expect(String(access?.tls?.clientCertPair?.key)).toBe(one.key);
    expect(access?.metadata).toEqual({ team: 'claims' });
  });

  it('when a profile is asked for, then it names server, namespace and key', () => {
    expect(read({ TEMPORAL_CONFIG_FILE: 'temporal.toml' })).toMatchObject({
      address: 'cloud.example:7233',
      namespace: 'claims.a1b2c',
      access: { tls: {}, apiKey: 'hunter2' },
    });
    expect(resolveEnvironment({ TEMPORAL_CONFIG_FILE: 'temporal.toml' }, folder)).toMatchObject({
      TEMPORAL_ADDRESS: 'cloud.example:7233',
      TEMPORAL_NAMESPACE: 'claims.a1b2c',
    });
  });

  it('when none is asked for, then a temporal.toml in the user folder is left alone', () => {
    expect(read({ HOME: folder, XDG_CONFIG_HOME: folder }).address).toBeNull();
  });
});

describe('given one that cannot be used', () => {
  it.each([
    [{ TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS is "yes", but it must be true or false.'],
    [
      { ...certificate, TEMPORAL_TLS_CLIENT_CERT_PATH: 'gone.pem' },
      'The client certificate for Temporal, "gone.pem", cannot be read: there is no such file; see TEMPORAL_TLS_CLIENT_CERT_PATH.',
    ],
    [
      { TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'no.pem' },
      'The server certificate for Temporal is no certificate in PEM; see TEMPORAL_TLS_SERVER_CA_CERT_PATH.',
    ],
    [
      { TEMPORAL_TLS_CLIENT_CERT_PATH: 'one.pem' },
      'A client certificate is configured for Temporal, but nothing that belongs to it: set TEMPORAL_TLS_CLIENT_KEY_PATH.',
    ],
    [
      { ...certificate, TEMPORAL_TLS_CLIENT_KEY_PATH: 'other.key' },
      'The client key for Temporal does not belong to the client certificate; see TEMPORAL_TLS_CLIENT_KEY_PATH.',
    ],
    [
      { ...certificate, TEMPORAL_TLS_CLIENT_KEY_PATH: 'no.pem' },
      'The client key for Temporal is no private key in PEM without a password; see TEMPORAL_TLS_CLIENT_KEY_PATH.',
    ],
    [
      { TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: 'true' },
      'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION cannot be used: name the certificate that signed the server in TEMPORAL_TLS_SERVER_CA_CERT_PATH instead.',
    ],
    [
      { TEMPORAL_CONFIG_FILE: 'temporal.toml', TEMPORAL_PROFILE: 'staging' },
      'TEMPORAL_PROFILE is "staging", but "temporal.toml" has no such profile.',
    ],
    [
      { TEMPORAL_CONFIG_FILE: 'broken.toml' },
      'TEMPORAL_CONFIG_FILE "broken.toml" is no valid TOML at line 2.',
    ],
    [
      { TEMPORAL_ADDRESS: '', TEMPORAL_TLS: '1' },
      'The environment says how to enter a Temporal server (TLS, key or headers), but not which: set TEMPORAL_ADDRESS.',
    ],
  ])('then %o is refused in one sentence that repeats no secret', (env, said) => {
    expect(message(env as Record<string, string>)).toBe(said);
  });

  it('then a file that is not there is named', () => {
    expect(message({ TEMPORAL_CONFIG_FILE: 'gone.toml' })).toBe(
      `TEMPORAL_CONFIG_FILE is "${join(folder, 'gone.toml')}", which cannot be read: there is no such file.`,
    );
  });
});

describe('given secrets in files', () => {
  const secret = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return name;
  };

  it('then they are read as if they stood in their variables, without their line end', () => {
    const config = readConfig(
      {
        DATABASE_URL_FILE: secret('database', 'postgres://db/x\n'),
        ENDSTOP_API_KEY_FILE: secret('key', 'correct-horse-battery\n'),
        ANTHROPIC_API_KEY_FILE: secret('model', 'sk-1'),
        TEMPORAL_API_KEY_FILE: secret('temporal', 'cloud-key\n'),
        TEMPORAL_ADDRESS: address,
      },
      undefined,
      folder,
    );
    expect(config.databaseUrl).toBe('postgres://db/x');
    expect(config.api.key).toBe('correct-horse-battery');
    expect(config.model.apiKey).toBe('sk-1');
    expect(config.temporal.access?.apiKey).toBe('cloud-key');
  });

  it('then processes that are started get the secret and not the file', () => {
    const env = resolveEnvironment({ DATABASE_URL_FILE: secret('database', 'postgres://db/x\n') }, folder);
    expect(env).toEqual({ DATABASE_URL: 'postgres://db/x' });
  });

  it.each([
    ['there is none', { DATABASE_URL_FILE: 'gone' }, 'which cannot be read: there is no such file.'],
    ['it is a folder', { DATABASE_URL_FILE: '.' }, 'which cannot be read: it is a folder.'],
    ['it is empty', { DATABASE_URL_FILE: secret('empty', '\n') }, 'but that file is empty.'],
  ])('when %s, then that is said', (_what, env, said) => {
    expect(message(env as Record<string, string>)).toMatch(
      new RegExp(`^DATABASE_URL_FILE is ".*", ${said}$`),
    );
  });

  it('when the secret stands in its variable as well, then neither is guessed', () => {
    expect(message({ ENDSTOP_API_KEY: 'correct-horse-battery', ENDSTOP_API_KEY_FILE: 'key' })).toBe(
      'ENDSTOP_API_KEY and ENDSTOP_API_KEY_FILE are both set, but only one of them can be meant.',
    );
  });

  it('when one of a file cannot be used, then the message does not repeat it', () => {
    expect(message({ ENDSTOP_API_KEY_FILE: secret('short', 'hunter2') })).toBe(
      'ENDSTOP_API_KEY holds a value that cannot be used, but it must be at least 16 printable characters without spaces.',
    );
  });
});
