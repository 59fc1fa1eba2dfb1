import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otherPort } from '../../src/embedded/ports.js';
import {
  checkTemporalAddress,
  type RunningTemporal,
  startTemporal,
} from '../../src/embedded/temporal-server.js';
import { scratchFolder } from './scratch.js';

async function started(home: string, ports: { frontend: number; ui: number }): Promise<RunningTemporal> {
  const ignore = () => undefined;
  // The keys of this process are no business of the server's, and its settings must not redirect it.
  const env = { ...process.env, TEMPORAL_ADDRESS: '127.0.0.1:9', TEMPORAL_NAMESPACE: 'elsewhere' };
  const namespace = 'endstop-test';
  const temporal = await startTemporal({
    home,
    env,
    namespace,
    ports,
    onProgress: ignore,
    onStarted: ignore,
  });
  onTestFinished(() => temporal.child.stop());
  return temporal;
}

async function namespaces(address: string): Promise<string[]> {
  const connection = await Connection.connect({ address });
  try {
    const { namespaces: found } = await connection.workflowService.listNamespaces({});
    return (found ?? []).map(({ namespaceInfo }) => namespaceInfo?.name ?? '').sort();
  } finally {
    await connection.close();
  }
}

describe('the Temporal server that Endstop runs', () => {
  it('serves the namespace and the UI, and ends in order', async () => {
    const ports = { frontend: await otherPort(), ui: await otherPort() };
    const { address, uiUrl, child } = await started(scratchFolder(), ports);
    expect([address, uiUrl]).toEqual([`127.0.0.1:${ports.frontend}`, `http://127.0.0.1:${ports.ui}`]);
    expect(await namespaces(address)).toContain('endstop-test');
    expect((await fetch(uiUrl)).status).toBe(200);
    await child.stop();
    expect(await child.exited).toBe('exit code 0');
  });

  it('does not take another server on its port for itself, but another port', async () => {
    const ports = { frontend: await otherPort(), ui: await otherPort() };
    const first = await started(scratchFolder(), ports);
    const second = await started(scratchFolder(), { ...ports, ui: await otherPort() });
    expect(second.address).not.toBe(first.address);
    await first.child.stop();
    expect(await namespaces(second.address)).toContain('endstop-test');
  });

  it('takes another port for the UI as well', async () => {
    const server = createServer();
    const ui = await otherPort();
    await new Promise<void>((resolve) => server.listen(ui, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { uiUrl } = await started(scratchFolder(), { frontend: await otherPort(), ui });
    expect(uiUrl).not.toContain(String(ui));
    expect((await fetch(uiUrl)).status).toBe(200);
  });

  it('is reported with what it said when its file is damaged', async () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'temporal.db'), 'this is no database, '.repeat(500));
    const failure = await started(home, { frontend: await otherPort(), ui: await otherPort() }).catch(
      (error) => error,
    );
    expect(failure).toMatchObject({
      name: 'StackError',
      message: /^temporal ended while starting \(exit code 1\)/,
    });
    expect(String(failure.logLines)).toContain('not a database');
  });
});

it.each(['', 'localhost', 'http://localhost:7233', 'host:port', 'a:1:2'])(
  'TEMPORAL_ADDRESS must be host:port, which "%s" is not',
  async (address) => {
    await expect(checkTemporalAddress(address)).rejects.toThrow('not of the form host:port');
  },
);
