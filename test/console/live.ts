import { describe, expect, it } from 'vitest';
import { claimReview } from '../../src/application/claim-review.js';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';
import { bytesOf, claimText, misread, seedReview } from './seed.js';

export function liveCases(scene: () => Scene): void {
  const seed = (number: number) =>
    seedReview(scene().house.app, {
      ...{ tenant: scene().tenant, bytes: bytesOf(claimText(number)), candidates: [misread(number)] },
      fileName: `live-${number}.txt`,
    });

  describe('a page that is left open', () => {
    it('shows new rows by itself, says when the server is away, and comes back with it', async () => {
      const person = await scene().signIn('operator');
      const { page } = person;
      await person.open('/console/extractions');
      const note = page.locator('[data-live-note]');
      await expect.poll(() => note.getAttribute('data-state')).toBe('on');
      await seed(800);
      await page.getByText('live-800.txt').waitFor();
      await scene().stopServer();
      await expect.poll(() => note.textContent()).toMatch(/as of .*reconnecting/);
      // Old figures stay while it is away.
      expect(await page.getByText('live-800.txt').count()).toBe(1);
      await seed(801);
      await scene().startServer();
      await page.getByText('live-801.txt').waitFor();
      await expect.poll(() => note.getAttribute('data-state')).toBe('on');
      await person.close();
    });

    it('of a review is told afterwards what happened while the server was away', async () => {
      const { seed: ask, take, controlOf } = atDesk(scene);
      const { review } = await ask();
      const person = await take('reviewer', review);
      const { page } = person;
      await controlOf(person, '/claimant').fill('Omar V. Rahman');
      await page.locator('#draft-state time').waitFor();
      await scene().stopServer();
      await page.locator('html[data-lost="yes"]').waitFor({ state: 'attached' });
      const { app } = scene().house;
      await claimReview(app, { review, actor: 'operator', steal: 'The server was away' });
      await scene().startServer();
      await page.getByText('operator took this review over.').first().waitFor();
      expect(await controlOf(person, '/claimant').inputValue()).toBe('Omar V. Rahman');
      await person.close();
    });

    it('keeps no connection while it is out of sight, so that any number of tabs loads, and catches up', async () => {
      const { page, context } = await scene().signIn('operator');
      // A browser without windows has none out of sight.
      const see = (state: 'hidden' | 'visible') => `
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
        document.dispatchEvent(new Event('visibilitychange'));`;
      const tabs = [page];
      for (let tab = 1; tab <= 8; tab += 1) {
        const at = tabs.at(-1);
        await at?.goto('/console/extractions', { timeout: 10_000 });
        await at?.getByText(/^Live/).waitFor();
        await at?.evaluate(see('hidden'));
        if (tab < 8) tabs.push(await context.newPage());
      }
      await seed(802);
      await page.evaluate(see('visible'));
      await page.getByText('live-802.txt').waitFor();
      await context.close();
    });

    it('of a redrive follows it to its end', async () => {
      const { house, tenant } = scene();
      await house.extract({
        ...{ tenant, specId: 'invoice', fileName: 'blank.txt' },
        document: { kind: 'bytes', mediaType: 'text/plain', bytes: bytesOf('   ') },
      });
      const person = await scene().signIn('operator');
      const { page } = person;
      await person.open('/console/dead-letters?spec=invoice');
      await page.locator('#choose input[type="checkbox"]').first().check();
      // Enter in a field of it looks again, and starts nothing.
      const sent: string[] = [];
      await page.route(
        '**/dead-letters/redrive',
        (route) => void sent.push(route.request().postData() ?? ''),
      );
      await page.getByLabel('Starts a minute').fill('90');
      await page.keyboard.press('Enter');
      await page.waitForURL(/rate=90/);
      await page.getByRole('button', { name: 'Redrive 1' }).click();
      const asks = page.getByRole('dialog', { name: 'Run 1 document again?' });
      expect(await asks.textContent()).toMatch(/[\d,]+ tokens at most.*at 90 a minute/);
      expect(sent).toEqual([]);
      // Not answered yet, it is under way also in what takes its place after news, until whoever waits stops the loading.
      const states = await page.evaluate<readonly boolean[]>(`(async () => {
        const button = () => document.querySelector('#redrive-chosen .go');
        const pause = () => new Promise((resolve) => setTimeout(resolve, 100));
        const fresh = document.querySelector('#redrive').innerHTML;
        const seen = [];
        button().click();
        await pause();
        document.querySelector('#redrive').innerHTML = fresh;
        document.dispatchEvent(new CustomEvent('refreshed'));
        seen.push(button().disabled && button().getAttribute('aria-busy') === 'true');
        button().form.requestSubmit();
        await pause();
        stop();
        await pause();
        seen.push(button().disabled);
        return seen;
      })()`);
      expect(states).toEqual([true, false]);
      expect(sent).toHaveLength(1);
      expect(sent[0]).toMatch(/most=1.*rate=90/);
      await page.unroute('**/dead-letters/redrive');
      await page.getByRole('button', { name: 'Redrive 1' }).click();
      await asks.getByRole('button', { name: 'Start 1 run' }).click();
      await page.waitForURL(/\/console\/redrives\//);
      await page.getByText('1 exhausted again').waitFor();
      await person.close();
    });
  });
}
