import { describe, expect, expectTypeOf, it } from 'vitest';
import type { FailureClass } from '../../src/domain/failure-class.js';
import type { Reason } from '../../src/domain/reason.js';
import { chooseRoute } from '../../src/domain/routing.js';
import {
  asPrinted,
  type Constraint,
  choice,
  count,
  currencyCode,
  decimal,
  defaultPolicy,
  defaultRepairBudget,
  defineSpec,
  defineTemplate,
  identifier,
  isoDate,
  list,
  money,
  type NotThere,
  percent,
  type RecordOf,
  record,
  SpecError,
  sumEqualsTotal,
  text,
} from '../../src/spec/index.js';
import { verify } from '../../src/verification/verify.js';

const fields = {
  number: identifier('Number'),
  currency: currencyCode('Currency'),
  total: money('Total', { labels: ['Sum'] }),
  note: asPrinted(text('Note', { printed: 'at_label' })),
};

const definition = {
  id: 'receipt',
  title: 'Receipt',
  schemaVersion: '1',
  prompt: { version: 'v1', text: 'A receipt.' },
  fields,
  constraints: [],
} as const;

/** A rule of a user's own, in ten lines. */
const roundTotal: Constraint<RecordOf<typeof fields>> = {
  id: 'round-total',
  version: 1,
  says: 'The total ends in 0',
  repairable: true,
  check: ({ total }) =>
    total.endsWith('0') ? [] : [{ pointer: '/total', message: 'Not round.', expected: null, found: total }],
};

const finder = (id: string, field: string) =>
  defineTemplate({ id, detect: [/x/], fields: { [field]: { pattern: /(?<value>x)/, type: 'text' } } });

describe('defining a spec without a type checker', () => {
  const untyped = defineSpec as (definition: unknown) => unknown;
  it.each([
    [
      { examples: [] },
      'The spec "receipt" cannot be used: "examples" must be a function: (currency, minorUnits) => records.',
    ],
    [
      { fields: undefined },
      'The spec "receipt" cannot be used: "fields" must be an object of field types; it is missing.',
    ],
    [
      { fields: undefined, polcy: {} },
      'The spec "receipt" cannot be used: "polcy" is no part of a spec; did you mean "policy"?',
    ],
    [{ prompt: 'Read it.' }, 'The spec "receipt" cannot be used: "prompt" must be { version, text }.'],
    [
      { prompt: { text: 'Read it.' } },
      'The spec "receipt" cannot be used: "prompt.version" must be a text; it is missing.',
    ],
    [{ id: 7 }, 'A spec cannot be used: "id" must be a text, not 7: write \'7\'.'],
    [{ constraints: {} }, 'The spec "receipt" cannot be used: "constraints" must be a list of rules.'],
  ])('with %j, it is refused in one sentence', (change, says) => {
    expect(() => untyped({ ...definition, ...change })).toThrow(new SpecError(says));
  });

  it.each([
    [
      () => choice('Paid', 'cash' as never),
      'The field "Paid" cannot be used: its values must be a list of texts, ',
    ],
    [() => choice('Paid', []), 'The field "Paid" cannot be used: its values must be a list of texts, '],
    [
      () => choice('Paid', [1] as never),
      'The field "Paid" cannot be used: its values must be a list of texts, ',
    ],
    [() => text(undefined as never), 'A field cannot be used: its first argument must be its title'],
    [() => choice({} as never, ['a']), 'A field cannot be used: its first argument must be its title'],
    [
      () => list('Rows', undefined as never),
      'The field "Rows" cannot be used: its second argument must be an object',
    ],
    [
      () => list('Rows', { amount: 'money' } as never),
      'The field "Rows" cannot be used: its "amount" must be made by',
    ],
    [() => asPrinted('Note' as never), 'asPrinted takes a field, such as asPrinted(text("Note"))'],
  ])('a field given something else says what it needs (%#)', (make, says) => {
    expect(make).toThrow(SpecError);
    expect(make).toThrow(says);
  });

  it('with a part of another name, it names that and the right ones', () => {
    expect(() => untyped({ ...definition, rules: [] })).toThrow(
      /^The spec "receipt" cannot be used: "rules" is no part of a spec; its parts are id, .*, constraints, /,
    );
    expect(() => untyped(undefined)).toThrow('A spec cannot be used: it must be an object.');
  });
});

describe('defining a spec', () => {
  it('fills in policy, repair budget and mode', () => {
    expect(defineSpec(definition)).toMatchObject({
      id: 'receipt',
      policy: defaultPolicy,
      repairBudget: defaultRepairBudget,
      mode: null,
      templates: [],
      allowUngrounded: false,
      examples: null,
    });
    expect(defaultPolicy).toMatchObject({
      attemptCap: 3,
      deadlineMs: 60_000,
      tokenCap: 60_000,
      tokenCeilings: [1500, 3000, 4000],
      transport: { maximumCalls: 3, backoffTotalMs: 8000 },
      repairLaneWaitMs: 5000,
      outage: { patienceMs: 0 },
    });
    const own = defineSpec({
      ...definition,
      policy: { attemptCap: 5 },
      mode: 'plain',
      allowUngrounded: true,
    });
    expect(own).toMatchObject({
      policy: { attemptCap: 5, deadlineMs: 60_000 },
      mode: 'plain',
      allowUngrounded: true,
    });
  });

  it('has records typed by its fields, in rules, amounts and examples', () => {
    type Receipt = RecordOf<typeof fields>;
    expectTypeOf<Receipt['total']>().toEqualTypeOf<string>();
    expectTypeOf<Receipt['note']>().toEqualTypeOf<string | NotThere>();
    const spec = defineSpec({
      ...definition,
      constraints: [roundTotal],
      amount: (receipt) => ({ amount: receipt.total, currency: receipt.currency }),
      examples: (currency) => [{ number: 'A1', currency, total: '10', note: 'blank' }],
    });
    expect(spec.examples?.('EUR', 2)).toHaveLength(1);
    const receipt: Receipt = { number: 'A1', currency: 'EUR', total: '11', note: 'blank' };
    const text = { pages: ['A1 EUR 11'] };
    expect(verify(receipt, spec.constraints, { text, previous: null })).toMatchObject({
      problems: [{ rule: 'round-total', pointer: '/total', found: '11' }],
    });
  });

  it('adds a rule for every field that is printed, and none for one that is not', () => {
    const spec = defineSpec({
      ...definition,
      fields: {
        ...fields,
        kind: choice('Kind', ['a', 'b']),
        country: text('Country', { printed: 'no' }),
        buyer: record('Buyer', { name: text('Name') }),
        rows: list('Rows', { amount: money('Amount', { anySign: true }) }),
      },
    });
    expect(spec.constraints.map(({ id }) => id)).toEqual([
      'printed/number',
      'printed/currency',
      'printed/total',
      'printed/note',
      'printed/buyer/name',
      'printed/rows/amount',
    ]);
    const pages = ['Number: A1\nCurrency: EUR\nSum: 5.00\nNote: hi\nAnn\n-3.00'];
    const good = { number: 'A1', currency: 'EUR', total: '5', note: 'hi', kind: 'a', country: 'DE' } as const;
    const whole = { ...good, buyer: { name: 'Ann' }, rows: [{ amount: '3.00' }] };
    expect(verify(whole, spec.constraints, { text: { pages }, previous: null }).kind).toBe('holds');
    const wrong = { ...whole, note: 'Ann' };
    expect(verify(wrong, spec.constraints, { text: { pages }, previous: null })).toMatchObject({
      problems: [{ rule: 'printed/note' }],
    });
  });

  it('reads amounts without a currency field as points before decimals', () => {
    const spec = defineSpec({ ...definition, fields: { total: money('Total') } });
    const context = { text: { pages: ['Total 1,204'] }, previous: null };
    expect(verify({ total: '1204' }, spec.constraints, context).kind).toBe('holds');
  });

  it('has an amount only where the definition gives one that can be compared', () => {
    const whole = { number: 'A1', currency: 'EUR', total: '10.00', note: 'blank' } as const;
    expect(defineSpec(definition).amount(whole)).toBeNull();
    const spec = defineSpec({
      ...definition,
      amount: (receipt) => ({ amount: receipt.total.trim(), currency: receipt.currency }),
    });
    expect(spec.amount(whole)).toEqual({ amount: '10.00', currency: 'EUR' });
    expect(spec.amount({ ...whole, total: '1,000' })).toBeNull();
    expect(spec.amount({ ...whole, currency: 'ABC' })).toBeNull();
    expect(spec.amount({} as never)).toBeNull();
    expect(defineSpec({ ...definition, amount: () => null }).amount(whole)).toBeNull();
  });

  it('has contents that change with schema, rules and prompt, and with nothing else', () => {
    const base = defineSpec(definition).contents;
    expect(defineSpec({ ...definition, policy: { attemptCap: 2 }, schemaVersion: '2' }).contents).toEqual(
      base,
    );
    expect(defineSpec({ ...definition, prompt: { version: 'v1', text: 'Other.' } }).contents).toEqual({
      ...base,
      prompt: 'Other.',
    });
    const more = defineSpec({ ...definition, fields: { ...fields, extra: money('Extra') } });
    expect(more.contents.schema).not.toBe(base.schema);
    const ruled = defineSpec({ ...definition, constraints: [roundTotal] });
    expect(ruled.contents.schema).not.toBe(base.schema);
    expect(ruled.contents.rules).not.toBe(base.rules);
    const newer = defineSpec({ ...definition, constraints: [{ ...roundTotal, version: 2 }] });
    expect(newer.contents.schema).not.toBe(ruled.contents.schema);
    const reworded = defineSpec({ ...definition, constraints: [{ ...roundTotal, says: 'Other words' }] });
    expect(reworded.contents).toEqual(ruled.contents);
  });
});

describe('the rules behind a version label', () => {
  const rulesOf = (more: object, lines: object = {}) => {
    const rows = list('Rows', { amount: money('Amount', lines) });
    const all = { ...definition, fields: { ...fields, rows }, ...more };
    return defineSpec(all as typeof definition).contents.rules;
  };
  const sum = (options: object = {}) =>
    rulesOf({
      constraints: [sumEqualsTotal({ id: 'sum', addends: ['/rows/*/amount'], total: '/total', ...options })],
    });

  it('are other ones when a parameter changes, or how a field is printed', () => {
    const tolerance = { kind: 'amount', amount: '0.01' } as const;
    const texts = [
      sum(),
      sum({ tolerance }),
      sum({ tolerance: { ...tolerance, amount: '0.02' } }),
      sum({ addends: ['/total'] }),
      rulesOf({ constraints: [roundTotal] }),
      rulesOf({}),
      rulesOf({}, { anySign: true }),
      rulesOf({}, { labels: ['Net'] }),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('are the same in other words, in another order of options, and for another body of an own function', () => {
    expect(sum({ says: 'It adds up' })).toBe(sum());
    expect(sum({ tolerance: undefined })).toBe(sum());
    expect(rulesOf({ constraints: [{ ...roundTotal, check: () => [] }] })).toBe(
      rulesOf({ constraints: [roundTotal] }),
    );
    const turned = sumEqualsTotal({ total: '/total', addends: ['/rows/*/amount'], id: 'sum' });
    expect(rulesOf({ constraints: [turned] })).toBe(sum());
  });
});

describe('names in a policy', () => {
  const untyped = defineSpec as (definition: unknown) => unknown;
  it.each<[object, string]>([
    [
      { policy: { routes: [{ to: 'human_reveiw' }] } },
      'policy.routes[0].to cannot be "human_reveiw"; did you mean "human_review"?',
    ],
    [{ policy: { routes: [{}] } }, 'policy.routes[0] says no route: give it "to".'],
    [{ policy: { routes: { to: 'fallback' } } }, 'policy.routes must be a list of routes.'],
    [
      { policy: { routes: [{ to: 'dead_letter' }, { to: 'human_review', whn: {} }] } },
      'policy.routes[1] has no part "whn"; did you mean "when"?',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { reason: ['refusal'] } }] } },
      'policy.routes[0].when has no part "reason"; did you mean "reasons"?',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { reasons: ['contradicton'] } }] } },
      'policy.routes[0].when.reasons[0] cannot be "contradicton"; did you mean "contradiction"?',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { reasons: 'refusal' } }] } },
      'policy.routes[0].when.reasons must be a list of reasons.',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { failureClasses: ['constraints'] } }] } },
      'policy.routes[0].when.failureClasses[0] cannot be "constraints"; did you mean "constraint"?',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { reasons: [] } }] } },
      'policy.routes[0].when.reasons names none of the reasons.',
    ],
    [
      { policy: { routes: [{ to: 'human_review', when: { hasCandidate: 'yes' } }] } },
      'policy.routes[0].when.hasCandidate must be true or false.',
    ],
    [
      {
        policy: {
          routes: [{ to: 'human_review', when: { amountAtLeast: { amount: '5', currency: 'EURO' } } }],
        },
      },
      'policy.routes[0].when.amountAtLeast must be { amount, currency } with a plain decimal text and a currency code, such as "5000.00" and "EUR".',
    ],
    [{ policy: { attempts: 2 } }, 'policy has no part "attempts"; did you mean "attemptCap"?'],
    [{ policy: { deadline: 2 } }, 'policy has no part "deadline"; did you mean "deadlineMs"?'],
    [
      { policy: { transport: { maxCalls: 2 } } },
      'policy.transport has no part "maxCalls"; did you mean "maximumCalls"?',
    ],
    [{ policy: { models: 'claude' } }, 'policy.models must be a list of models.'],
    [
      { repairBudget: { shar: 1, floor: 1, windowMs: 1 } },
      'repairBudget has no part "shar"; did you mean "share"?',
    ],
    [{ mode: 'constraint' }, 'mode cannot be "constraint"; did you mean "constrained"?'],
  ])('that there are not are refused: %j', (change, says) => {
    expect(() => untyped({ ...definition, ...change })).toThrow(
      new SpecError(`The spec "receipt" cannot be used: ${says}`),
    );
  });

  it('where nothing is said: a person settles what only a person can, the rest may be run again', () => {
    const { routes } = defaultPolicy;
    const goes = (reason: Reason, failureClass: FailureClass | null) =>
      chooseRoute(
        routes,
        {
          ...{
            reason,
            failureClass,
            repliesRead: 2,
            amount: null,
            templateRecognised: false,
            hasCandidate: true,
          },
          ...{ tenant: 'acme', tags: [], pages: 1 },
        },
        [],
      );
    expect(goes('contradiction', 'constraint')).toBe('human_review');
    expect(goes('not_repairable', 'constraint')).toBe('human_review');
    expect(goes('refusal', 'refusal')).toBe('human_review');
    expect(goes('attempt_cap', 'constraint')).toBe('human_review');
    expect(goes('no_progress', 'constraint')).toBe('human_review');
    expect(goes('oscillation', 'constraint')).toBe('human_review');
    expect(goes('attempt_cap', 'schema')).toBe('dead_letter');
    expect(goes('no_progress', 'parse')).toBe('dead_letter');
    expect(goes('token_ceiling', 'truncated')).toBe('dead_letter');
    expect(goes('deadline', 'constraint')).toBe('dead_letter');
    expect(goes('provider_unavailable', null)).toBe('dead_letter');
    expect(goes('unreadable_document', null)).toBe('dead_letter');
  });
});

describe('a definition that cannot work', () => {
  it.each<[string, object, RegExp]>([
    ['an id with capitals', { id: 'Receipt' }, /id must be lower case words/],
    ['no title', { title: ' ' }, /title is empty/],
    ['a schema version with blanks', { schemaVersion: 'version 1' }, /schemaVersion must be a short label/],
    ['no prompt version', { prompt: { version: '', text: 'x' } }, /prompt\.version must be a short label/],
    ['no prompt text', { prompt: { version: '1', text: '\n' } }, /prompt\.text is empty/],
    ['no fields', { fields: {} }, /has no fields/],
    ['a field name with capitals', { fields: { Total: money('Total') } }, /"Total" must be lower case/],
    ['a field without a title', { fields: { total: money('') } }, /"total" has no title/],
    ['a bad field within a list', { fields: { rows: list('Rows', { 'a-b': money('A') }) } }, /"a-b" must be/],
    ['two rules of one id', { constraints: [roundTotal, roundTotal] }, /two rules have the id "round-total"/],
    ['a rule without an id', { constraints: [{ ...roundTotal, id: '' }] }, /cannot have the id ""/],
    [
      'a rule of the schema',
      { constraints: [{ ...roundTotal, id: 'schema/x' }] },
      /cannot have the id "schema\/x"/,
    ],
    ['a policy that does not end', { policy: { attemptCap: 0 } }, /attemptCap must be a whole number/],
    ['a budget above one', { repairBudget: { share: 1.5, floor: 1, windowMs: 1 } }, /share must lie between/],
    [
      'a budget with half a repair',
      { repairBudget: { share: 1, floor: 0.5, windowMs: 1 } },
      /floor must be a whole/,
    ],
    [
      'a budget without a window',
      { repairBudget: { share: 1, floor: 1, windowMs: 0 } },
      /windowMs must be more/,
    ],
    [
      'a template of a field it does not have',
      { templates: [finder('north', 'numbr')] },
      /its template "north" finds a field "numbr", which it does not have/,
    ],
    [
      'two templates of one id',
      { templates: [finder('north', 'number'), finder('north', 'total')] },
      /two templates have the id "north"/,
    ],
    ['a fallback without templates', { policy: { routes: [{ to: 'fallback' }] } }, /it has no templates/],
    [
      'seventeen fields with alternatives',
      {
        fields: Object.fromEntries(
          Array.from({ length: 17 }, (_, index) => [`f${index}`, asPrinted(money(`F${index}`))]),
        ),
      },
      /17 fields with alternatives/,
    ],
  ])('is refused in one sentence: %s', (_what, parts, message) => {
    const define = () => defineSpec({ ...definition, ...parts } as never);
    expect(define).toThrow(SpecError);
    expect(define).toThrow(message);
    expect(define).toThrow(/^The spec "[^"]*" cannot be used: [^\n]+$/);
  });
});

describe('field types', () => {
  const taken = (
    field: { schema: { safeParse(value: unknown): { success: boolean } } },
    ...values: unknown[]
  ) => values.map((value) => field.schema.safeParse(value).success);

  it('take what they are for and nothing else', () => {
    expect(taken(money('M'), '1204.375', '-0.5', '0')).toEqual([true, true, true]);
    expect(taken(money('M'), '1,204', '1e3', '', 'EUR 5', 5, null, '5.', '9'.repeat(65))).not.toContain(true);
    expect(taken(decimal('D'), '0.1212', 'x')).toEqual([true, false]);
    expect(taken(percent('P'), '7.5', '7.5%')).toEqual([true, false]);
    expect(taken(count('C'), '12', '1.0', '-1', '', '1'.repeat(16))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(taken(currencyCode('C'), 'BHD', 'bhd', 'XXX')).toEqual([true, false, false]);
    expect(taken(isoDate('D'), '2024-02-29', '2023-02-29', '20240229', '2024-2-9')).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(taken(isoDate('D'), '2024-02-29T00:00:00Z', '29/02/2024', '')).not.toContain(true);
    expect(taken(identifier('I'), 'INV-1', ' ', '', 'x'.repeat(201), 'a\0')).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    expect(taken(text('T'), 'words', '😀', '\ud83d', 'x'.repeat(2001))).toEqual([true, true, false, false]);
    expect(taken(choice('K', ['a', 'b']), 'a', 'A', 'c')).toEqual([true, false, false]);
    expect(taken(asPrinted(money('M')), '5', 'not_printed', 'blank', 'Blank', null)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(taken(list('L', { a: money('A') }), [{ a: '1' }], [], [{}], [{ a: '1', b: '2' }])).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(taken(record('R', { a: money('A') }), { a: '1' }, { a: '1', b: '' }, [])).toEqual([
      true,
      false,
      false,
    ]);
  });
});
