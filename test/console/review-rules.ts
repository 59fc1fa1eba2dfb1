import { describe, expect, it } from 'vitest';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';
import { misread } from './seed.js';

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
      // The outline of the last line, two pixels wide and two away, is not cut off with the text.
      const room = "parseFloat(getComputedStyle(document.querySelector('#document pre')).overflowClipMargin)";
      expect(await page.evaluate<number>(room)).toBeGreaterThanOrEqual(4);
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
      await context.close();
    });

    it('shows in each tab of one person what was typed in the other, and keeps both', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const second = await person.context.newPage();
      const there = { ...person, page: second };
      await second.goto(`/console/reviews/${review}`);
      await controlOf(there, '/policy_number').waitFor();
      await controlOf(person, '/claimant').fill('From tab one');
      await expect.poll(() => controlOf(there, '/claimant').inputValue()).toBe('From tab one');
      await controlOf(there, '/policy_number').fill('From tab two');
      await expect.poll(() => controlOf(person, '/policy_number').inputValue()).toBe('From tab two');
      // One opened before anything was kept asks the others.
      const third = await person.context.newPage();
      await third.goto(`/console/reviews/${review}`);
      const late = controlOf({ ...person, page: third }, '/claimant');
      await expect.poll(() => late.inputValue()).toBe('From tab one');
      const { reviews } = scene().house.app.store;
      const both = { claimant: 'From tab one', policy_number: 'From tab two' };
      await expect.poll(async () => (await reviews.draft(review, 'reviewer'))?.values).toMatchObject(both);
      // Rows that went in one tab: the others keep nothing any more, and say so.
      await second
        .locator('#fields')
        .getByRole('button', { name: /remove/i })
        .first()
        .click();
      const said = person.page
        .locator('[data-notice]')
        .getByText('Rows were added or removed in another tab');
      await said.waitFor();
      await controlOf(person, '/claimant').fill('After that');
      const rowsKept = async () =>
        ((await reviews.draft(review, 'reviewer'))?.values as { line_items: unknown[] } | undefined)
          ?.line_items.length;
      const rows = await second.locator('[data-remove]').count();
      await expect.poll(rowsKept).toBe(rows);
      await person.page.getByRole('button', { name: 'Show them' }).click();
      // The other's rows are there, and what was typed meanwhile is in both.
      await expect.poll(() => person.page.locator('[data-remove]').count()).toBe(rows);
      await expect.poll(() => controlOf(person, '/claimant').inputValue()).toBe('After that');
      await expect.poll(() => controlOf(there, '/claimant').inputValue()).toBe('After that');
      await person.close();
    });

    it('shows every key that does something, at any time, and lets each be changed or switched off', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page, context } = person;
      const { keyboard } = page;
      // At this width the verdicts have their keys, and no key of the line stands alone below the others.
      expect(await page.locator('.verbs > button > kbd:visible').count()).toBe(4);
      const tops = await page
        .locator('#keys > *')
        .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().top)));
      for (const top of tops)
        expect(tops.filter((other) => Math.abs(other - top) < 6).length).toBeGreaterThan(1);
      // In a field, whose text is chosen, the list opens; what is typed there is text.
      const claimant = controlOf(person, '/claimant');
      await claimant.focus();
      await claimant.selectText();
      await keyboard.press('Alt+K');
      const dialog = page.getByRole('dialog', { name: 'Keys' });
      await dialog.waitFor();
      expect(await claimant.inputValue()).toBe('Omar Rahman');
      await keyboard.press('Escape');
      await keyboard.press('End');
      await keyboard.type('?/t');
      expect(await claimant.inputValue()).toBe('Omar Rahman?/t');
      // Elsewhere one character is a key, until it is another one or none is.
      await person.open('/console/extractions');
      await keyboard.press('?');
      await dialog.getByRole('button', { name: 'Change the key of: find an extraction' }).click();
      await keyboard.press('s');
      await dialog.getByText('is S now').waitFor();
      await keyboard.press('Escape');
      await person.open('/console/reviews');
      const focused = () => page.locator(':focus').getAttribute('name');
      await keyboard.press('s');
      expect(await focused()).toBe('q');
      expect(await page.locator('.find kbd').textContent()).toBe('S');
      await page.getByRole('button', { name: 'Keys' }).click();
      await dialog.getByLabel('Keys that are one character alone').uncheck();
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(await page.locator('.find kbd').isVisible()).toBe(false);
      for (const key of ['s', '?', 't', '/']) await keyboard.press(key);
      expect(page.url()).toMatch(/reviews$/);
      expect((await page.locator('dialog[open]').count()) + (await page.locator('input:focus').count())).toBe(
        0,
      );
      await context.close();
    });

    it('has nothing on a phone that is hard to hit', async () => {
      const lists = { line_items: misread(0).line_items };
      const { review } = await seed('5', lists);
      const { page, context } = await take('reviewer', review);
      await page.setViewportSize({ width: 360, height: 800 });
      await page.locator('#overrides input').first().waitFor();
      const small = await page.evaluate<
        string[]
      >(`[...document.querySelectorAll('main :is(button, input, select, textarea, summary)')]
        .map((control) => control.matches('[type="checkbox"]') ? control.closest('label') : control)
        .filter((control) => control.checkVisibility() && control.getBoundingClientRect().height < 39.5)
        .map((control) => control.outerHTML.slice(0, 120))`);
      expect(small).toEqual([]);
      await context.close();
    });

    it('claims nothing of a record that was never read, and says what keeps from approving it', async () => {
      const { review } = await seed('5', {}, { candidates: [], reason: 'refusal' });
      const person = await take('reviewer', review);
      const { page } = person;
      const count = page.locator('#unmet-count');
      expect(await count.textContent()).toBe('8 unmet, rules not checked yet');
      const signs = page.locator('#fields > fieldset [data-sign] svg');
      const labels = await signs.evaluateAll((all) =>
        all.map((sign) => sign.getAttribute('aria-label') ?? ''),
      );
      expect(new Set(labels)).toEqual(new Set(['not read']));
      const approve = page.locator('#approve');
      expect(await approve.getAttribute('aria-disabled')).toBe('true');
      expect(await page.locator('#approve-word').textContent()).toBe('Claim number is missing.');
      await page.keyboard.press('Control+Enter');
      expect(page.url()).not.toContain('decision');
      await controlOf(person, '/claim_number').fill('CL-1');
      await expect.poll(() => count.textContent()).toBe('7 unmet, rules not checked yet');
      expect(await page.locator('#approve-word').textContent()).toBe('Policy number is missing.');
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
