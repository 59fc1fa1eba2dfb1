import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { pagesDocument } from '../../src/application/page-document.js';
import { packPages, pagesMediaType } from '../../src/ports/page-images.js';
import type { Spec } from '../../src/spec/spec.js';
import { jpeg, png, webp } from '../adapters/pdf/documents.js';
import { aClaim } from '../specs/claims.js';
import { type House, openHouse } from '../support/house.js';
import { openSeeingModel, type SeeingModel } from '../support/seeing-model.js';

const record = aClaim({ currency: 'BHD', amounts: ['401.125', '803.250'], total: '1204.375' });
/** The same claim, but its author lets scans verify. */
const lenient: Spec = { ...(claim as Spec), id: 'claim-of-scans', allowUngrounded: true };
const strict = claim as Spec;

const pages = [
  { name: 'first.png', mediaType: 'image/png', bytes: png(1240, 1754) },
  { name: 'second.jpg', mediaType: 'image/jpeg', bytes: jpeg(1240, 1754) },
  { name: 'third.webp', mediaType: 'image/webp', bytes: webp.lossy(1240, 1754) },
];

let model: SeeingModel;
let house: House;
beforeAll(async () => {
  model = await openSeeingModel(() => record);
  house = await openHouse({ specs: [strict, lenient], modelUrl: model.url });
});
afterAll(async () => {
  await house.close();
  await model.close();
});

describe('given the scanned pages of one claim', () => {
  it('when its spec lets scans verify, then one call with all pages verifies and every value is flagged', async () => {
    const document = pagesDocument(pages);
    const { extraction, outcome } = await house.extract({ specId: lenient.id, document });
    expect(outcome).toMatchObject({ kind: 'verified', record, attempts: 1 });
    const blocks = model.sent.at(-1)?.slice(0, 3);
    expect(blocks?.map(({ source }) => [source?.media_type, source?.data])).toEqual(
      pages.map(({ mediaType, bytes }) => [mediaType, Buffer.from(bytes).toString('base64')]),
    );
    const stored = await house.app.store.records.current(extraction.subject);
    expect(stored).toMatchObject({ status: 'verified', evidence: [] });
    expect(stored?.ungrounded).toEqual(
      expect.arrayContaining(['/claim_number', '/total_claimed', '/line_items/1/amount']),
    );
  });

  it('when its spec does not, then the record never verifies, and no repair is asked for', async () => {
    const before = model.sent.length;
    const { extraction, outcome } = await house.extract({
      specId: strict.id,
      document: pagesDocument(pages),
    });
    expect(outcome).toMatchObject({
      kind: 'unverified',
      reason: 'not_repairable',
      failureClass: 'constraint',
      bestEffort: record,
      unmet: [{ rule: 'grounded' }],
      route: 'human_review',
    });
    expect(model.sent.length - before).toBe(1);
    expect(await house.app.store.records.current(extraction.subject)).toBeNull();
    const [attempt] = await house.app.store.attempts.list(extraction.key, extraction.run);
    expect(attempt?.ungrounded).toContain('/total_claimed');
  });

  it('when the same pages come again they are the same document, and in another order they are not', async () => {
    const before = model.sent.length;
    const again = await house.extract({ specId: lenient.id, document: pagesDocument(pages) });
    expect(again.outcome?.kind).toBe('verified');
    expect(model.sent.length).toBe(before);
    const turned = await house.extract({ specId: lenient.id, document: pagesDocument([...pages].reverse()) });
    expect(turned.extraction.documentHash).not.toBe(again.extraction.documentHash);
    expect(model.sent.at(-1)?.map(({ type }) => type)).toEqual(['image', 'image', 'image', 'text']);
  });
});

describe('given pages of which one is not what it says', () => {
  it('when they are extracted, then they are unreadable without a call', async () => {
    const before = model.sent.length;
    const [first, second] = pages;
    if (first === undefined || second === undefined) throw new Error('Two pages are needed.');
    // No door of ours lets it in, but a caller may pack pages without asking.
    const bytes = packPages([first, { ...second, mediaType: 'image/png' }]);
    const document = { kind: 'bytes', mediaType: pagesMediaType, bytes } as const;
    const { outcome } = await house.extract({ specId: lenient.id, document });
    expect(outcome).toMatchObject({
      kind: 'unverified',
      reason: 'unreadable_document',
      diagnosis: { kind: 'unreadable', fault: 'mislabelled' },
    });
    expect(model.sent.length).toBe(before);
  });
});
