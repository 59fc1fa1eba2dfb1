import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that speaks as much of S3 as documents need: one bucket, path style, signed requests. */
export interface ObjectServer {
  readonly url: string;
  readonly bucket: string;
  /** By key, as they are now. */
  readonly objects: Map<string, Buffer>;
  /** Answers the next requests, the SDK's own repetitions included, with 503 while it is true. */
  down: boolean;
  /** Called before an upload is answered. */
  onUploaded: (key: string) => Promise<void> | void;
  close(): Promise<void>;
}

export async function startObjectServer(bucket = 'documents'): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>();
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request);
    const [, asked = '', ...rest] = decodeURIComponent(
      new URL(request.url ?? '/', 'http://s3').pathname,
    ).split('/');
    const key = rest.join('/');
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(request.method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`);
    if (self.down) return refuse(503, 'SlowDown');
    if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=known/'))
      return refuse(403, 'InvalidAccessKeyId');
    if (asked !== bucket) return refuse(404, 'NoSuchBucket');
    switch (request.method) {
      case 'HEAD':
        return response.writeHead(200).end();
      case 'PUT':
        objects.set(key, body);
        await self.onUploaded(key);
        return response.writeHead(200, { etag: '"1"' }).end();
      case 'GET': {
        const found = objects.get(key);
        return found === undefined ? refuse(404, 'NoSuchKey') : response.writeHead(200).end(found);
      }
      case 'DELETE':
        objects.delete(key);
        return response.writeHead(204).end();
      default:
        return refuse(405, 'MethodNotAllowed');
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const self: ObjectServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    objects,
    down: false,
    onUploaded: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return self;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
