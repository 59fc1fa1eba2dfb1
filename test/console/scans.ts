import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { packPages, pagesMediaType } from '../../src/ports/page-images.js';
import { png } from '../adapters/pdf/documents.js';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';

/** A sheet as a scanner sends it, in greys: white, with a black bar across so many of its rows. */
function scan(width: number, height: number, barRows: number): Uint8Array {
  const rows = Buffer.alloc((width + 1) * height, 255);
  for (let row = 0; row < height; row += 1) {
    rows[row * (width + 1)] = 0;
    if (row < barRows) rows.fill(0, row * (width + 1), (row + 1) * (width + 1));
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]));
}

/** Share of black in what is drawn of a page, from 0 to 1. */
const blackIn = (page: Page, selector: string) =>
  page.evaluate<number>(`(() => {
  const drawn = document.querySelector('${selector}');
  const canvas = document.createElement('canvas');
  const [width, height] = [drawn.naturalWidth ?? drawn.width, drawn.naturalHeight ?? drawn.height];
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext('2d');
  pen.drawImage(drawn, 0, 0);
  const { data } = pen.getImageData(0, 0, width, height);
  let black = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] < 100 && data[at + 3] > 100) black += 1;
  return black / (width * height);
})()`);

export function scanCases(scene: () => Scene): void {
  const { seed, take, taskOf, controlOf } = atDesk(scene);

  describe('a document that holds no text', () => {
    it('made of pictures is shown page by page, says that nothing can be marked, and is decided by eye', async () => {
      const pages = [scan(60, 84, 21), scan(60, 84, 42)];
      const packed = packPages(pages.map((bytes) => ({ mediaType: 'image/png', bytes })));
      const { review, ref } = await seed(
        '5',
        {},
        { mediaType: pagesMediaType, bytes: packed, fileName: 'scan.png' },
      );
      const person = await take('reviewer', review);
      const { page } = person;
      expect(await page.locator('#page-list button').count()).toBe(2);
      for (const [index, share] of [0.25, 0.5].entries()) {
        await page.locator('#page-list button').nth(index).click();
        const image = page.locator(`.sheet[data-page="${index + 1}"] img`);
        await image.waitFor();
        expect(await blackIn(page, `.sheet[data-page="${index + 1}"] img`)).toBeCloseTo(share, 2);
      }
      expect(await page.locator('.hl, mark').count()).toBe(0);
      expect(await page.locator('.paper').textContent()).toContain('it holds no text to mark');
      expect(await page.locator('[data-pointer="/claimant"] [data-printed]').textContent()).toBe(
        'compare by eye',
      );
      await controlOf(person, '/total_claimed').fill('699.63');
      await expect.poll(() => page.locator('#unmet-count').textContent()).toBe('every rule holds');
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/done=correct/);
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'correct' });
      const record = await scene().house.app.store.records.current(ref.subject);
      expect(record).toMatchObject({ status: 'human_verified', record: { total_claimed: '699.63' } });
      await person.close();
    });

    it('as a PDF is drawn as it looks, and its page says that there is nothing to read out', async () => {
      const bytes = new Uint8Array(
        readFileSync(new URL('../../samples/files/claim-fax.pdf', import.meta.url)),
      );
      const { review } = await seed('5', {}, { mediaType: 'application/pdf', bytes, fileName: 'fax.pdf' });
      const person = await take('reviewer', review);
      const { page } = person;
      const canvas = page.locator('.sheet canvas');
      await canvas.waitFor();
      expect(await blackIn(page, '.sheet canvas')).toBeGreaterThan(0.002);
      expect(await page.locator('.paper').textContent()).toContain('it holds no text to mark');
      await page.locator('#as-text').click();
      await page.getByText('This page is a picture').waitFor();
      await page.locator('#as-text').click();
      await canvas.waitFor();
      await page.locator('#note').fill('Cannot be read');
      await page.keyboard.press('Alt+R');
      await page.waitForURL(/done=reject/);
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'reject' });
      await person.close();
    });

    it('whose picture is damaged says so in its place, and can be worked on all the same', async () => {
      const { review } = await seed(
        '5',
        {},
        { mediaType: 'image/png', bytes: png(10, 10), fileName: 'torn.png' },
      );
      const person = await take('reviewer', review);
      await person.page.getByText('This picture cannot be drawn').waitFor();
      expect(await controlOf(person, '/claimant').inputValue()).toBe('Omar Rahman');
      await person.close();
    });
  });
}
