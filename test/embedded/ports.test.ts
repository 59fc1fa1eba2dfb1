import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepPorts, readEarlierPorts } from '../../src/embedded/earlier-ports.js';
import { choosePorts, claimPorts, defaultPorts, movedPorts, otherPort } from '../../src/embedded/ports.js';

/** Whoever holds the default ports by now, on a machine where a stack may run: at most one of several claims gets them. */
it('two stacks at once never get the same port, although every port is still free', async () => {
  const claims = await Promise.all([claimPorts(), claimPorts(), claimPorts()]);
  onTestFinished(() => {
    for (const claim of claims) claim.release();
  });
  const wanted = Object.values(defaultPorts);
  const chosen = await Promise.all(claims.map(async (claim) => Object.values(await choosePorts(claim))));
  expect(
    chosen.filter((ports) => ports.some((port) => new Set<number>(wanted).has(port))).length,
  ).toBeLessThan(2);
  expect(new Set(chosen.flat()).size).toBe(3 * wanted.length);
});

it('a port where something listens is not chosen', async () => {
  const ports = await claimPorts();
  onTestFinished(() => ports.release());
  const taken = await otherPort();
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(await ports.choose(taken)).not.toBe(taken);
});

it('other ports lie below those of outgoing connections, so that none of these takes one', async () => {
  for (let count = 0; count < 50; count += 1) {
    const port = await otherPort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
  }
});

it('tells which ports are not where people look for them, of those that are used, and why', () => {
  const alone = { hasDefaults: true };
  expect(movedPorts(defaultPorts, ['api', 'standin'], alone)).toBeNull();
  const moved = { ...defaultPorts, temporalUi: 20_001, standin: 20_002 };
  expect(movedPorts(moved, ['postgres', 'temporalUi', 'api', 'standin'], alone)).toBe(
    'taken on this machine: port 8233, so the Temporal UI gets 20001; port 4690, so the stand-in model gets 20002',
  );
  expect(movedPorts(moved, ['postgres', 'api'], alone)).toBeNull();
  expect(movedPorts(moved, ['api', 'temporalUi', 'standin'], { hasDefaults: false })).toBe(
    'another Endstop stack runs on this machine, so the Temporal UI gets 20001, the stand-in model gets 20002',
  );
});

it('a stack beside another one gets the ports it had, where they are free and nobody else is looked for there', async () => {
  const claims = await Promise.all([claimPorts(), claimPorts()]);
  onTestFinished(() => {
    for (const claim of claims) claim.release();
  });
  const beside = claims.find(({ hasDefaults }) => !hasDefaults);
  const [earlier, taken] = [await otherPort(), await otherPort()];
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(taken, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  expect(await beside?.choose(defaultPorts.api, earlier)).toBe(earlier);
  expect(await beside?.choose(defaultPorts.api, taken)).not.toBe(taken);
  expect(await beside?.choose(defaultPorts.api, defaultPorts.standin)).not.toBe(defaultPorts.standin);
});

it('what a stack got instead of default ports is kept, also through a start that got these', () => {
  const home = mkdtempSync(join(tmpdir(), 'endstop-ports-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  expect(readEarlierPorts(home)).toEqual({});
  keepPorts(home, { ...defaultPorts, api: 20_001 });
  keepPorts(home, defaultPorts);
  keepPorts(home, { ...defaultPorts, standin: 20_002 });
  expect(readEarlierPorts(home)).toEqual({ api: 20_001, standin: 20_002 });
});

describe('where nothing can listen', () => {
  const refused = (code: string) =>
    vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
      return this;
    });
  afterEach(() => void vi.restoreAllMocks());

  it('says that every port is taken, after each was tried once', async () => {
    const listen = refused('EADDRINUSE');
    await expect(otherPort()).rejects.toThrow(
      'No port is free on 127.0.0.1: all from 20000 to 31999 are taken. End what holds them and start again.',
    );
    expect(listen).toHaveBeenCalledTimes(12_000);
  });

  it('says what the system said', async () => {
    refused('EADDRNOTAVAIL');
    await expect(claimPorts()).rejects.toThrow('Endstop cannot listen on 127.0.0.1 (EADDRNOTAVAIL).');
  });

  it('says what the system said of a connection', async () => {
    const unreachable = Object.assign(new Error('x'), { code: 'ENETUNREACH' });
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
      return this.destroy(unreachable);
    });
    await expect(claimPorts()).rejects.toThrow(
      'Nothing that listens on 127.0.0.1 can be reached (ENETUNREACH)',
    );
  });
});
