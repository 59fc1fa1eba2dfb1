import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connect,
  connectWorker,
  type Reachable,
  type TemporalServer,
} from '../../../src/adapters/temporal/connection.js';
import { registerSearchAttributes } from '../../../src/adapters/temporal/search-attribute-setup.js';
import { readConfig } from '../../../src/config.js';
import { selfSigned, signedBy } from '../../support/certificate.js';
import { type House, openHouse } from '../../support/house.js';
import { claimText } from '../../support/papers.js';
import { openTlsFront, type TlsFront } from '../../support/tls-front.js';

const authority = selfSigned('authority.test');
const server = signedBy(authority, 'temporal.test');
const client = signedBy(authority, 'endstop.test');
const stranger = selfSigned('stranger.test');
const apiKey = 'key-of-the-namespace';
const folder = mkdtempSync(join(tmpdir(), 'endstop-tls-'));
const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
put('ca.pem', authority.cert);
put('client.pem', client.cert);
put('client.key', client.key);
put('stranger.pem', stranger.cert);
put('stranger.key', stranger.key);

let house: House;
let front: TlsFront;

/** A server as it is hosted: TLS, client certificates and an API key; worker and client come the same way. */
beforeAll(async () => {
  house = await openHouse({
    entrance: async (address) => {
      front = await openTlsFront(address, { server, clients: authority, apiKey });
      return serverOf(environment());
    },
  });
});
afterAll(async () => {
  await house.close();
  await front.close();
  rmSync(folder, { recursive: true });
});

const environment = (changes: Record<string, string> = {}): Record<string, string> => ({
  TEMPORAL_ADDRESS: front.address,
  TEMPORAL_API_KEY: apiKey,
  TEMPORAL_TLS_SERVER_NAME: 'temporal.test',
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: 'ca.pem',
  TEMPORAL_TLS_CLIENT_CERT_PATH: 'client.pem',
  TEMPORAL_TLS_CLIENT_KEY_PATH: 'client.key',
  ...changes,
});

function serverOf(env: Record<string, string>): TemporalServer {
  const { address, namespace, access } = readConfig(env, undefined, folder).temporal;
  if (address === null) throw new Error('no address');
  return { address, namespace, access };
}

const clientAt = (reachable: Reachable): Promise<string> =>
  connect(reachable).then(
    (connection) => connection.close().then(() => 'connected'),
    (error: Error) => `${error.name}: ${error.message}`,
  );

const open = async (reachable: Reachable): Promise<string> => {
  const answers = await Promise.all([
    clientAt(reachable),
    connectWorker(reachable).then(
      (connection) => connection.close().then(() => 'connected'),
      (error: Error) => `${error.name}: ${error.message}`,
    ),
  ]);
  expect(answers[0]).toBe(answers[1]);
  return answers[0];
};

describe('a Temporal server behind TLS that wants a certificate and a key', () => {
  it('runs documents: client and workers come in the same way', async () => {
    const { extraction } = await house.extract({
      specId: 'claim',
      document: { kind: 'bytes', mediaType: 'text/plain', bytes: Buffer.from(claimText({})) },
    });
    expect(extraction.outcome).toBe('verified');
    expect(front.passed()).toBeGreaterThan(10);
  });

  it('is entered with a profile of a temporal.toml, whose variables can be overridden', async () => {
    const profile = `
[profile.hosted]
address = "${front.address}"
namespace = "default"
api_key = "wrong"
[profile.hosted.tls]
server_name = "temporal.test"
server_ca_cert_path = "ca.pem"
client_cert_path = "client.pem"
client_key_path = "client.key"
`;
    const asked = { TEMPORAL_CONFIG_FILE: put('temporal.toml', profile), TEMPORAL_PROFILE: 'hosted' };
    expect(await open(serverOf({ ...asked, TEMPORAL_API_KEY: apiKey }))).toBe('connected');
    expect(await open(serverOf(asked))).toMatch(/does not let this client in: check TEMPORAL_API_KEY/);
  });

  it.concurrent.each([
    ['no TLS at all', { access: null }, /is no Temporal server without TLS: set TEMPORAL_TLS=true/],
    ['no authority', { TEMPORAL_TLS_SERVER_CA_CERT_PATH: '' }, /signed by nobody this machine trusts/],
    ['the name of another server', { TEMPORAL_TLS_SERVER_NAME: 'other.test' }, /is not for other.test/],
    [
      'a certificate that the server does not know',
      { TEMPORAL_TLS_CLIENT_CERT_PATH: 'stranger.pem', TEMPORAL_TLS_CLIENT_KEY_PATH: 'stranger.key' },
      /refuses the client certificate, or wants one/,
    ],
    [
      'no certificate',
      { TEMPORAL_TLS_CLIENT_CERT_PATH: '', TEMPORAL_TLS_CLIENT_KEY_PATH: '' },
      /refuses the client certificate, or wants one/,
    ],
  ])('is told apart from one that is down: %s', async (_what, changes, said) => {
    const { access, ...variables } = changes as { access?: null } & Record<string, string>;
    // A worker would wait for a server that is only starting.
    const answer =
      access === null
        ? await clientAt({ address: front.address })
        : await open(serverOf(environment(variables)));
    expect(answer).toMatch(said);
    expect(answer).not.toContain(apiKey);
  });
});

describe('search attributes where clients may not register them', () => {
  it.each([7, 12])('are listed, so that somebody makes them by hand (gRPC status %i)', async (code) => {
    const refuse = async () => {
      throw Object.assign(new Error('no'), { code });
    };
    const connection = { operatorService: { listSearchAttributes: refuse } };
    const asked = registerSearchAttributes(
      connection as unknown as Parameters<typeof registerSearchAttributes>[0],
      'default',
    );
    await expect(asked).rejects.toThrow(
      /console: EndstopSpec \(KEYWORD\), .*EndstopDeadline \(DATETIME\)\.$/,
    );
  });
});
