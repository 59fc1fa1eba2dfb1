import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { type FormNode, formOf, type Posted, recordOf } from '../../src/console/review-form.js';
import { misread } from './seed.js';

/** What a browser sends of a form that nobody touched. */
function sent(nodes: readonly FormNode[]): Posted {
  const fields = nodes.flatMap((node) =>
    node.kind === 'field' ? [node] : node.kind === 'list' ? node.rows.flatMap(({ cells }) => cells) : [],
  );
  return Object.fromEntries(
    fields.flatMap(({ pointer, text, said }) => [
      [`v${pointer}`, text],
      [`s${pointer}`, said],
    ]),
  );
}

const words = fc
  .string({ minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() === text && text !== '');
const records = fc.record({
  claim_number: words,
  policy_number: words,
  claimant: words,
  loss_date: words,
  currency: words,
  line_items: fc.array(fc.record({ description: words, amount: words }), { maxLength: 5 }),
  total_claimed: words,
  deductible: fc.oneof(words, fc.constantFrom('not_printed', 'blank')),
});

describe('the form of a review', () => {
  it('sent as it came is the record that it was made of', () => {
    fc.assert(
      fc.property(records, (record) => {
        expect(recordOf(claim, sent(formOf(claim, record, [])))).toEqual(record);
      }),
    );
  });

  it('closes up where a row was taken away, and goes on with rows that were added', () => {
    const record = misread(1);
    const posted = { ...sent(formOf(claim, record, [])) } as Record<string, string>;
    delete posted['v/line_items/0/description'];
    delete posted['v/line_items/0/amount'];
    delete posted['s/line_items/0/description'];
    delete posted['s/line_items/0/amount'];
    const more = { 'v/line_items/new1/description': 'Survey', 'v/line_items/new1/amount': '9.00' };
    expect(recordOf(claim, { ...posted, ...more })).toEqual({
      ...record,
      line_items: [record.line_items[1], { description: 'Survey', amount: '9.00' }],
    });
  });

  it('leaves out what is empty, and takes nothing that is no field of the spec', () => {
    const posted = { 'v/claimant': '  ', 'v/total_claimed': ' 5.00 ', 'v/__proto__': 'x', 'v/made_up': 'y' };
    expect(recordOf(claim, posted)).toEqual({ line_items: [], total_claimed: '5.00' });
  });

  it('offers every field of the spec, also where no candidate was read', () => {
    const said = formOf(claim, null, []).map((node) => (node.kind === 'field' ? node.said : node.kind));
    expect(said).toEqual([
      'missing',
      'missing',
      'missing',
      'missing',
      'missing',
      'list',
      'missing',
      'missing',
    ]);
  });
});
