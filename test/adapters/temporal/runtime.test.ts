import { Runtime } from '@temporalio/worker';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installRuntime, logger } from '../../../src/adapters/temporal/runtime.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe("what the SDK's native half says", () => {
  it('comes through our logger, not by itself', async () => {
    installRuntime();
    expect(Runtime.instance().options.runtimeOptions.logExporter).toMatchObject({ type: 'forward' });
    await Runtime.instance().shutdown();
  });

  it('is one JSON line with its code, of the moment at which it was said', () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const error = 'Status { code: Unavailable, message: "a sentence of the server" }';
    logger.warn('gRPC call poll_activity_task_queue retried 7 times', { sdkComponent: 'core', error });
    const line = String(write.mock.calls[0]?.[0]);
    expect(JSON.parse(line)).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      error: 'Unavailable',
      msg: 'gRPC call poll_activity_task_queue retried 7 times',
    });
    expect(line).not.toContain('a sentence of the server');
  });
});
