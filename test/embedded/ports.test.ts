import { createServer, type Server } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
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

it('tells which ports are not where people look for them, of those that are used', () => {
  expect(movedPorts(defaultPorts, ['api', 'standin'])).toBeNull();
  const moved = { ...defaultPorts, temporalUi: 20_001, standin: 20_002 };
  expect(movedPorts(moved, ['postgres', 'temporalUi', 'api', 'standin'])).toBe(
    'taken on this machine: port 8233, so the Temporal UI gets 20001; port 4690, so the stand-in model gets 20002',
  );
  expect(movedPorts(moved, ['postgres', 'api'])).toBeNull();
});
