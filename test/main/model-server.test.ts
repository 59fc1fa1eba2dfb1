import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.js';
import { markProcess } from '../../src/embedded/process-identity.js';
import { writeStackFile } from '../../src/embedded/stack-file.js';
import { checkModelServer, whyUnreachable } from '../../src/main/model-server.js';
import { scratchHome } from '../embedded/scratch.js';

/** A server that refuses whoever asks, and the address of one that is gone. */
async function server(isUp: boolean): Promise<string> {
  const listening = createServer((_, answer) => answer.writeHead(401).end());
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  const { port } = listening.address() as AddressInfo;
  const close = () => new Promise((resolve) => listening.close(resolve));
  if (isUp) onTestFinished(() => void close());
  else await close();
  return `http://127.0.0.1:${port}`;
}

it('a server that refuses is there, one that does not listen is named with the cause and without its password', async () => {
  expect(await whyUnreachable({ provider: 'x', url: await server(true) })).toBeNull();
  const gone = await server(false);
  const url = gone.replace('//', '//me:secret@');
  expect(await whyUnreachable({ provider: 'x', url })).toBe(
    `Nothing answers at ${gone} (refused): check ANTHROPIC_BASE_URL and the network, and start again.`,
  );
  expect(await whyUnreachable({ provider: 'stand-in', url: 'http://127.0.0.1:9' })).toBe(
    'Nothing answers at http://127.0.0.1:9 (a port that is never called): start the stack again.',
  );
});

it('the doctor asks the server that the running stack calls, whatever this shell names', async () => {
  const home = scratchHome();
  const addresses = {
    ...{ databaseUrl: 'postgresql://u:p@127.0.0.1:1/x', temporalAddress: '127.0.0.1:1', namespace: 'n' },
    urls: {},
    model: { provider: 'gate', url: await server(true) },
  };
  writeStackFile(home, {
    ...{ state: 'running', startedAt: 0, guard: undefined, processes: [], addresses },
    supervisor: markProcess(process.pid) ?? { pid: 0, identity: '' },
  });
  const gone = await server(false);
  const env = { ENDSTOP_HOME: home, ANTHROPIC_BASE_URL: gone };
  expect(await checkModelServer(readConfig(env, addresses, home))).toBe(
    `the stack that runs calls ${addresses.model.url}, which answers`,
  );
  const elsewhere = { ...env, DATABASE_URL: 'postgresql://u:p@127.0.0.1:2/x' };
  await expect(checkModelServer(readConfig(elsewhere, addresses, home))).rejects.toThrow(gone);
  await expect(checkModelServer(readConfig({}, undefined, scratchHome()))).rejects.toThrow(
    /^Nothing runs here: set DATABASE_URL and TEMPORAL_ADDRESS, /,
  );
});
