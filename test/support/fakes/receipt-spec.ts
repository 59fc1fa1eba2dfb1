import type { Policy } from '../../../src/domain/policy.js';
import { createCatalogue } from '../../../src/spec/catalogue.js';
import { currencyCode, defineSpec, list, money, sumEqualsTotal } from '../../../src/spec/index.js';
import type { Spec } from '../../../src/spec/spec.js';

/** A spec with one rule, "sum": the lines add up to the total. */
export function receiptSpec(
  options: { promptVersion?: string; prompt?: string; policy?: Partial<Policy> } = {},
): Spec {
  return defineSpec({
    id: 'receipt',
    title: 'Receipt',
    schemaVersion: '1',
    prompt: { version: options.promptVersion ?? 'v1', text: options.prompt ?? 'Read the receipt.' },
    fields: {
      currency: currencyCode('Currency'),
      lines: list('Lines', { amount: money('Amount') }),
      total: money('Total'),
    },
    constraints: [sumEqualsTotal({ id: 'sum', addends: ['/lines/*/amount'], total: '/total' })],
    allowUngrounded: true,
    policy: { moneyCap: { amount: '0.50', currency: 'USD' }, ...options.policy },
  }) as Spec;
}

/** The receipt under prompt v2 (current) and v1, which is still open or dead-lettered somewhere. */
export function receiptCatalogue() {
  return createCatalogue([receiptSpec({ promptVersion: 'v2' }), receiptSpec()]);
}

/** A receipt whose lines add up: 1.20 + 3.30 = 4.50. */
export const goodReceipt = {
  currency: 'EUR',
  lines: [{ amount: '1.20' }, { amount: '3.30' }],
  total: '4.50',
};
/** The same, off by one. */
export const badReceipt = { ...goodReceipt, total: '5.50' };
