import { describe, expect, it } from 'vitest';
import type { Scene } from './scene.js';
import { bytesOf, claimPdf, claimText, misread, seedReview } from './seed.js';

const script = '<script>window.hurt = 1</script><img src=x onerror="window.hurt = 2">';

export function hostileCases(scene: () => Scene): void {
  describe('a hostile document', () => {
    it('of five megabytes with scripts and right-to-left text in it shows all of it and runs none of it', async () => {
      const filler = `${script} \u202eفاتورة رقم ١٢٣\u202c `.repeat(50_000);
      const bytes = bytesOf(claimText(900, `${filler}\n${script}`));
      expect(bytes.length).toBeGreaterThan(5_000_000);
      const candidate = { ...misread(900), claimant: `${script} \u202eمطالب` };
      const { app } = scene().house;
      const { review, ref } = await seedReview(app, {
        ...{ tenant: scene().tenant, bytes, candidates: [candidate], fileName: `${script}.txt` },
      });
      const person = await scene().signIn('operator');
      const { page } = person;
      for (const path of [
        `/console/reviews/${review}`,
        `/console/extractions/${ref.key}`,
        '/console/extractions',
      ]) {
        expect(await person.open(path), path).toBe(200);
        expect(await page.locator('body').textContent(), path).toContain(script.slice(0, 20));
        expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt), path).toBeUndefined();
      }
      await person.open(`/console/reviews/${review}`);
      await expect.poll(() => page.locator('#document pre').count()).toBeGreaterThan(300);
      const shown = await page.locator('#document').evaluate((pane) => pane.textContent?.length ?? 0);
      expect(shown).toBeGreaterThan(4_000_000);
      expect(await page.locator('#document img, #document script').count()).toBe(0);
      expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
      await person.close();
    });

    it('as a PDF is drawn, and read out as text, without running any of it', async () => {
      const { app } = scene().house;
      const { review } = await seedReview(app, {
        ...{ tenant: scene().tenant, mediaType: 'application/pdf', bytes: await claimPdf(902, script) },
        ...{ candidates: [{ ...misread(902), claimant: script }], fileName: 'hostile.pdf' },
      });
      const person = await scene().signIn('operator');
      const { page } = person;
      await person.open(`/console/reviews/${review}`);
      await page.locator('.sheet canvas').waitFor();
      await page.locator('#as-text').click();
      await expect.poll(() => page.locator('#document pre').textContent()).toContain('window.hurt = 1');
      expect(await page.locator('#document img, #document script').count()).toBe(0);
      expect(await page.evaluate(() => (globalThis as { hurt?: number }).hurt)).toBeUndefined();
      await person.close();
    });

    it('with null bytes in it is not shown as what it is not, and can be saved', async () => {
      const bytes = bytesOf(`${claimText(901)}\0\0\0`);
      const { app } = scene().house;
      const { review } = await seedReview(app, { tenant: scene().tenant, bytes, candidates: [misread(901)] });
      const person = await scene().signIn('operator');
      await person.open(`/console/reviews/${review}`);
      expect(await person.page.locator('#document').textContent()).toContain('mislabelled');
      const download = person.page.waitForEvent('download');
      await person.page.getByRole('link', { name: /^Save it/ }).click();
      expect((await download).suggestedFilename()).toBe('claim.txt');
      await person.close();
    });
  });
}
