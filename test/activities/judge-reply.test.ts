import { describe, expect, it } from 'vitest';
import { judgeReply } from '../../activities/judge-reply.js';
import type { ExtractorReply } from '../../src/ports/extractor.js';
import { currencyCode, defineSpec, list, money, sumEqualsTotal } from '../../src/spec/index.js';
import type { Spec } from '../../src/spec/spec.js';
import { badReceipt, goodReceipt, receiptSpec } from '../support/fakes/receipt-spec.js';
import { goodReply } from './attempt-bench.js';

const context = { text: null, previous: null };
const spec = receiptSpec();

/** The receipt, but a record of a scan must be grounded to verify, and one more rule. */
const strict = (rule: () => never): Spec =>
  defineSpec({
    id: 'strict-receipt',
    title: 'Receipt',
    schemaVersion: '1',
    prompt: { version: 'v1', text: 'Read the receipt.' },
    fields: {
      currency: currencyCode('Currency'),
      lines: list('Lines', { amount: money('Amount') }),
      total: money('Total'),
    },
    constraints: [
      sumEqualsTotal({ id: 'sum', addends: ['/lines/*/amount'], total: '/total' }),
      { id: 'own', version: 1, says: 'A rule of their own', repairable: true, check: rule },
    ],
  }) as unknown as Spec;

const judge = (reply: Partial<ExtractorReply>, by: Spec = spec, text = context) =>
  judgeReply(by, { ...goodReply, ...reply }, text);

describe('a reply', () => {
  it('that holds is accepted under its candidate hash, whatever order its keys are in', () => {
    const { currency, lines, total } = goodReceipt;
    const first = judge({}).result;
    const second = judge({ text: JSON.stringify({ total, lines, currency }) }).result;
    expect(first).toMatchObject({ kind: 'accepted' });
    expect(second).toEqual(first);
  });

  it('that was cut off is truncated, however whole it looks', () => {
    for (const [stopReason, truncation] of [
      ['max_tokens', 'max_tokens'],
      ['model_context_window_exceeded', 'context_window'],
    ]) {
      const { result, candidate } = judge({ stopReason: String(stopReason) });
      expect(result).toMatchObject({ failureClass: 'truncated', truncation, candidateHash: null });
      expect(candidate).toBeNull();
    }
  });

  it('of a model that refuses is a refusal, whatever it says', () => {
    expect(judge({ stopReason: 'refusal' }).result).toMatchObject({ failureClass: 'refusal' });
  });

  it('without text is empty, and has no hash', () => {
    expect(judge({ text: '' }).result).toMatchObject({ failureClass: 'empty', replyHash: null });
  });

  it('that is no JSON is told apart by its bytes', () => {
    const [first, second] = [judge({ text: 'Sorry.' }).result, judge({ text: 'Sorry!' }).result];
    expect(first).toMatchObject({ failureClass: 'parse', candidateHash: null });
    expect(first).not.toEqual(second);
  });

  it('of another shape names the field, and keeps the candidate', () => {
    const { result, problems, candidate } = judge({
      text: JSON.stringify({ ...goodReceipt, total: 'much' }),
    });
    expect(result).toMatchObject({ failureClass: 'schema', repairable: true });
    expect(problems).toEqual([expect.objectContaining({ pointer: '/total' })]);
    expect(candidate).toMatchObject({ total: 'much' });
  });

  it('that breaks a rule names rule and field in history, and what was expected in the store only', () => {
    const { result, problems } = judge({ text: JSON.stringify(badReceipt) });
    expect(result).toMatchObject({
      failureClass: 'constraint',
      problems: [{ rule: 'sum', pointer: '/total' }],
    });
    expect(JSON.stringify(result)).not.toContain('4.50');
    expect(problems).toEqual([expect.objectContaining({ expected: '4.50', found: '5.50' })]);
  });

  it("on which a rule breaks is the rule's fault, and no repair is asked for", () => {
    const broken = strict(() => {
      throw new Error('a bug');
    });
    expect(judge({}, broken).result).toMatchObject({ failureClass: 'verifier_fault', repairable: false });
  });

  it('counts what reading had to change', () => {
    const text = `${JSON.stringify(goodReceipt).slice(0, -1)},}`;
    const { result, normalisations } = judge({ text, mode: 'plain' });
    expect(result.kind).toBe('accepted');
    expect(normalisations).toEqual([{ kind: 'trailing_comma', count: 1 }]);
  });

  it('about a scan without text does not verify, unless the spec says it may', () => {
    const grounded = strict(() => [] as never);
    expect(judge({}, grounded).result).toMatchObject({
      failureClass: 'constraint',
      problems: [{ rule: 'grounded' }],
      repairable: false,
    });
    const text = { pages: ['EUR 1.20 and 3.30 make 4.50'] };
    expect(judge({}, grounded, { text, previous: null } as never).result).toMatchObject({ kind: 'accepted' });
    expect(judge({}).result).toMatchObject({ kind: 'accepted' });
  });
});
