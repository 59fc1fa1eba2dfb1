import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { harbour } from '../../specs/claim/templates/harbour.js';
import { meridian } from '../../specs/claim/templates/meridian.js';
import { defineTemplate, SpecError, type TemplateField } from '../../src/spec/index.js';

const one = (pattern: RegExp, type: TemplateField['type']) =>
  defineTemplate({ id: 't', detect: [/Form/], fields: { value: { pattern, type } } });
const extracted = (pattern: RegExp, type: TemplateField['type'], ...pages: string[]) =>
  one(pattern, type).extract({ pages })['value'];

describe('a template', () => {
  it('recognises a text in which all its patterns are found, on any page', () => {
    const template = defineTemplate({
      id: 't',
      detect: [/^ACME$/m, /Form 7/g],
      fields: { value: { pattern: /(?<value>x)/, type: 'text' } },
    });
    expect(template.recognises({ pages: ['ACME', 'Form 7'] })).toBe(true);
    expect(template.recognises({ pages: ['ACME', 'Form 7'] })).toBe(true);
    expect(template.recognises({ pages: ['ACME'] })).toBe(false);
    expect(template.recognises({ pages: [] })).toBe(false);
  });

  it.each<[TemplateField['type'], string, string | undefined]>([
    ['identifier', 'No: INV-7 ', 'INV-7'],
    ['text', 'No: Pearl  Shipping', 'Pearl  Shipping'],
    ['money', 'No: EUR 1.204,50', '1204.50'],
    ['money', 'No: (1,204.50)', '-1204.50'],
    ['money', "No: CHF 1'204.50", '1204.50'],
    ['money', 'No: BHD 1,204', '1.204'],
    ['money', 'No: 1,204', '1204'],
    ['money', 'No: EUR 1,204 or USD 5', undefined],
    ['money', 'No: (12)', undefined],
    ['money', 'No: none', undefined],
    ['date', 'No: 3 May 2024', '2024-05-03'],
    ['date', 'No: 03/04/2024', undefined],
    ['date', 'No: 03/04/2024 (printed 25/12/2024)', undefined],
    ['date', 'No: soon', undefined],
    ['currency', 'No: €', 'EUR'],
    ['currency', 'No: EUR or USD', undefined],
    ['currency', 'No: kr', undefined],
  ])('takes %s off "%s"', (type, page, value) => {
    expect(extracted(/No: (?<value>.*)/, type, page)).toBe(value);
  });

  it('leaves out what is not found, empty, or said twice with different values', () => {
    const pattern = /No: (?<value>\S*)/;
    expect(extracted(pattern, 'identifier', 'nothing')).toBeUndefined();
    expect(extracted(pattern, 'identifier', 'No: ')).toBeUndefined();
    expect(extracted(/No:(?<value> )/, 'identifier', 'No: ')).toBeUndefined();
    expect(extracted(/No: (?:x|(?<value>y))/, 'identifier', 'No: x')).toBeUndefined();
    expect(extracted(pattern, 'identifier', 'No: A', 'No: B')).toBeUndefined();
    expect(extracted(pattern, 'identifier', 'No: A', 'No: A')).toBe('A');
  });

  it('says which fields it found, by having those only', () => {
    const template = defineTemplate({
      id: 't',
      detect: [/./],
      fields: {
        a: { pattern: /A (?<value>\S+)/, type: 'text' },
        b: { pattern: /B (?<value>\S+)/, type: 'text' },
      },
    });
    expect(template.extract({ pages: ['A 1'] })).toEqual({ a: '1' });
  });

  const digits = fc.array(fc.constantFrom(...'0123456789'), { minLength: 1, maxLength: 4 });
  const number = fc
    .tuple(
      fc.constantFrom('', '-', '(', '\u2212', 'EUR ', '$'),
      fc.array(
        digits.map((run) => run.join('')),
        { minLength: 1, maxLength: 3 },
      ),
      fc.constantFrom(',', '.', ' ', "'", '\u00a0', ', ', '-'),
      fc.constantFrom('', ')', '-', ' EUR', ' %', '.', ' CR'),
    )
    .map(([before, groups, between, after]) => `${before}${groups.join(between)}${after}`);
  const date = fc
    .tuple(
      fc.nat(40),
      fc.constantFrom('.', '/', '-', ' May ', ' Juli '),
      fc.nat(14),
      fc.constantFrom('24', '2024', "'99"),
    )
    .map(([day, between, month, year]) =>
      between.length > 1 ? `${day}${between}${year}` : `${day}${between}${month}${between}${year}`,
    );
  const words = fc.constantFrom(
    'No:',
    'Ada',
    'total',
    '\n',
    'BHD',
    '\u20ac',
    'kr',
    'Fr.',
    '£',
    'USD',
    'Mai',
    '7 pcs',
  );
  const mixed = fc.array(fc.oneof(number, date, words), { maxLength: 6 }).map((parts) => parts.join(' '));
  const plain = fc.oneof(number, date).map((print) => `No: ${print}`);
  const page = fc.oneof(mixed, plain);
  const patterns = [
    /(?<value>.+)/,
    /No: (?<value>.*)/,
    /(?<value>\S+ \S+)/,
    /(?<value>[\d.,' -]+)/,
    /(?<value>\d+)/g,
    /total\s+(?<value>[\s\S]*)/,
  ];
  const figures = (printed: string) => printed.replace(/\D/g, '');

  /** Whether one stretch that the pattern captured prints the value, by nothing but its own characters. */
  const prints: Record<TemplateField['type'], (value: string, captured: string) => boolean> = {
    identifier: (value, captured) => captured.includes(value),
    text: (value, captured) => captured.includes(value),
    money: (value, captured) =>
      figures(captured).includes(figures(value)) &&
      (!value.startsWith('-') || /[-(\u2212]|CR/.test(captured)),
    date: (value, captured) => {
      const [year = '', month = '', day = ''] = value.split('-').map((part) => part.replace(/^0/, ''));
      const has = (part: string) => new RegExp(`(?<!\\d)0?${part}(?!\\d)`).test(captured);
      return has(day) && (has(year) || has(year.slice(2))) && (has(month) || /[A-Za-z]{3}/.test(captured));
    },
    currency: (value, captured) =>
      captured.includes(value) ||
      (value === 'EUR' ? /\u20ac/ : value === 'GBP' ? /£/ : /\$|Fr/).test(captured),
  };

  it('gives nothing that is not printed where its pattern looks, whatever the text is', () => {
    const given = { identifier: 0, text: 0, money: 0, date: 0, currency: 0 };
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...patterns),
        fc.constantFrom(...(Object.keys(prints) as TemplateField['type'][])),
        (pages, pattern, type) => {
          const value = one(pattern, type).extract({ pages })['value'];
          if (value === undefined) return;
          given[type] += 1;
          const all = new RegExp(pattern.source, 'g');
          const captured = pages.flatMap((text) =>
            [...text.matchAll(all)].map((match) => match.groups?.['value'] ?? ''),
          );
          expect(captured.some((stretch) => prints[type](value, stretch))).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
    // The texts are such that there is something to find.
    for (const count of Object.values(given)) expect(count).toBeGreaterThan(0);
  });

  it('gives nothing that is not a stretch of the text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }), (pages) => {
        const value = one(/(?<value>[a-z].*)/i, 'text').extract({ pages })['value'];
        if (value !== undefined) expect(pages.some((text) => text.includes(value))).toBe(true);
      }),
    );
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      'nothing to recognise',
      () => defineTemplate({ id: 't', detect: [], fields: {} }),
      /at least one pattern/,
    ],
    ['no fields', () => defineTemplate({ id: 't', detect: [/x/], fields: {} }), /at least one field/],
    ['no group', () => one(/(x)/, 'text'), /"value" needs a group \(\?<value>\.\.\.\)/],
  ])('is refused in one sentence with %s', (_what, define, message) => {
    expect(define).toThrow(SpecError);
    expect(define).toThrow(message);
  });
});

describe("the brokers' templates", () => {
  it('read three fields of the forms they know, and do not know each other', () => {
    const form = {
      pages: [
        'HARBOUR BROKERS - Notice of claim\nClaim No.: CL-1   Policy No.: HO-2\nItem  5,00\nTotal claimed    1.796,89\nDeductible  75,00',
      ],
    };
    expect(harbour.recognises(form)).toBe(true);
    expect(meridian.recognises(form)).toBe(false);
    expect(harbour.extract(form)).toEqual({
      claim_number: 'CL-1',
      policy_number: 'HO-2',
      total_claimed: '1796.89',
    });
    const schedule = {
      pages: [
        'MERIDIAN INSURANCE BROKERS\nClaim schedule\n\nClaim reference    Policy reference    Loss date\nCL-1               PX-2                14 Sep 2024\n\nTotal amount claimed   1,682.17',
      ],
    };
    expect(meridian.recognises(schedule)).toBe(true);
    expect(harbour.recognises(schedule)).toBe(false);
    expect(meridian.extract(schedule)).toEqual({
      claim_number: 'CL-1',
      policy_number: 'PX-2',
      total_claimed: '1682.17',
    });
  });
});
