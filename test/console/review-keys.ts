import { describe, expect, it } from 'vitest';
import { invoice } from '../../specs/invoice/invoice.js';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';
import { bytesOf } from './seed.js';

export function reviewKeyCases(scene: () => Scene): void {
  const { seed, take, taskOf, controlOf } = atDesk(scene);

  describe('a review by keys', () => {
    it('is overridden without a mouse, and led back to its fields from there', async () => {
      // What is printed breaks the sum: no value of the page makes it hold.
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      const { keyboard } = page;
      const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.name');
      const boxes = page.locator('#overrides input');
      await boxes.first().waitFor();
      for (let left = await boxes.count(); left > 0; left -= 1) await keyboard.press('Alt+O');
      expect(await page.locator('#overrides input:not(:checked)').count()).toBe(0);
      await keyboard.type('the form is wrong');
      expect(await page.locator('#note').inputValue()).toBe('the form is wrong');
      await keyboard.press('ArrowUp');
      expect(await focused()).toBe('c/total_claimed');
      // From the last field Enter goes to the verdict; from a box to its reason.
      await controlOf(person, '/deductible').focus();
      await keyboard.press('Enter');
      expect(await focused()).toBe('approve');
      await boxes.first().focus();
      await keyboard.press('Space');
      expect(await boxes.first().isChecked()).toBe(false);
      await keyboard.press('Enter');
      expect([await boxes.first().isChecked(), await focused()]).toEqual([true, 'note']);
      await keyboard.press('Enter');
      expect(await focused()).toBe('approve');
      await keyboard.press('ArrowUp');
      expect(await focused()).toBe('c/deductible');
      await keyboard.press('Control+Enter');
      await page.waitForURL(/done=/);
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'approve' });
      await person.close();
    });

    it('never loses the place when rules hold again', async () => {
      const { review } = await seed('5', { deductible: '1.00' });
      const person = await take('reviewer', review);
      const { page } = person;
      const boxes = page.locator('#overrides input');
      await boxes.first().waitFor();
      let answer = () => {};
      const held = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/check', async (route) => {
        await held;
        await route.continue();
      });
      await controlOf(person, '/deductible').fill('100.00');
      await controlOf(person, '/total_claimed').fill('699.63');
      // The boxes stand until the rules were asked, and are gone with the answer.
      await boxes.first().focus();
      answer();
      await expect.poll(() => boxes.count()).toBe(0);
      expect(await page.evaluate('document.activeElement.id')).toBe('approve');
      await person.context.close();
    });

    it('shows the words of a row in full beside three figures', async () => {
      const description = 'Hull plating, port side';
      const { review } = await seed(
        '5',
        {},
        {
          ...{ spec: invoice, bytes: bytesOf('INVOICE 7'), fileName: 'invoice.txt' },
          candidates: [
            {
              ...{ document_type: 'invoice', invoice_number: '7', issue_date: '2024-04-14' },
              ...{ due_date: 'not_printed', seller: 'Harbour', buyer: 'Omar', currency: 'EUR' },
              line_items: [{ description, quantity: '12', unit_price: '104.50', amount: '1254.00' }],
              ...{ printed_line_count: 'not_printed', net_total: '1254.00', tax_rate: '20' },
              ...{ tax_amount: '250.80', total: '1504.80' },
            },
          ],
        },
      );
      const person = await take('reviewer', review);
      const { page } = person;
      const cut = () =>
        page
          .locator('.list tbody input')
          .evaluateAll((inputs) =>
            (inputs as unknown as { value: string; scrollWidth: number; clientWidth: number }[])
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ value }) => value),
          );
      await page.locator('.list tbody input').first().waitFor();
      expect(await page.locator('.list tbody input').count()).toBe(4);
      expect(await cut()).toEqual([]);
      // A value that grows takes its room with it; the list is not wider than its pane.
      await page.getByLabel('Amount, row 1').fill('10,001,254.00');
      expect(await cut()).toEqual([]);
      const overflow =
        '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".list"))';
      expect(await page.evaluate<number>(overflow)).toBeLessThanOrEqual(0);
      await person.close();
    });
  });
}
