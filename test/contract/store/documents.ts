import { describe, expect, it } from 'vitest';
import type { StoreUnderTest } from './fixtures.js';
import { sha } from './fixtures.js';

const bytes = (text: string) => new TextEncoder().encode(text);

export function documentCases(store: StoreUnderTest): void {
  describe('documents', () => {
    it('come back byte for byte under their SHA-256', async () => {
      const all = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      const hash = await store().documents.put({
        tenant: 'acme',
        mediaType: 'application/pdf',
        bytes: all,
        at: 1,
      });
      const loaded = await store().documents.load('acme', hash);
      expect(hash).toMatch(/^[0-9a-f]{64}$/);
      expect(loaded?.mediaType).toBe('application/pdf');
      expect(Buffer.from(loaded?.bytes ?? [])).toEqual(Buffer.from(all));
    });

    it('are one document when stored twice, also at once', async () => {
      const document = { tenant: 'acme', mediaType: 'text/plain', bytes: bytes('the same claim'), at: 1 };
      const hashes = await Promise.all(Array.from({ length: 10 }, () => store().documents.put(document)));
      expect(new Set(hashes)).toEqual(new Set([sha('the same claim')]));
    });

    it('take the label they were last given', async () => {
      const document = { tenant: 'acme', bytes: bytes('%PDF- mislabelled at first'), at: 1 };
      await store().documents.put({ ...document, mediaType: 'text/plain' });
      const hash = await store().documents.put({ ...document, mediaType: 'application/pdf' });
      expect((await store().documents.load('acme', hash))?.mediaType).toBe('application/pdf');
    });

    it('may be empty: it is the reader who says that this is no document', async () => {
      const hash = await store().documents.put({
        tenant: 'acme',
        mediaType: 'text/plain',
        bytes: bytes(''),
        at: 1,
      });
      expect((await store().documents.load('acme', hash))?.bytes).toHaveLength(0);
    });

    it('of one tenant do not exist for another', async () => {
      const document = { tenant: 'acme', mediaType: 'text/plain', bytes: bytes('private to acme'), at: 1 };
      const hash = await store().documents.put(document);
      expect(await store().documents.load('bolt', hash)).toBeNull();
    });
  });

  describe('version labels', () => {
    const labels = (given: object = {}) => ({
      specId: 'spec-labels',
      schemaVersion: '1',
      schemaHash: sha('schema 1'),
      rulesHash: sha('rules 1'),
      promptVersion: 'v1',
      promptHash: sha('prompt 1'),
      ...given,
    });

    it('are honest the first time, and again with the same content', async () => {
      expect(await store().specVersions.register(labels(), 1)).toEqual({ kind: 'honest' });
      expect(await store().specVersions.register(labels(), 2)).toEqual({ kind: 'honest' });
    });

    it('are refused, naming the label, once other content stands behind them', async () => {
      await store().specVersions.register(labels({ specId: 'spec-changed' }), 1);
      const changed = { specId: 'spec-changed', schemaHash: sha('schema 2') };
      expect(await store().specVersions.register(labels(changed), 2)).toEqual({
        kind: 'changed',
        label: 'schema',
        version: '1',
      });
      const prompt = { specId: 'spec-changed', promptHash: sha('prompt 2') };
      expect(await store().specVersions.register(labels(prompt), 3)).toEqual({
        kind: 'changed',
        label: 'prompt',
        version: 'v1',
      });
    });

    it('that came with a refused one are not remembered', async () => {
      await store().specVersions.register(labels({ specId: 'spec-undone' }), 1);
      const refused = { specId: 'spec-undone', schemaHash: sha('schema 2'), promptVersion: 'v2' };
      expect(await store().specVersions.register(labels(refused), 2)).toMatchObject({ kind: 'changed' });
      const corrected = { specId: 'spec-undone', promptVersion: 'v2', promptHash: sha('another prompt') };
      expect(await store().specVersions.register(labels(corrected), 3)).toEqual({ kind: 'honest' });
    });

    it('that were used are listed with what they stand for and since when, the newest first', async () => {
      const { specVersions } = store();
      await specVersions.register(labels({ specId: 'spec-used' }), 5);
      const next = { specId: 'spec-used', promptVersion: 'v2', promptHash: sha('prompt 2') };
      await specVersions.register(labels(next), 7);
      await specVersions.register(labels({ specId: 'spec-used' }), 9);
      expect(await specVersions.used('spec-used')).toEqual([
        { label: 'prompt', version: 'v2', hash: sha('prompt 2'), firstUsedAt: 7 },
        { label: 'prompt', version: 'v1', hash: sha('prompt 1'), firstUsedAt: 5 },
        { label: 'schema', version: '1', hash: sha('schema 1'), firstUsedAt: 5 },
      ]);
      expect(await specVersions.used('spec-never-used')).toEqual([]);
    });

    it('are refused once their rules are made otherwise', async () => {
      const { specVersions } = store();
      const specId = 'spec-rules';
      await specVersions.register(labels({ specId }), 1);
      const changed = labels({ specId, rulesHash: sha('rules 2') });
      const refused = { kind: 'changed', label: 'schema', version: '1' };
      expect(await specVersions.register(changed, 2)).toEqual(refused);
      expect(await specVersions.check(changed)).toEqual(refused);
      expect(await specVersions.register(labels({ specId }), 3)).toEqual({ kind: 'honest' });
      const next = labels({ specId, schemaVersion: '2', rulesHash: sha('rules 2') });
      expect(await specVersions.register(next, 4)).toEqual({ kind: 'honest' });
      expect((await specVersions.used(specId)).map(({ label, version }) => `${label} ${version}`)).toEqual([
        'schema 2',
        'prompt v1',
        'schema 1',
      ]);
    });

    it('that say nothing of their rules, as those of releases before, are compared by what they say', async () => {
      const { specVersions } = store();
      const specId = 'spec-before-rules';
      await specVersions.register(labels({ specId, rulesHash: null }), 1);
      expect(await specVersions.check(labels({ specId }))).toEqual({ kind: 'honest' });
      expect(await specVersions.register(labels({ specId }), 2)).toEqual({ kind: 'honest' });
      // An older process goes on using the label; a newer one now knows its rules.
      expect(await specVersions.register(labels({ specId, rulesHash: null }), 3)).toEqual({ kind: 'honest' });
      const changed = labels({ specId, rulesHash: sha('rules 2') });
      expect(await specVersions.check(changed)).toMatchObject({ kind: 'changed', version: '1' });
    });

    it('can be compared without being remembered', async () => {
      const { specVersions } = store();
      const other = { specId: 'spec-compared', schemaHash: sha('schema 2') };
      expect(await specVersions.check(labels(other))).toEqual({ kind: 'honest' });
      await specVersions.register(labels({ specId: 'spec-compared' }), 1);
      expect(await specVersions.check(labels({ specId: 'spec-compared' }))).toEqual({ kind: 'honest' });
      expect(await specVersions.check(labels(other))).toEqual({
        kind: 'changed',
        label: 'schema',
        version: '1',
      });
      const prompt = { specId: 'spec-compared', promptHash: sha('prompt 2') };
      expect(await specVersions.check(labels(prompt))).toEqual({
        kind: 'changed',
        label: 'prompt',
        version: 'v1',
      });
      const next = { specId: 'spec-compared', promptHash: sha('prompt 2'), promptVersion: 'v2' };
      expect(await specVersions.check(labels(next))).toEqual({ kind: 'honest' });
    });

    it('are remembered once when workers start together', async () => {
      const checks = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          store().specVersions.register(
            labels({ specId: 'spec-race', promptHash: sha(`prompt ${index % 2}`) }),
            1,
          ),
        ),
      );
      expect(checks.filter(({ kind }) => kind === 'honest')).toHaveLength(5);
    });
  });
}
