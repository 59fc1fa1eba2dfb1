import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SpecError } from '../../src/spec/index.js';
import { loadSpecs } from '../../src/spec/load-spec.js';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'endstop-specs-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

describe('loading specs from disk', () => {
  it('takes one spec or a list of them as default export', async () => {
    const one = await loadSpecs('specs/invoice/invoice.ts');
    expect(one.map(({ id }) => id)).toEqual(['invoice']);
    const all = await loadSpecs(resolve('specs/index.ts'));
    expect(all.map(({ id }) => id)).toEqual(['claim', 'claim-two-decimals', 'invoice', 'invoice-plain']);
  });

  it.each<[string, () => string, RegExp]>([
    [
      'a missing file',
      () => join(folder, 'nowhere.ts'),
      /There is no spec file .*nowhere\.ts; check the path/,
    ],
    ['a folder', () => folder, /is not a file/],
    [
      'a file that throws',
      () => file('throws.mjs', 'throw new Error("boom\\nsecond line")'),
      /cannot be loaded: boom \(throws\.mjs:1\)$/,
    ],
    [
      'a name that is not defined',
      () => file('names.mjs', '// A spec.\nexport default [lst];'),
      /cannot be loaded: lst is not defined \(names\.mjs:2\)$/,
    ],
    [
      'a field without its title',
      () =>
        file(
          'untitled.mjs',
          `import { isoDate } from ${JSON.stringify(resolve('src/spec/index.ts'))};\nexport default isoDate();`,
        ),
      /^A field cannot be used: its first argument must be its title, such as "Total" \(untitled\.mjs:2\)\.$/,
    ],
    ['a file that throws a text', () => file('text.mjs', 'throw "boom"'), /cannot be loaded: boom$/],
    ['a file with a fault of syntax', () => file('syntax.mjs', 'export default {'), /cannot be loaded: /],
    ['no default export', () => file('none.mjs', 'export const spec = 1'), /has no default export; add/],
    [
      'a default export that is no spec',
      () => file('number.mjs', 'export default 5'),
      /does not export a spec/,
    ],
    [
      'an object that is no spec',
      () => file('object.mjs', 'export default { id: "x" }'),
      /does not export a spec/,
    ],
    [
      'a list with something else',
      () => file('mixed.mjs', 'export default [null]'),
      /does not export a spec/,
    ],
    ['an empty list', () => file('empty.mjs', 'export default []'), /exports an empty list/],
  ])('says in one sentence what is wrong with %s', async (_what, path, message) => {
    const failure = await loadSpecs(path()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SpecError);
    expect((failure as SpecError).message).toMatch(message);
    expect((failure as SpecError).message).not.toContain('\n');
  });

  it('passes on the sentence of a definition that cannot work', async () => {
    const index = resolve('src/spec/index.ts');
    const path = file(
      'bad.ts',
      `import { defineSpec } from '${index}';\nexport default defineSpec({ id: 'Bad', title: 'x', schemaVersion: '1', prompt: { version: '1', text: 'x' }, fields: {}, constraints: [] });`,
    );
    await expect(loadSpecs(path)).rejects.toThrow(/The spec "Bad" cannot be used: its id must be/);
  });

  it('unwraps the default export of a file in the old module format', async () => {
    const path = file('old.cjs', 'module.exports = { default: [] }');
    await expect(loadSpecs(path)).rejects.toThrow(/exports an empty list/);
  });
});
