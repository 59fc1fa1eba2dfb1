import { describe, expect, it } from 'vitest';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';

export function reviewRuleCases(scene: () => Scene): void {
  const { seed, take, controlOf } = atDesk(scene);

  describe('the review screen', () => {
    it('draws every character of a text where it would stand without marks', async () => {
      const { review } = await seed();
      const { page, close } = await take('reviewer', review);
      await page.locator('#document mark').first().waitFor();
      // Where each character lies, with the marks and in the same text without any.
      const moved = await page.evaluate<readonly string[]>(`(() => {
        const pre = document.querySelector('#document pre');
        const placesOf = (element) => {
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          const found = [];
          for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
            for (let at = 0; at < node.data.length; at += 1) {
              const range = document.createRange();
              range.setStart(node, at);
              range.setEnd(node, at + 1);
              const { left, top } = range.getBoundingClientRect();
              found.push([node.data[at], Math.round(left), Math.round(top)]);
            }
          }
          return found.filter(([character]) => character.trim() !== '');
        };
        const marked = placesOf(pre);
        pre.textContent = pre.textContent;
        const plain = placesOf(pre);
        if (marked.length !== plain.length) return ['other characters'];
        return marked.flatMap((place, index) => {
          const [, left, top] = plain[index];
          // Less than two pixels are the rounding of a stretch that is measured by itself.
          const isThere = Math.abs(place[1] - left) < 2 && Math.abs(place[2] - top) < 2;
          return isThere ? [] : [place.join(' ') + ' instead of ' + plain[index].join(' ')];
        });
      })()`);
      expect(moved).toEqual([]);
      await close();
    });

    it('keeps through a reload what was typed a moment before', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page, context } = person;
      // The last words on leaving are lost, or come too late for the page that is asked for next.
      await context.addInitScript('navigator.sendBeacon = () => false');
      await page.reload();
      await controlOf(person, '/claimant').fill('Omar W. Rahman');
      await page.reload();
      await expect.poll(() => controlOf(person, '/claimant').inputValue()).toBe('Omar W. Rahman');
      await page.locator('#draft-state time').waitFor();
      expect(await scene().house.app.store.reviews.draft(review, 'reviewer')).toMatchObject({
        values: { claimant: 'Omar W. Rahman' },
      });
      await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0);
      await person.close();
    });

    it('says of no rule that it holds while a missing field keeps it from being asked', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      const rules = page.locator('[id="r/total_claimed"]');
      const count = page.locator('#unmet-count');
      await expect.poll(() => rules.textContent()).toContain('699.63');
      const before = Number.parseInt((await count.textContent()) ?? '', 10);
      expect(before).toBeGreaterThan(0);
      await controlOf(person, '/policy_number').fill('');
      await expect.poll(() => rules.textContent()).toMatch(/not checked yet: first fill in Policy number/i);
      expect(await rules.getByLabel('holds:').count()).toBe(0);
      expect(await page.locator('#fields [data-sign] [aria-label="no rule objects"]').count()).toBe(0);
      expect(await count.textContent()).toBe(`${before + 1} unmet, ${before} of them not checked yet`);
      // Read anew, the page says the same of the draft.
      await page.locator('#draft-state time').waitFor();
      await page.reload();
      await expect.poll(() => count.textContent()).toContain('not checked yet');
      expect(await rules.textContent()).not.toContain('holds now');
      await controlOf(person, '/policy_number').fill('HO-500496');
      await expect.poll(() => count.textContent()).toBe(`${before} unmet`);
      await person.close();
    });
  });
}
