import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut: connections stay open, and nothing passes any more. */
export interface SeverableLink {
  /** host:port */
  readonly address: string;
  cut(): void;
  close(): Promise<void>;
}

export async function openLink(target: string): Promise<SeverableLink> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((near) => {
    const far = keep(connect(Number(port), host));
    keep(near);
    near.on('data', (bytes) => void (isCut || far.write(bytes)));
    far.on('data', (bytes) => void (isCut || near.write(bytes)));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The link has no port.');
  return {
    address: `127.0.0.1:${address.port}`,
    cut: () => {
      isCut = true;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
