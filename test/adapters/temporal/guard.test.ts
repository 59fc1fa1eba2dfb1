import { ServiceError } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../../src/adapters/temporal/guard.js';
import { EngineUnavailable } from '../../../src/ports/engine.js';

const guard = createGuard('127.0.0.1:7233');

/** What the client throws when the server answers with this gRPC status. */
function answered(code: number): Promise<unknown> {
  const cause = Object.assign(new Error('as the server says it'), {
    code,
    details: 'as it says it',
    metadata: {},
  });
  return guard(() => Promise.reject(new ServiceError('could not be done', { cause })));
}

describe('a Temporal server', () => {
  it.each([4, 14])('that does not answer (gRPC status %i) is unavailable', async (code) => {
    await expect(answered(code)).rejects.toThrow(EngineUnavailable);
    await expect(answered(code)).rejects.toThrow('No Temporal server answers at 127.0.0.1:7233');
  });

  it.each([1, 2, 8, 10, 13])('that is in trouble itself (gRPC status %i) is unavailable', async (code) => {
    await expect(answered(code)).rejects.toThrow(EngineUnavailable);
    await expect(answered(code)).rejects.toThrow(`could not do this just now (gRPC status ${code})`);
  });

  it.each([3, 5, 7, 9, 16])('that refuses a request (gRPC status %i) is not', async (code) => {
    await expect(answered(code)).rejects.toThrow(ServiceError);
  });

  it('has nothing to do with other errors', async () => {
    await expect(guard(() => Promise.reject(new RangeError('a bug')))).rejects.toThrow(RangeError);
  });
});
