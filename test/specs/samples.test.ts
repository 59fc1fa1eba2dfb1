import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import specs from '../../specs/index.js';
import { createDocumentReader } from '../../src/adapters/pdf/reader.js';
import { problemsOf } from '../../src/spec/read-record.js';
import type { Spec } from '../../src/spec/spec.js';
import { expand, leaves, set } from '../../src/verification/pointer.js';
import { verify } from '../../src/verification/verify.js';

interface Sample {
  readonly name: string;
  readonly spec: string;
  readonly file: string;
  readonly truth: string;
}

const folder = join(import.meta.dirname, '../../samples');
const { samples } = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as {
  samples: readonly Sample[];
};
const truths = samples.flatMap((sample) => {
  const { record } = JSON.parse(readFileSync(join(folder, sample.truth), 'utf8')) as { record?: unknown };
  return record === undefined ? [] : [{ ...sample, record }];
});

const reader = createDocumentReader();
afterAll(() => reader.close());

async function textOf({ file }: Sample) {
  const mediaType = file.endsWith('.pdf') ? 'application/pdf' : 'text/plain';
  const document = await reader.read({ mediaType, bytes: readFileSync(join(folder, file)) });
  if (document.kind === 'unreadable') throw new Error(`${file} is ${document.fault}`);
  return document.text;
}

function specOf({ spec: id }: Sample): Spec {
  const spec = specs.find((each) => each.id === id);
  if (spec === undefined) throw new Error(`no spec ${id}`);
  return spec;
}

/** Two neighbouring digits swapped, the first pair that differs; null when there is none. */
function misread(value: string): string | null {
  const pair = [...value.matchAll(/(?=(\d)(\d))/g)].find(([, one, other]) => one !== other && other !== '0');
  return pair === undefined
    ? null
    : `${value.slice(0, pair.index)}${pair[2]}${pair[1]}${value.slice(pair.index + 2)}`;
}

it('there are samples to look at', () => {
  expect(truths.length).toBeGreaterThan(25);
});

describe.each(truths)('the truth of $name', (sample) => {
  const spec = specOf(sample);

  it('has the shape of the spec and satisfies every rule, each value with its place in the document', async () => {
    expect(problemsOf(spec, sample.record)).toEqual([]);
    const text = await textOf(sample);
    const verdict = verify(sample.record, spec.constraints, { text, previous: null });
    expect(verdict).toMatchObject({ kind: 'holds', ungrounded: [] });
    if (verdict.kind !== 'holds') throw new Error('expected no problems');
    const values = leaves(sample.record).filter(
      ({ pointer, value }) => pointer !== '/document_type' && value !== 'not_printed' && value !== 'blank',
    );
    expect(verdict.evidence.map(({ pointer }) => pointer).sort()).toEqual(
      values.map(({ pointer }) => pointer).sort(),
    );
    for (const { page, start, end, printed } of verdict.evidence) {
      expect(text?.pages[page - 1]?.slice(start, end)).toBe(printed);
    }
  });

  it('is refused with any one amount misread, with a row lost, and with a deductible made up', async () => {
    const text = await textOf(sample);
    const refuses = (record: unknown) => {
      const kind = verify(record, spec.constraints, { text, previous: null }).kind;
      expect(kind, JSON.stringify(record)).toBe('broken');
    };
    const amounts = [
      '/line_items/*/amount',
      '/total_claimed',
      '/deductible',
      '/net_total',
      '/tax_amount',
      '/total',
    ];
    for (const { pointer, value } of amounts.flatMap((pattern) => expand(sample.record, pattern))) {
      const wrong = misread(String(value));
      if (wrong !== null) refuses(set(sample.record, pointer, wrong));
    }
    const rows = expand(sample.record, '/line_items').flatMap(({ value }) => value as readonly unknown[]);
    for (const lost of rows.keys()) {
      refuses(
        set(
          sample.record,
          '/line_items',
          rows.filter((_, index) => index !== lost),
        ),
      );
    }
    if (spec.id === 'claim')
      for (const made of ['500', '250.00', '1']) refuses(set(sample.record, '/deductible', made));
  });
});
