import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { extractText, getDocumentProxy } from 'unpdf';
import { afterAll, describe, expect, test } from 'vitest';
import { MINOR_UNITS, printed } from '../../samples/generator/amounts.js';
import { allSamples } from '../../samples/generator/catalogue.js';
import type { JsonRecord } from '../../samples/generator/records.js';
import type { Sample } from '../../samples/generator/sample.js';

const home = fileURLToPath(new URL('../../samples/', import.meta.url));
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** Every file below a folder that the generator writes, by its hash. */
async function hashes(folder: string): Promise<Record<string, string>> {
  const names = [
    'index.json',
    ...(await readdir(join(folder, 'files'))).map((name) => `files/${name}`),
    ...(await readdir(join(folder, 'truth'))).map((name) => `truth/${name}`),
  ];
  const entries = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function generate(seed: number): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'samples-'));
  folders.push(out);
  const script = join(home, 'generate.ts');
  await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    script,
    '--seed',
    String(seed),
    '--out',
    out,
  ]);
  return out;
}

async function textLayer({ file, bytes }: Sample): Promise<string> {
  if (!file.endsWith('.pdf')) return bytes.toString('utf8');
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
  return text;
}

describe('the generator', () => {
  test('writes what is in the repository, byte for byte', async () => {
    expect(await hashes(await generate(1))).toEqual(await hashes(home));
  });

  test('writes other papers of the same kinds for another seed, the same ones each time', async () => {
    const [one, two] = [await hashes(await generate(9)), await hashes(await generate(9))];
    const kept = await hashes(home);
    expect(one).toEqual(two);
    expect(Object.keys(one)).toEqual(Object.keys(kept));
    // Only the empty file does not depend on the seed, nor do truths without a record.
    const same = Object.keys(one).filter((name) => name.startsWith('files/') && one[name] === kept[name]);
    expect(same.sort()).toEqual(['files/claim-empty.txt']);
  });
});

describe('the set of samples', async () => {
  const samples = await allSamples(1);
  const truths = samples.map(({ truth }) => truth);

  test('covers every outcome, route and class it is meant to show', () => {
    expect(samples.length).toBeGreaterThanOrEqual(30);
    const exhausted = truths.filter((truth) => truth.outcome === 'unverified');
    expect(new Set(exhausted.map((truth) => truth.route))).toEqual(
      new Set(['human_review', 'fallback', 'best_effort', 'dead_letter']),
    );
    expect(new Set(exhausted.map((truth) => truth.reason))).toEqual(
      new Set([
        'contradiction',
        'refusal',
        'token_ceiling',
        'attempt_cap',
        'empty_reply',
        'unreadable_document',
      ]),
    );
    expect(new Set(truths.flatMap((truth) => truth.attemptClasses))).toEqual(
      new Set(['constraint', 'refusal', 'truncated', 'empty', 'parse']),
    );
  });

  test('spans currencies, sizes, forms and specs', () => {
    const records = truths.flatMap((truth) => (truth.outcome === 'verified' ? [truth.record] : []));
    expect(new Set(records.map((record) => record['currency']))).toEqual(new Set(Object.keys(MINOR_UNITS)));
    const sizes = records.map((record) => (record['line_items'] as readonly JsonRecord[]).length);
    expect([Math.min(...sizes), Math.max(...sizes)]).toEqual([1, 60]);
    expect(new Set(samples.map(({ file }) => file.slice(-3)))).toEqual(new Set(['txt', 'pdf']));
    expect(new Set(samples.map(({ spec }) => spec))).toEqual(
      new Set(['claim', 'claim-two-decimals', 'invoice', 'invoice-plain']),
    );
  });

  test('has no two documents with the same bytes, so that calls can be counted by document', () => {
    const bytes = samples.map((sample) => sample.bytes.toString('base64'));
    expect(new Set(bytes).size).toBe(samples.length);
  });
});

describe.each([1, 9])('papers of seed %i', async (seed) => {
  const verified = (await allSamples(seed)).flatMap((sample) =>
    sample.truth.outcome === 'verified' ? [{ name: sample.name, sample, record: sample.truth.record }] : [],
  );

  test.each(verified)('$name prints every value of its truth', async ({ sample, record }) => {
    const text = await textLayer(sample);
    for (const value of moneyOf(record)) {
      const styles = ['point', 'comma', 'apostrophe'] as const;
      const spellings = [value, ...styles.map((style) => printed(value, style))];
      expect(
        spellings.some((spelling) => text.includes(spelling)),
        `${value} is not printed`,
      ).toBe(true);
    }
    for (const name of ['claim_number', 'policy_number', 'claimant', 'invoice_number', 'seller', 'buyer']) {
      if (typeof record[name] === 'string') expect(text).toContain(record[name]);
    }
  });

  test.each(verified)('$name adds up', ({ record }) => {
    const decimals = MINOR_UNITS[record['currency'] as keyof typeof MINOR_UNITS];
    const units = (value: unknown): bigint => {
      expect(value).toMatch(decimals === 0 ? /^-?\d+$/ : new RegExp(`^-?\\d+\\.\\d{${decimals}}$`));
      return BigInt(String(value).replace('.', ''));
    };
    const items = record['line_items'] as readonly JsonRecord[];
    const sum = items.reduce((total, item) => total + units(item['amount']), 0n);
    if (record['total_claimed'] !== undefined) {
      expect(units(record['total_claimed'])).toBe(sum);
      return;
    }
    expect(units(record['net_total'])).toBe(sum);
    expect(units(record['total'])).toBe(sum + units(record['tax_amount']));
    expect(Number(record['tax_amount'])).toBeCloseTo(
      (Number(record['net_total']) * Number(record['tax_rate'])) / 100,
      1 - 1,
    );
    for (const item of items) {
      expect(Number(item['amount'])).toBeCloseTo(
        Number(item['quantity']) * Number(item['unit_price']),
        decimals - 1,
      );
    }
    if (/^\d/.test(String(record['printed_line_count']))) {
      expect(Number(record['printed_line_count'])).toBe(items.length);
    }
    if (record['document_type'] === 'credit_note') expect(sum).toBeLessThan(0n);
  });
});

/** Every plain decimal in a record. */
function moneyOf(value: JsonRecord | string | readonly JsonRecord[]): string[] {
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? [value] : [];
  return Object.values(value).flatMap((child) => moneyOf(child as JsonRecord | string));
}
