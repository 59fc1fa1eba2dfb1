import { describe, expect, it } from 'vitest';
import { pagesMediaType, unpackPages } from '../../src/ports/page-images.js';
import { jpeg, png } from '../adapters/pdf/documents.js';
import { verifyAll } from '../support/fakes/bench.js';
import { createCommandLine, jsonLines } from './command-line.js';

describe('given the scanned pages of one document', () => {
  it('when they are extracted with --pages, then they are one document in the order they were named', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const paths = [line.file('b.png', png(10, 10)), line.file('a.jpg', jpeg(20, 20))];
    const ran = await line.run('extract', '--pages', ...paths, '--spec', 'receipt', '--json');
    expect(ran).toMatchObject({ code: 0, error: '' });
    expect(jsonLines(ran)).toMatchObject([{ fileName: 'b.png (2 pages)', outcomeKind: 'verified' }]);
    const [stored] = line.store.documentRows.values();
    expect(stored?.mediaType).toBe(pagesMediaType);
    expect(unpackPages(stored?.bytes ?? new Uint8Array())).toEqual([
      { mediaType: 'image/png', bytes: png(10, 10) },
      { mediaType: 'image/jpeg', bytes: jpeg(20, 20) },
    ]);
  });

  it('when there is one page, then it is the same document with --pages and without', async () => {
    const line = createCommandLine();
    verifyAll(line);
    const path = line.file('a.png', png(10, 10));
    for (const more of [['--pages'], []]) await line.run('extract', path, ...more, '--spec', 'receipt');
    expect(line.store.documentRows.size).toBe(1);
    expect(line.store.rows).toHaveLength(1);
  });

  it.each([
    ['is a PDF', '%PDF-1.7', /b is application\/pdf; pages are PNG, JPEG or WebP images\.\n$/],
    [
      'is over the limit',
      new Uint8Array(20 * 1024 * 1024),
      /^The pages have 20\.0 MiB together; .* at most 20 MiB\.\n$/,
    ],
  ])('when one of them %s, then it is refused and nothing is written', async (_what, content, message) => {
    const line = createCommandLine();
    const paths = [line.file('a.png', png(10, 10)), line.file('b', content)];
    const ran = await line.run('extract', '--pages', ...paths, '--spec', 'receipt');
    expect(ran).toMatchObject({ code: 2, out: '' });
    expect(ran.error).toMatch(message);
    expect(line.store.rows).toEqual([]);
    expect(line.store.documentRows.size).toBe(0);
  });
});
