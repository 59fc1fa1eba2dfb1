import { describe, expect, it } from 'vitest';
import type { BreakerState } from '../../../src/ports/breaker.js';
import type { StoreUnderTest } from './fixtures.js';

export function breakerCases(store: StoreUnderTest): void {
  const closed = (model: string, since = 10): BreakerState => ({
    ...{ model, state: 'closed', since, cause: null, nextProbeAt: null },
  });
  const open = (model: string, since = 20): BreakerState => ({
    ...{ model, state: 'open', since, cause: 'overloaded', nextProbeAt: 5_020 },
  });
  const day = 86_400_000;

  describe('breakers', () => {
    it('are as their workers last told, those that are not closed first, and go with a worker that leaves', async () => {
      const { breakers } = store();
      const told = (worker: string) => ({ worker, provider: 'stand-in' });
      await breakers.report(told('1@a'), [closed('m')], 100);
      await breakers.report(told('2@b'), [closed('m'), closed('n')], 110);
      await breakers.report(told('2@b'), [closed('m'), open('n')], 120);
      await breakers.report(told('2@b'), [], 130);
      expect(await breakers.list()).toEqual([
        { ...told('2@b'), ...open('n'), seenAt: 120 },
        { ...told('1@a'), ...closed('m'), seenAt: 100 },
        { ...told('2@b'), ...closed('m'), seenAt: 120 },
      ]);
      await breakers.leave('2@b');
      expect((await breakers.list()).map(({ worker }) => worker)).toEqual(['1@a']);
      await breakers.leave('1@a');
    });

    it('of a worker that has told nothing for a day are forgotten as soon as another one tells something', async () => {
      const { breakers } = store();
      await breakers.report({ worker: 'dead', provider: 'p' }, [open('m')], 1_000);
      await breakers.report({ worker: 'alive', provider: 'p' }, [closed('m')], 1_000 + day);
      expect((await breakers.list()).map(({ worker }) => worker)).toEqual(['dead', 'alive']);
      await breakers.report({ worker: 'alive', provider: 'p' }, [closed('m')], 1_001 + day);
      expect((await breakers.list()).map(({ worker }) => worker)).toEqual(['alive']);
      await breakers.leave('alive');
    });

    it('change the pulse when one opens or goes, not when a worker only says that all is as it was', async () => {
      const { breakers, extractions } = store();
      const pulse = () => extractions.pulse('nobody');
      const told = { worker: 'pulse', provider: 'p' };
      await breakers.report(told, [closed('m')], 50);
      const calm = await pulse();
      await breakers.report(told, [closed('m')], 60);
      expect(await pulse()).toBe(calm);
      await breakers.report(told, [open('m')], 70);
      const opened = await pulse();
      expect(opened).not.toBe(calm);
      await breakers.leave('pulse');
      expect(await pulse()).not.toBe(opened);
    });
  });
}
