import { describe, expect, it } from 'vitest';
import { asset, assetImports, assetMark, assetUrl } from '../../src/console/assets.js';

const textOf = (name: string) => new TextDecoder().decode(asset(name)?.bytes);

describe('what pages load', () => {
  it('is named by its content, and a name that is no file is a bug', () => {
    expect(assetUrl('review.js')).toBe(`/console/assets/${assetMark()}/review.js`);
    for (const name of ['nothing.js', '../assets.ts', '__proto__']) {
      expect(asset(name)).toBeNull();
      expect(() => assetUrl(name)).toThrow('There is no asset');
    }
  });

  it('names every script that a script loads beforehand, in any depth, and each of them is there', () => {
    const named = assetImports(['review.js']);
    // Loaded by review.js itself, by what that loads, and so on to the drawing of a page.
    for (const name of ['review-lease.js', 'review-draft.js', 'console.js', 'document-pdf.js'])
      expect(named).toContain(name);
    for (const name of ['review.js', ...named]) {
      const loads = [...textOf(name).matchAll(/^(?:import|export|\}).*'\.\/([\w-]+\.js)';$/gm)].map(
        ([, other]) => other,
      );
      expect([...named, 'review.js'], name).toEqual(expect.arrayContaining(loads));
    }
    for (const name of named) expect(asset(name), name).not.toBeNull();
  });

  it('has one sheet of styles, whose every colour the palette knows', () => {
    const sheets = textOf('console.css') + textOf('review.css');
    const set = new Set([...sheets.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    for (const [, name] of sheets.matchAll(/var\((--[\w-]+)/g)) expect(set).toContain(name);
    expect(sheets).not.toMatch(/prefers-color-scheme|@import|https?:/);
  });
});
