import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { invoice } from '../../specs/invoice/invoice.js';
import type { Invoice } from '../../specs/invoice/record.js';
import type { RequestMode } from '../../src/domain/request-mode.js';
import { readReply } from '../../src/reply/read-reply.js';
import { printRecord } from '../../src/spec/print-record.js';
import type { Spec } from '../../src/spec/spec.js';
import { aClaim } from '../specs/claims.js';
import { classesOf, judge, play, says } from './script.js';

const modes: readonly RequestMode[] = ['constrained', 'tool', 'plain'];
const claims = claim as Spec;
const invoices = invoice as Spec;
const right = aClaim({ amounts: ['179.00', '50.40'], total: '229.40' });
const form = printRecord(claim.fields, right);
const whole = JSON.stringify(right);

/** The value as plain JSON, or why there is none. */
const read = (text: string) => {
  const reading = readReply({ text, stopReason: 'end_turn', mode: 'plain' });
  return reading.kind === 'value' ? JSON.parse(JSON.stringify(reading.value)) : reading.code;
};

describe('case 1: a reply that was cut off', () => {
  it.each(modes)('is truncated at every position, holds no candidate and is no record (%s)', (mode) => {
    for (let length = 0; length <= whole.length; length += 1) {
      const judged = judge(claims, form, { text: whole.slice(0, length), stopReason: 'max_tokens', mode });
      expect(judged).toMatchObject({
        result: { kind: 'rejected', failureClass: 'truncated', candidateHash: null },
        candidate: null,
        normalisations: [],
      });
    }
  });

  it.each(modes)('is not closed either when the provider calls it complete (%s)', (mode) => {
    for (let length = 0; length < whole.length; length += 1) {
      const { result, candidate } = judge(claims, form, { text: whole.slice(0, length), mode });
      expect(result.kind).toBe('rejected');
      expect(candidate).toBeNull();
    }
    expect(judge(claims, form, { text: whole, mode }).result.kind).toBe('accepted');
  });
});

describe('case 2: rows that vanish from valid JSON', () => {
  const line = (index: number) => ({
    description: `Part ${index}`,
    quantity: '1',
    unit_price: `${index}.00`,
    amount: `${index}.00`,
  });
  const [example] = invoice.examples?.('EUR', 2) ?? [];
  if (example === undefined) throw new Error('The invoice spec has no example.');
  // 1 + 2 + ... + 40 = 820; 19 % of it is 155.80.
  const long: Invoice = {
    ...example,
    line_items: Array.from({ length: 40 }, (_, index) => line(index + 1)),
    printed_line_count: '40',
    net_total: '820.00',
    tax_amount: '155.80',
    total: '975.80',
  };
  const paper = printRecord(invoice.fields, long);

  it('fails the sum and the printed count when three of forty are left, at any price', () => {
    expect(judge(invoices, paper, says(long)).result.kind).toBe('accepted');
    const { result } = judge(invoices, paper, says({ ...long, line_items: long.line_items.slice(0, 3) }));
    expect(result).toMatchObject({ kind: 'rejected', failureClass: 'constraint' });
    const rules = result.kind === 'rejected' ? result.problems.map(({ rule }) => rule) : [];
    expect(rules).toEqual(expect.arrayContaining(['net-equals-sum', 'line-count-as-printed']));
  });

  it.each([
    ['empty', []],
    ['null', null],
    ['absent', undefined],
  ])('fails when the list is %s', (_what, list) => {
    const { result } = judge(invoices, paper, says({ ...long, line_items: list }));
    expect(result).toMatchObject({ kind: 'rejected', failureClass: 'schema' });
  });
});

describe('case 3: replies that are cut off again and again', () => {
  const cut = { text: whole.slice(0, 40), stopReason: 'max_tokens' };

  it('raise the ceiling each time, are told nothing about formats, and end when there is no higher one', () => {
    const played = play(claims, form, [cut]);
    expect(played.requests.map(({ maxTokens, feedback }) => [maxTokens, feedback])).toEqual([
      [1_500, null],
      [3_000, null],
      [4_000, null],
    ]);
    expect(played.ending).toMatchObject({ reason: 'token_ceiling', failureClass: 'truncated', attempts: 3 });
  });

  it('are not called again when there is only one ceiling, or the window of the model was full', () => {
    expect(play(claims, form, [cut], { tokenCeilings: [1_500] }).requests).toHaveLength(1);
    const full = { ...cut, stopReason: 'model_context_window_exceeded' };
    expect(play(claims, form, [full])).toMatchObject({ ending: { reason: 'token_ceiling', attempts: 1 } });
  });
});

describe('case 5: fences', () => {
  const inside = { n: 'use ```json' };
  const text = JSON.stringify(inside);

  it.each(['```json\n', '```\n', '`````json\n', '~~~~\n', '```json'])(
    'after %j leave a value with ticks whole',
    (open) => {
      const fence = open.replace(/[a-z\n]/g, '');
      for (const close of [`\n${fence}`, '']) expect(read(`${open}${text}${close}`)).toEqual(inside);
    },
  );
});

describe('case 7: drafts in thinking', () => {
  it.each(['think', 'thinking', 'reasoning'])('lose against the answer behind them (<%s>)', (tag) => {
    expect(read(`<${tag}>{"draft":1}</${tag}>{"total":"5"}`)).toEqual({ total: '5' });
  });

  it('are no value when the thinking never ends', () => {
    expect(read('<think>{"draft":1}')).toBe('unclosed_think');
    expect(read('<think>{"draft":1} {"total":"5"}')).toBe('unclosed_think');
  });

  it('may be spoken of within a string', () => {
    expect(read('{"note":"<think>{}"}')).toEqual({ note: '<think>{}' });
  });
});

describe('case 8: stray brackets in prose', () => {
  it.each([
    'starting with "I, ["\n',
    'As in [1] and [2]:\n',
    'see ] there:\n',
    'Options: [a, b\n',
    'For {name}:\n',
  ])('before the object do not hide it: %j', (prose) => {
    expect(read(`${prose}{"a":"1"}`)).toEqual({ a: '1' });
  });
});

describe('case 9: several values', () => {
  it('are one when they are equal, however spelled', () => {
    expect(read('{"a":1}{"a":1}')).toBeTypeOf('object');
    expect(read('{"a":1,"b":"x"}\n\n{ "b": "x", "a": 1.0 }')).toBeTypeOf('object');
  });

  it('are ambiguous when they differ, whichever comes first', () => {
    for (const text of ['{"a":1}{"a":2}', '{"a":2}\n{"a":1}', '{"a":1} {"a":1} {"a":"1"}']) {
      expect(read(text)).toBe('ambiguous');
      expect(judge(claims, form, { text, mode: 'plain' }).result).toMatchObject({ failureClass: 'parse' });
    }
  });
});

describe('case 11: duplicate keys', () => {
  it.each(modes)('are a parse failure, also when one is escaped or deep (%s)', (mode) => {
    for (const text of [
      '{"total":10,"total":99}',
      '{"total":10,"t\\u006ftal":10}',
      '{"rows":[{"a":{"x":"1","x":"1"}}]}',
    ]) {
      expect(readReply({ text, stopReason: 'end_turn', mode })).toMatchObject({
        failureClass: 'parse',
        code: 'duplicate_key',
      });
    }
  });
});

describe('case 12: long numbers', () => {
  it('keep every digit when they come as a JSON number', () => {
    const number = '2512292042121000001';
    const record = { ...right, claim_number: number };
    const paper = printRecord(claim.fields, record);
    const text = JSON.stringify(record).replace(`"${number}"`, number);
    expect(text).toContain(`:${number},`);
    const { result, candidate } = judge(claims, paper, { text });
    expect(result.kind).toBe('accepted');
    expect(candidate).toMatchObject({ claim_number: number });
  });

  it('are another candidate when only the last digit differs', () => {
    const hash = (last: string) => {
      const { result } = judge(claims, form, says({ ...right, claim_number: `251229204212100000${last}` }));
      return result.kind === 'rejected' ? result.candidateHash : null;
    };
    expect(hash('1')).not.toBe(hash('0'));
  });
});

describe('case 13: NaN and Infinity', () => {
  it.each(['NaN', 'Infinity', '-Infinity', 'nan', '-NaN'])(
    '(%s) are a parse failure in every mode',
    (word) => {
      for (const mode of modes) {
        const text = whole.replace('"229.40"', word);
        expect(text).toContain(word);
        expect(judge(claims, form, { text, mode })).toMatchObject({
          result: { failureClass: 'parse' },
          candidate: null,
        });
      }
    },
  );
});

describe('case 15: raw control characters and byte order marks', () => {
  it('a raw newline in a string is escaped and tagged in plain mode, and refused in the others', () => {
    const described = { ...right, claimant: 'Pearl\nShipping' };
    const text = JSON.stringify(described).replace('\\n', '\n');
    const paper = printRecord(claim.fields, described);
    const judged = judge(claims, paper, { text, mode: 'plain' });
    expect(judged.candidate).toMatchObject({ claimant: 'Pearl\nShipping' });
    expect(judged.normalisations).toEqual([{ kind: 'control_character', count: 1 }]);
    for (const mode of ['constrained', 'tool'] as const) {
      expect(judge(claims, paper, { text, mode }).result).toMatchObject({ failureClass: 'parse' });
    }
  });

  it.each(modes)(
    'a byte order mark before the value is dropped and tagged, one inside it is kept (%s)',
    (mode) => {
      const inside = { ...right, claimant: 'Pearl \ufeffShipping' };
      const judged = judge(claims, form, { text: `\ufeff${JSON.stringify(inside)}`, mode });
      expect(judged.normalisations).toEqual([{ kind: 'byte_order_mark', count: 1 }]);
      expect(judged.candidate).toMatchObject({ claimant: 'Pearl \ufeffShipping' });
    },
  );
});

describe('case 16: deep nesting', () => {
  it.each([65, 5_000, 200_000, 1_000_000])(
    'of %i levels is refused in every mode, and the process lives',
    (depth) => {
      for (const open of ['{"a":', '[']) {
        const text = `{"x":${open.repeat(depth)}`;
        for (const mode of modes) {
          expect(readReply({ text, stopReason: 'end_turn', mode })).toMatchObject({
            failureClass: 'parse',
            code: 'too_deep',
          });
        }
      }
    },
  );
});

describe('case 18: empty replies', () => {
  it.each(modes)('are truncated when the ceiling was spent on thinking, whatever the text (%s)', (mode) => {
    const judged = judge(claims, form, { text: '', stopReason: 'max_tokens', mode });
    expect(judged.result).toMatchObject({ failureClass: 'truncated' });
  });

  it('are no identical request again: once with a reminder, then the run ends', () => {
    const played = play(claims, form, [{ text: '', tokens: 0 }]);
    expect(classesOf(played)).toEqual(['empty', 'empty']);
    expect(played.requests.map(({ feedback }) => feedback === null)).toEqual([true, false]);
    expect(played.ending).toMatchObject({ reason: 'empty_reply', attempts: 2 });
  });

  it.each(['', ' \n\t', '\ufeff', '{}', '[]', 'null', '{"line_items":[]}', 'no events'])(
    'never become an empty record: %j',
    (text) => {
      for (const mode of modes) expect(judge(claims, form, { text, mode }).result.kind).toBe('rejected');
    },
  );
});

describe('case 19: refusals', () => {
  it.each(['', 'I cannot help with that.', whole])('stop after one call, whatever the text: %j', (text) => {
    const played = play(claims, form, [{ text, stopReason: 'refusal' }, says(right)]);
    expect(played.requests).toHaveLength(1);
    expect(classesOf(played)).toEqual(['refusal']);
    expect(played.judged[0]?.candidate).toBeNull();
    expect(played.ending).toMatchObject({ reason: 'refusal', failureClass: 'refusal', attempts: 1 });
  });
});
