import { describe, expect, it } from 'vitest';
import { exhaustAll } from '../support/fakes/bench.js';
import { createCommandLine, jsonLines, withOne } from './command-line.js';

describe('what a change came to, as JSON', () => {
  it('when an extraction is cancelled, then it says how that was taken, with the extraction', async () => {
    const { line, id } = await withOne();
    expect(jsonLines(await line.run('cancel', id, '--json'))).toMatchObject([
      { kind: 'requested', extraction: { id, tags: ['march'] } },
    ]);
  });

  it('when a review is claimed, held on and let go, then each says who has it', async () => {
    const { line, id } = await withOne((bench) => exhaustAll(bench, 'human_review'));
    for (const verb of ['claim', 'extend']) {
      const [review] = jsonLines(await line.run('review', verb, id, '--as', 'kim', '--json'));
      expect(review).toMatchObject({ extractionId: id, holder: 'kim' });
    }
    const [free] = jsonLines(await line.run('review', 'release', id, '--as', 'kim', '--json'));
    expect(free).toMatchObject({ extractionId: id, holder: null });
  });

  it('when limits of a tenant are set and taken away, then it says what holds', async () => {
    const line = createCommandLine();
    const set = await line.run('tenants', 'limit', 'acme', '--most-open', '7', '--json');
    expect(jsonLines(set)).toEqual([{ tenant: 'acme', mostOpen: 7, perSecond: null }]);
    expect(jsonLines(await line.run('tenants', 'unlimit', 'acme', '--json'))).toEqual([
      { tenant: 'acme', limits: null },
    ]);
  });

  it('when a retention is set and unset, then it says what holds', async () => {
    const line = createCommandLine();
    const set = await line.run('retention', 'set', '--tenant', 'acme', '--days', '30', '--json');
    expect(jsonLines(set)).toEqual([{ tenant: 'acme', documentDays: 30, recordDays: null }]);
    expect(jsonLines(await line.run('retention', 'unset', '--tenant', 'acme', '--json'))).toEqual([
      { tenant: 'acme', documentDays: null, recordDays: null },
    ]);
  });

  it('when a webhook is removed, then it says which', async () => {
    const line = createCommandLine();
    const [added] = jsonLines(await line.run('webhooks', 'add', 'https://example.com/hook', '--json'));
    const id = String(added?.['id']);
    expect(jsonLines(await line.run('webhooks', 'remove', id, '--json'))).toMatchObject([
      { id, state: 'removed' },
    ]);
  });

  it('when a batch or a redrive is told to begin nothing further, then it says how that was taken', async () => {
    const line = createCommandLine();
    exhaustAll(line, 'dead_letter');
    const manifest = line.file('m.jsonl', '{"text": "a"}\n');
    const [batch] = jsonLines(
      await line.run('batch', manifest, '--spec', 'receipt', '--name', 'march', '--no-wait', '--json'),
    );
    const id = String(batch?.['id']);
    expect(jsonLines(await line.run('batch', 'cancel', id, '--json'))).toEqual([{ kind: 'ended', id }]);
    line.engine.cancelRedrive = async () => true;
    expect(jsonLines(await line.run('redrive', 'cancel', 'monday', '--json'))).toEqual([
      { kind: 'requested', id: 'monday' },
    ]);
  });
});
