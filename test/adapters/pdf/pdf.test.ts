import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../../../src/adapters/pdf/reader.js';
import { pdf, rawPdf, utf8 } from './documents.js';

const reader = createDocumentReader();
afterAll(() => reader.close());

const read = (bytes: Uint8Array) => reader.read({ mediaType: 'application/pdf', bytes });
const unreadable = (fault: string) => ({ kind: 'unreadable', fault });

async function pagesOf(bytes: Uint8Array): Promise<readonly string[]> {
  const document = await read(bytes);
  if (document.kind !== 'readable' || document.text === null)
    throw new Error('No text layer.', { cause: document });
  return document.text.pages;
}

describe('the text of a PDF', () => {
  it('has a label and its value on one line, though a column was drawn at a time', async () => {
    const made = await pdf((page) => {
      page.text('Invoice number', 50, 50).text('Total', 50, 80);
      page.text('INV-7', 300, 50).text('1,240.00 EUR', 300, 80);
    });
    expect(await pagesOf(made)).toEqual(['Invoice number  INV-7\nTotal  1,240.00 EUR']);
  });

  it('knows the box of each of its pieces: what stands there is what the text says', async () => {
    const made = await pdf((page) => {
      page.fontSize(12).text('Total', 50, 80).text('1,240.00 EUR', 300, 80);
      page.addPage().text('second', 50, 50);
    });
    const [text = ''] = await pagesOf(made);
    const document = { mediaType: 'application/pdf', bytes: made };
    const layout = await reader.layout(document, 1);
    const said = layout?.pieces.map(({ start, end }) => text.slice(start, end));
    expect(said).toEqual(['Total', '1,240.00 EUR']);
    const [label, amount] = layout?.pieces ?? [];
    expect(label?.x).toBeCloseTo(50, 0);
    expect(amount?.x).toBeCloseTo(300, 0);
    for (const { y, height } of [label, amount].filter((piece) => piece !== undefined)) {
      expect(y).toBeGreaterThan(74);
      expect(y + height).toBeLessThan(98);
    }
    expect(await reader.layout(document, 3)).toBeNull();
    expect(await reader.layout({ mediaType: 'text/plain', bytes: made }, 1)).toBeNull();
  });

  it('comes page by page', async () => {
    const made = await pdf((page) =>
      page.text('first').addPage().text('second').addPage().rect(9, 9, 9, 9).fill(),
    );
    expect(await read(made)).toEqual({
      kind: 'readable',
      pages: 3,
      text: { pages: ['first', 'second', ''] },
    });
  });

  it('keeps one line for sizes and styles that share a baseline', async () => {
    const made = await pdf((page) => {
      page
        .font('Helvetica-Bold')
        .fontSize(16)
        .text('Total', 50, 100, { continued: true, baseline: 'alphabetic' });
      page.font('Helvetica').fontSize(10).text(' 12.50', { baseline: 'alphabetic' });
    });
    expect(await pagesOf(made)).toEqual(['Total 12.50']);
  });

  it('keeps lines apart that stand close together', async () => {
    const made = await pdf((page) => page.fontSize(8).text('above', 50, 100).text('below', 50, 108));
    expect(await pagesOf(made)).toEqual(['above\nbelow']);
  });

  it('keeps the digits of a number together', async () => {
    const made = await pdf((page) => page.text('1 204.375 and 12345678901234567890', 50, 50));
    expect(await pagesOf(made)).toEqual(['1 204.375 and 12345678901234567890']);
  });

  it.each([90, 180, 270])('reads a page turned by %i degrees like any other', async (angle) => {
    const made = await pdf((page) => {
      page.rotate(angle, { origin: [300, 300] });
      page.text('Label', 200, 300).text('second', 200, 330).text('value', 400, 300);
    });
    expect(await pagesOf(made)).toEqual(['Label  value\nsecond']);
  });

  it('lets a stamp across the page follow after the rest', async () => {
    const made = await pdf((page) => {
      page
        .save()
        .rotate(-40, { origin: [200, 60] })
        .text('COPY', 150, 50)
        .restore();
      page.text('Total', 50, 50).text('7', 300, 50);
    });
    expect(await pagesOf(made)).toEqual(['Total  7\nCOPY']);
  });

  it('is null when there is none, as in a scan', async () => {
    const made = await pdf((page) => page.rect(50, 50, 100, 100).fill().addPage());
    expect(await read(made)).toEqual({ kind: 'readable', pages: 2, text: null });
  });

  it('holds every word of any table, row by row, in whatever order its cells were drawn', async () => {
    const word = fc.stringMatching(/^[A-Za-z0-9.,]{1,8}$/);
    const table = fc
      .integer({ min: 1, max: 3 })
      .chain((columns) =>
        fc.array(fc.array(word, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 6 }),
      );
    await fc.assert(
      fc.asyncProperty(table, fc.infiniteStream(fc.nat()), async (rows, dice) => {
        const cells = rows.flatMap((row, y) =>
          row.map((text, x) => ({ text, x, y, order: dice.next().value ?? 0 })),
        );
        cells.sort((one, other) => one.order - other.order);
        const made = await pdf((page) => {
          for (const { text, x, y } of cells)
            page.text(text, 50 + x * 160, 50 + y * 20, { lineBreak: false });
        });
        expect(await pagesOf(made)).toEqual([rows.map((row) => row.join('  ')).join('\n')]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a PDF that cannot be read', () => {
  it('is encrypted when it needs a password, and also when it opens without one', async () => {
    const locked = await pdf((page) => page.text('x'), {
      userPassword: 'u',
      ownerPassword: 'o',
      pdfVersion: '1.7',
    });
    const restricted = await pdf((page) => page.text('x'), { ownerPassword: 'o', permissions: {} });
    expect(await read(locked)).toEqual(unreadable('encrypted'));
    expect(await read(restricted)).toEqual(unreadable('encrypted'));
  });

  it('is corrupt when only its first and last bytes are a PDF', async () => {
    expect(await read(utf8('%PDF-1.7\nand then nothing of the kind\n%%EOF'))).toEqual(unreadable('corrupt'));
  });

  it('is empty when it has no pages', async () => {
    const made = rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']);
    expect(await read(made)).toEqual(unreadable('empty'));
  });

  it('is never half a document: cut off anywhere, it is not read', async () => {
    const whole = await pdf((page) => page.text('first page').addPage().text('second page'));
    const end = Buffer.from(whole).lastIndexOf('%%EOF');
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: end + 4 }), async (length) => {
        expect(await read(whole.subarray(0, length))).toMatchObject({ kind: 'unreadable' });
      }),
      { numRuns: 200 },
    );
    expect(await pagesOf(new Uint8Array([...whole, ...utf8('\n'.repeat(3_000))]))).toHaveLength(2);
  });

  it('is mislabelled when nothing says that it is one', async () => {
    expect(await read(utf8('Dear customer'))).toEqual(unreadable('mislabelled'));
  });

  it('gets an answer however it was damaged', async () => {
    const whole = await pdf((page) => page.text('Total 12.50').addPage().text('more'));
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(damage, fc.option(fc.nat(whole.length)), async (changes, cut) => {
        const damaged = whole.slice(0, cut ?? whole.length);
        for (const [at, value] of changes) if (at < damaged.length) damaged[at] = value;
        const document = await read(damaged);
        if (document.kind === 'unreadable')
          expect(['empty', 'mislabelled', 'corrupt', 'encrypted']).toContain(document.fault);
        else expect(document.pages).toBeGreaterThan(0);
      }),
      { numRuns: 100 },
    );
  });

  it('may have something before its mark, as mail gateways leave it', async () => {
    const made = await pdf((page) => page.text('Total 12.50'));
    expect(await pagesOf(new Uint8Array([...utf8('\r\n\r\n'), ...made]))).toEqual(['Total 12.50']);
  });
});
