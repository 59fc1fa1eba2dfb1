import { expect, it } from 'vitest';
import { diffCandidates, readFields, titleAt } from '../../src/application/review-fields.js';
import { asPrinted, list, money, record, text } from '../../src/spec/index.js';

const fields = {
  name: text('Name'),
  excess: asPrinted(money('Excess')),
  broker: record('Broker', { code: text('Code') }),
  lines: list('Lines', { what: text('What'), amount: money('Amount') }),
};

const candidate = {
  name: 'Ada',
  excess: 'not_printed',
  broker: { code: 'B1' },
  lines: [
    { what: 'Glass', amount: '1.50' },
    { what: 'Frame', amount: '2.00' },
  ],
};

const judged = { candidate, evidence: [], ungrounded: [], problems: [] };
const states = (given: object) =>
  readFields(fields, { ...judged, candidate: given as never }).map(({ pointer, state }) => [pointer, state]);

it('reads every field in the order of the spec, under the name a person has for it', () => {
  expect(readFields(fields, judged).map(({ title, value, state }) => [title, value, state])).toEqual([
    ['Name', 'Ada', 'value'],
    ['Excess', null, 'not_printed'],
    ['Broker Code', 'B1', 'value'],
    ['Lines 1 What', 'Glass', 'value'],
    ['Lines 1 Amount', '1.50', 'value'],
    ['Lines 2 What', 'Frame', 'value'],
    ['Lines 2 Amount', '2.00', 'value'],
  ]);
});

it('tells a value, a field that is not printed, a blank one, null and a missing one apart', () => {
  const { excess: _, ...without } = candidate;
  expect(states({ ...candidate, excess: 'blank' })).toContainEqual(['/excess', 'blank']);
  expect(states({ ...candidate, excess: null })).toContainEqual(['/excess', 'null']);
  expect(states(without)).toContainEqual(['/excess', 'missing']);
  // Only a field that may be left out can say so: elsewhere the word is a value.
  expect(states({ ...candidate, name: 'blank' })).toContainEqual(['/name', 'value']);
});

it('shows what a misshapen candidate holds, and what the spec does not know last', () => {
  expect(states({ name: ['x'], broker: 'none', lines: [], tip: '1', deep: { er: true } })).toEqual([
    ['/name', 'value'],
    ['/excess', 'missing'],
    ['/broker/code', 'missing'],
    ['/lines', 'missing'],
    ['/broker', 'value'],
    ['/tip', 'value'],
    ['/deep/er', 'value'],
  ]);
  expect(states('text' as never)).toHaveLength(4);
});

it('puts evidence, missing text and unmet rules beside their field', () => {
  const found = { pointer: '/lines/1/amount', page: 2, start: 3, end: 7, printed: '2,00' };
  const problems = ['sum', 'sum', 'units'].map((rule) => ({ rule, pointer: '/lines/1/amount' }));
  const read = readFields(fields, { ...judged, evidence: [found], ungrounded: ['/name'], problems });
  expect(read.find(({ pointer }) => pointer === found.pointer)).toMatchObject({
    ...{ evidence: [found], unmet: ['sum', 'units'], ungrounded: false },
  });
  expect(read[0]).toMatchObject({ pointer: '/name', ungrounded: true, evidence: [], unmet: [] });
});

it('names only the fields that differ between attempts, with the value of each attempt that had one', () => {
  const second = { ...candidate, excess: '50.00', lines: [{ what: 'Glass', amount: '3.50' }] };
  expect(
    diffCandidates(fields, [
      { attempt: 1, candidate },
      { attempt: 3, candidate: second },
    ]),
  ).toEqual([
    {
      pointer: '/excess',
      title: 'Excess',
      values: [
        { attempt: 1, value: 'not_printed' },
        { attempt: 3, value: '50.00' },
      ],
    },
    {
      pointer: '/lines/0/amount',
      title: 'Lines 1 Amount',
      values: [
        { attempt: 1, value: '1.50' },
        { attempt: 3, value: '3.50' },
      ],
    },
    { pointer: '/lines/1/what', title: 'Lines 2 What', values: [{ attempt: 1, value: 'Frame' }] },
    { pointer: '/lines/1/amount', title: 'Lines 2 Amount', values: [{ attempt: 1, value: '2.00' }] },
  ]);
  expect(diffCandidates(fields, [{ attempt: 1, candidate }])).toEqual([]);
  expect(diffCandidates(fields, [])).toEqual([]);
});

it('names a place by its title, and nothing that the spec does not have', () => {
  expect(titleAt(fields, '/lines/11/what')).toBe('Lines 12 What');
  expect(titleAt(fields, '/lines')).toBe('Lines');
  for (const unknown of ['', '/tip', '/name/first', '/0', '/constructor', '/lines/0/tip'])
    expect(titleAt(fields, unknown), unknown).toBeNull();
});
