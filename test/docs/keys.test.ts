import { readFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
});

it('the guide to reviews has every key as the console has it, in its order', async () => {
  vi.stubGlobal('document', { addEventListener: () => {} });
  const script = new URL('../../src/console/assets/keys.js', import.meta.url).href;
  const { commands } = (await import(script)) as {
    readonly commands: Readonly<Record<string, { readonly key: string; readonly says: string }>>;
  };
  const guide = readFileSync('docs/review.md', 'utf8').split('## By keyboard')[1] ?? '';
  const rows = [...guide.matchAll(/^\| `([^`]+)` \| ([^:|]+?)(?:: [^|]*)? \|$/gm)];
  expect(rows.map(([, key, says]) => [key, says])).toEqual(
    Object.values(commands).map(({ key, says }) => [key, says]),
  );
});
