import { describe, expect, it } from 'vitest';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';

export function handoverCases(scene: () => Scene): void {
  const { seed, take, taskOf, controlOf } = atDesk(scene);

  /** The operator sees who holds a review, and takes it over with a reason. */
  async function takeOver(review: string) {
    const person = await scene().signIn('operator');
    const { page } = person;
    await person.open(`/console/reviews/${review}`);
    await expect.poll(() => page.locator('#lease').textContent()).toContain('Held by reviewer until');
    expect(await page.locator('#controls:disabled').count()).toBe(1);
    await page.getByRole('button', { name: 'Take over' }).click();
    // A reason is asked for before anything is sent.
    expect(await taskOf(review)).toMatchObject({ holder: 'reviewer' });
    await page.getByLabel('Why you take it over').fill('Due within the hour');
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.locator('main[data-standing="mine"]').waitFor();
    return person;
  }

  describe('a review that two take at once', () => {
    it('shows whoever came second who holds it until when in their zone, and leads on', async () => {
      const { review } = await seed('8');
      const { review: free } = await seed('999999');
      const late = await scene().signIn('operator');
      await late.open(`/console/reviews/${review}`);
      const first = await take('reviewer', review);
      await late.page.locator('#take').click();
      await late.page.getByText('Somebody was faster; nothing was changed.').waitFor();
      expect(late.page.url()).toContain(`/console/reviews/${review}?told=late`);
      const until = new Date(((await taskOf(review))?.leaseExpiresAt ?? 0) + 10_800_000);
      await expect
        .poll(() => late.page.locator('#lease').textContent())
        .toContain(`Held by reviewer until ${until.toISOString().slice(11, 16)}`);
      expect(await late.page.getByRole('link', { name: 'To the queue' }).count()).toBe(1);
      await late.page.getByRole('button', { name: 'Take the next free one' }).click();
      await late.page.locator('main[data-standing="mine"]').waitFor();
      expect(late.page.url()).toContain(free);
      await late.page.getByRole('button', { name: 'Release' }).click();
      // The address of the press itself, reloaded.
      expect(await late.open(`/console/reviews/${review}/claim`)).toBe(200);
      expect(late.page.url()).toMatch(new RegExp(`/console/reviews/${review}$`));
      await first.page.getByRole('button', { name: 'Release' }).click();
      await Promise.all([first.close(), late.close()]);
    });
  });

  describe('a review that is taken over', () => {
    it('is lost by nobody unawares: the other tab closes, and keeps what was typed', async () => {
      const { review } = await seed();
      const first = await take('reviewer', review);
      await controlOf(first, '/claimant').fill('Omar T. Rahman');
      const second = await takeOver(review);
      await first.page.getByText('operator took this review over. Your draft is kept.').first().waitFor();
      await first.page.locator('#controls:disabled').waitFor();
      expect(await controlOf(first, '/claimant').inputValue()).toBe('Omar T. Rahman');
      expect(await first.page.locator('#lease').textContent()).toContain('Held by operator');
      expect(await first.page.locator('#approve').getAttribute('aria-disabled')).toBe('true');
      const { reviews } = scene().house.app.store;
      await expect
        .poll(async () => (await reviews.draft(review, 'reviewer'))?.values)
        .toMatchObject({ claimant: 'Omar T. Rahman' });
      expect((await reviews.steps(review)).map(({ kind }) => kind)).toContain('stolen');

      // Let go by the one who took it, it can be taken again, with the draft.
      await second.page.getByRole('button', { name: 'Release' }).click();
      await first.page.getByRole('button', { name: 'Take again' }).click();
      await first.page.locator('main[data-standing="mine"]').waitFor();
      expect(await controlOf(first, '/claimant').inputValue()).toBe('Omar T. Rahman');
      await Promise.all([first.close(), second.close()]);
    });

    it('and decided by the other shows their values beside those that were typed', async () => {
      const { review } = await seed();
      const first = await take('reviewer', review);
      await controlOf(first, '/claimant').fill('Omar U. Rahman');
      const second = await takeOver(review);
      await first.page.locator('#controls:disabled').waitFor();
      await controlOf(second, '/total_claimed').fill('699.63');
      await expect.poll(() => second.page.locator('#unmet-count').textContent()).toBe('every rule holds');
      await second.page.keyboard.press('Control+Enter');
      await second.page.waitForURL(/done=correct/);
      await first.page.getByText('operator decided this review meanwhile.').waitFor();
      await first.page.getByRole('button', { name: 'Compare with mine' }).click();
      const claimant = first.page.locator('#conflict [data-choice="/claimant"]');
      expect(await claimant.textContent()).toContain('Omar U. Rahman');
      expect(await claimant.textContent()).toContain('Omar Rahman');
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'correct' });
      await Promise.all([first.close(), second.close()]);
    });
  });
}
