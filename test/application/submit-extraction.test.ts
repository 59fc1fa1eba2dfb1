import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { EngineUnavailable } from '../../src/ports/engine.js';
import { createCatalogue } from '../../src/spec/catalogue.js';
import { createBench, exhaustAll, textSubmission, verifyAll } from '../support/fakes/bench.js';
import { receiptSpec } from '../support/fakes/receipt-spec.js';

const nothingWritten = ({ store }: ReturnType<typeof createBench>) => {
  expect(store.rows).toEqual([]);
  expect(store.documentRows.size).toBe(0);
};

describe('given a document that was never seen', () => {
  it('when it is submitted, then its row is open and the engine carries it under the frozen policy', async () => {
    const bench = createBench();
    const submitted = await submitExtraction(bench.app, textSubmission('a', { tags: ['march'] }));
    expect(submitted).toMatchObject({ kind: 'started', policyDiffers: false });
    const [row] = bench.store.rows;
    expect(row).toMatchObject({
      state: 'open',
      run: 1,
      specId: 'receipt',
      promptVersion: 'v2',
      provider: null,
      model: null,
    });
    expect(bench.engine.started).toEqual([
      expect.objectContaining({
        key: row?.key,
        run: 1,
        policy: row?.policy,
        tags: ['march'],
        reviewSlaMs: 3_600_000,
      }),
    ]);
  });

  it('when the engine is down, then it says so and nothing is written', async () => {
    const bench = createBench();
    bench.engine.down = true;
    await expect(submitExtraction(bench.app, textSubmission('a'))).rejects.toThrow(EngineUnavailable);
    nothingWritten(bench);
  });

  it('when the spec is unknown, then it names the known ones and nothing is written', async () => {
    const bench = createBench();
    await expect(submitExtraction(bench.app, textSubmission('a', { specId: 'recipe' }))).rejects.toThrow(
      'There is no spec "recipe"; known: receipt.',
    );
    nothingWritten(bench);
  });

  it('when labels cannot be used, then every one is named at its place and nothing is written', async () => {
    const bench = createBench();
    const submission = textSubmission('a', {
      tenant: '../other',
      tags: ['fine', ' padded', 'line\nbreak'],
      document: { kind: 'bytes', mediaType: 'Text/Plain; charset=utf-8', bytes: new Uint8Array() },
    });
    const error = await submitExtraction(bench.app, submission).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApplicationError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      faults: [
        { pointer: '/tenant' },
        { pointer: '/tags/1' },
        { pointer: '/tags/2' },
        { pointer: '/document/mediaType' },
      ],
    });
    nothingWritten(bench);
  });

  it('when it is empty, then it is stored and started all the same: that is for the run to say', async () => {
    const bench = createBench();
    await submitExtraction(bench.app, textSubmission(''));
    expect(bench.engine.started).toHaveLength(1);
  });
});

describe('given a document over 20 MiB', () => {
  const large = () => new Uint8Array(20 * 1024 * 1024 + 1).fill(65);

  it('then a marker with its hash and size is stored in its place, and it is started', async () => {
    const bench = createBench();
    await submitExtraction(
      bench.app,
      textSubmission('', { document: { kind: 'bytes', mediaType: 'application/pdf', bytes: large() } }),
    );
    const [stored] = bench.store.documentRows.values();
    expect(stored?.mediaType).toBe('application/vnd.endstop.too-large+json');
    expect(JSON.parse(new TextDecoder().decode(stored?.bytes))).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      size: 20 * 1024 * 1024 + 1,
    });
    expect(bench.engine.started).toHaveLength(1);
  });

  it('when only its hash was read, then it is the same extraction as when its bytes were', async () => {
    const bench = createBench();
    const bytes = large();
    const sha256 = (await import('node:crypto')).createHash('sha256').update(bytes).digest('hex');
    await submitExtraction(
      bench.app,
      textSubmission('', { document: { kind: 'bytes', mediaType: 'text/plain', bytes } }),
    );
    const again = await submitExtraction(
      bench.app,
      textSubmission('', { document: { kind: 'too_large', sha256, size: bytes.byteLength } }),
    );
    expect(again.kind).toBe('attached');
    expect(bench.store.rows).toHaveLength(1);
  });

  it('then exactly 20 MiB are still stored as they are', async () => {
    const bench = createBench();
    const bytes = large().subarray(1);
    await submitExtraction(
      bench.app,
      textSubmission('', { document: { kind: 'bytes', mediaType: 'text/plain', bytes } }),
    );
    expect([...bench.store.documentRows.values()][0]?.bytes.byteLength).toBe(20 * 1024 * 1024);
  });
});

describe('given a document that is being extracted', () => {
  it('when it is submitted again, then the caller is attached to the one run', async () => {
    const bench = createBench();
    await submitExtraction(bench.app, textSubmission('a'));
    const again = await submitExtraction(bench.app, textSubmission('a', { fileName: 'copy.txt' }));
    expect(again).toMatchObject({
      kind: 'attached',
      policyDiffers: false,
      extraction: { fileName: 'receipt.txt' },
    });
    expect(bench.store.rows).toHaveLength(1);
    expect(bench.engine.started).toHaveLength(1);
  });

  it('when tighter budgets are asked for, then the running ones hold and it says that they differ', async () => {
    const bench = createBench();
    await submitExtraction(bench.app, textSubmission('a'));
    const again = await submitExtraction(bench.app, textSubmission('a', { budgets: { attemptCap: 1 } }));
    expect(again).toMatchObject({
      kind: 'attached',
      policyDiffers: true,
      extraction: { policy: { attemptCap: 3 } },
    });
  });

  it('when another tenant submits the same bytes, then it is another extraction', async () => {
    const bench = createBench();
    const one = await submitExtraction(bench.app, textSubmission('a'));
    const other = await submitExtraction(bench.app, textSubmission('a', { tenant: 'globex' }));
    expect(other.kind).toBe('started');
    expect(other.extraction.key).not.toBe(one.extraction.key);
    expect(other.extraction.subject).not.toBe(one.extraction.subject);
  });

  it('when a crash left the row open without a run, then the next submission starts it under its own bounds', async () => {
    const bench = createBench();
    bench.engine.start = async () => {
      throw new EngineUnavailable('gone');
    };
    await expect(
      submitExtraction(bench.app, textSubmission('a', { budgets: { attemptCap: 2 } })),
    ).rejects.toThrow(EngineUnavailable);
    const started: unknown[] = [];
    bench.engine.start = async (input) => {
      started.push(input.policy.attemptCap);
    };
    await submitExtraction(bench.app, textSubmission('a'));
    expect(started).toEqual([2]);
  });
});

describe('given a document that has ended', () => {
  it('when it verified, then its stored outcome is the answer, also to a redrive', async () => {
    const bench = createBench();
    verifyAll(bench);
    await submitExtraction(bench.app, textSubmission('a'));
    for (const redrive of [false, true]) {
      const again = await submitExtraction(bench.app, textSubmission('a', { redrive }));
      expect(again).toMatchObject({ kind: 'ended', extraction: { outcome: 'verified', run: 1 } });
    }
    expect(bench.engine.started).toHaveLength(1);
  });

  it('when it did not, then it runs again only when that is asked for', async () => {
    const bench = createBench();
    exhaustAll(bench, 'dead_letter');
    await submitExtraction(bench.app, textSubmission('a'));
    expect(await submitExtraction(bench.app, textSubmission('a'))).toMatchObject({ kind: 'ended' });
    const redriven = await submitExtraction(bench.app, textSubmission('a', { redrive: true }));
    expect(redriven).toMatchObject({ kind: 'started', extraction: { run: 2 } });
  });
});

describe('given a version label whose content changed', () => {
  const v2 = receiptSpec({ promptVersion: 'v2' });
  it.each([
    ['prompt', { ...v2, contents: { ...v2.contents, prompt: 'Read it well.' } }, 'prompt.version', 'v2'],
    ['schema or the rules', { ...v2, contents: { ...v2.contents, schema: '[]' } }, 'schemaVersion', '1'],
  ])(
    'then a changed %s is refused with the label and both ways out, and nothing runs',
    async (what, spec, label, version) => {
      const bench = createBench();
      await submitExtraction(bench.app, textSubmission('a'));
      const app = { ...bench.app, catalogue: createCatalogue([spec]) };
      await expect(submitExtraction(app, textSubmission('b'))).rejects.toThrow(
        `The ${what} of spec "receipt" changed but ${label} is still "${version}": ` +
          `give it a new label, or restore what "${version}" stood for.`,
      );
      expect(bench.engine.started).toHaveLength(1);
      expect(bench.store.documentRows.size).toBe(1);
    },
  );
});
