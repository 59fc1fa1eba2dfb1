import { connect, createSecureServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.js';

export interface TlsFrontOptions {
  readonly server: Certificate;
  /** Whoever comes must show a certificate that this one signed. */
  readonly clients?: Certificate;
  /** Whoever comes must send this key as a bearer. */
  readonly apiKey?: string;
}

export interface TlsFront {
  /** host:port */
  readonly address: string;
  /** Requests that were let through. */
  passed(): number;
  close(): Promise<void>;
}

/** A gRPC server reached over TLS only, as a hosted one is: ends TLS, checks certificate and key, passes streams on. */
export async function openTlsFront(target: string, options: TlsFrontOptions): Promise<TlsFront> {
  const { server: own, clients, apiKey } = options;
  let passed = 0;
  const back = connect(`http://${target}`);
  back.on('error', () => undefined);
  const front = createSecureServer({
    key: own.key,
    cert: own.cert,
    ...(clients === undefined ? {} : { ca: clients.cert, requestCert: true, rejectUnauthorized: true }),
  });
  const sessions = new Set<{ destroy(): void }>();
  front.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  front.on('stream', (near: ServerHttp2Stream, headers) => {
    near.on('error', () => undefined);
    if (apiKey !== undefined && headers['authorization'] !== `Bearer ${apiKey}`) {
      near.respond(
        { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '16', 'grpc-message': 'no key' },
        { endStream: true },
      );
      return;
    }
    passed += 1;
    const far = back.request({ ...headers, ':scheme': 'http', ':authority': target });
    far.on('error', () => near.close());
    near.on('aborted', () => far.close());
    let trailers: Record<string, unknown> = {};
    far.on('trailers', (sent) => {
      trailers = sent;
    });
    far.on('response', (sent, flags) => {
      const isWhole = (flags & 1) === 1;
      near.respond(sent, isWhole ? { endStream: true } : { waitForTrailers: true });
      if (isWhole) return;
      near.on('wantTrailers', () => near.sendTrailers(trailers as Record<string, string>));
      far.pipe(near);
    });
    near.pipe(far);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(front.address() as AddressInfo).port}`,
    passed: () => passed,
    close: async () => {
      for (const session of sessions) session.destroy();
      back.destroy();
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
