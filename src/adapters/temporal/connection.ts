import { connect as openSocket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as openTls } from 'node:tls';
import { Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import { EngineUnavailable } from '../../ports/engine.js';
import type { CodecKey } from './codec.js';
import { statusOf, unavailable } from './guard.js';

/** Which Temporal server, and how it is entered. */
export interface TemporalServer {
  /** host:port of the frontend. */
  readonly address: string;
  readonly namespace: string;
  /** TLS, API key and headers; without any when absent or null. */
  readonly access?: ServerAccess | null;
  /** Keys that payloads are encrypted with, the current one first; in the clear without any. */
  readonly codecKeys?: readonly CodecKey[];
}

interface ServerAccess {
  readonly tls: {
    readonly serverNameOverride?: string;
    readonly serverRootCACertificate?: Uint8Array;
    readonly clientCertPair?: { readonly crt: Uint8Array; readonly key: Uint8Array };
  } | null;
  readonly apiKey: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What `connect` needs to know. */
export type Reachable = Pick<TemporalServer, 'address' | 'access'>;

/** Opens a client connection, or says in one sentence why there is none. @throws EngineUnavailable */
export async function connect(server: Reachable): Promise<Connection> {
  try {
    return await Connection.connect({ ...optionsOf(server), connectTimeout: '5s' });
  } catch (error) {
    throw await whyNot(server, error);
  }
}

/** A second apart: a server that starts beside its workers is there within these. */
const connectTries = 15;

/**
 * The same for workers. `NativeConnection.connect` rejects at once when the server is not there yet, so the waiting is
 * ours; a server that is there and refuses is not asked again.
 * @throws EngineUnavailable
 */
export async function connectWorker(server: Reachable): Promise<NativeConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await NativeConnection.connect(optionsOf(server));
    } catch (error) {
      const reason = await whyNot(server, error);
      if (tries >= connectTries || reason.isRefusal) throw reason;
      await sleep(1_000);
    }
  }
}

function optionsOf({ address, access }: Reachable) {
  if (access == null) return { address };
  const { tls, apiKey, metadata } = access;
  return {
    address,
    tls: tls ?? false,
    metadata: { ...metadata },
    ...(apiKey === null ? {} : { apiKey }),
  };
}

/** UNAUTHENTICATED and PERMISSION_DENIED. */
const refusals = [16, 7];

/** The server is there, but will not have us as we are: asking again would change nothing. */
class EngineRefusal extends EngineUnavailable {
  readonly isRefusal = true;
}

/** Looks at the way to the server: the SDK reports a refused certificate like a server that is not there. */
async function whyNot(
  server: Reachable,
  error: unknown,
): Promise<EngineUnavailable & { readonly isRefusal?: boolean }> {
  const { address, access } = server;
  if (refusals.includes(statusOf(error) ?? nativeStatus(error))) {
    return new EngineRefusal(
      `The Temporal server at ${address} does not let this client in: check TEMPORAL_API_KEY, the client certificate and TEMPORAL_NAMESPACE.`,
    );
  }
  const [host, port] = partsOf(address);
  if (!(await accepts(host, port))) return unavailable(address);
  if (access?.tls == null) {
    return new EngineUnavailable(
      `Something listens at ${address}, but it is no Temporal server without TLS: set TEMPORAL_TLS=true if it wants TLS.`,
    );
  }
  const fault = await handshakeFault(host, port, access.tls);
  if (fault === null) return unavailable(address);
  return new EngineRefusal(`No TLS connection with the Temporal server at ${address}: ${fault}.`);
}

/** The worker's own errors carry the status as a sentence only. */
function nativeStatus(error: unknown): number {
  const text = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : '';
  if (/does not have valid authentication credentials/.test(text)) return 16;
  return /does not have permission to execute/.test(text) ? 7 : 0;
}

function partsOf(address: string): [host: string, port: number] {
  const at = address.lastIndexOf(':');
  return [address.slice(0, at).replace(/^\[|\]$/g, ''), Number(address.slice(at + 1))];
}

const patienceMs = 3_000;

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = openSocket({ host, port, timeout: patienceMs });
    const end = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
}

/** In TLS 1.3 a refused client certificate comes after the handshake, as an alert: waited for this long. */
const alertWithinMs = 500;

function handshakeFault(
  host: string,
  port: number,
  { serverNameOverride, serverRootCACertificate, clientCertPair }: NonNullable<ServerAccess['tls']>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const servername = serverNameOverride ?? host;
    const socket = openTls({
      host,
      port,
      ALPNProtocols: ['h2'],
      timeout: patienceMs,
      // An IP address is no server name; it is checked against the certificate all the same.
      ...(/^[\d.:]+$/.test(servername) ? {} : { servername }),
      ...(serverRootCACertificate === undefined ? {} : { ca: Buffer.from(serverRootCACertificate) }),
      ...(clientCertPair === undefined
        ? {}
        : { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
    });
    const end = (answer: string | null) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('secureConnect', () => setTimeout(() => end(null), alertWithinMs));
    socket.once('error', (error: NodeJS.ErrnoException) => end(inWords(error, servername)));
    // Some say nothing and hang up.
    socket.once('end', () => end(inWords({ name: '', message: '', code: 'ECONNRESET' }, servername)));
    socket.once('timeout', () => end('it does not answer'));
  });
}

function inWords({ code = '' }: NodeJS.ErrnoException, servername: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `its certificate is not for ${servername}; see TEMPORAL_TLS_SERVER_NAME`;
  if (/SELF_SIGNED|UNABLE_TO|ISSUER|UNTRUSTED/.test(code))
    return 'its certificate is signed by nobody this machine trusts; see TEMPORAL_TLS_SERVER_CA_CERT_PATH';
  if (/EXPIRED|NOT_YET_VALID/.test(code)) return 'its certificate is not valid today';
  if (/ALERT|HANDSHAKE_FAILURE|ECONNRESET/.test(code))
    return 'it refuses the client certificate, or wants one; see TEMPORAL_TLS_CLIENT_CERT_PATH';
  if (/WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST/.test(code)) return 'it does not speak TLS; see TEMPORAL_TLS';
  return code === '' ? 'the handshake failed' : `the handshake failed (${code})`;
}
