import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { atDesk } from './desk.js';
import type { Scene } from './scene.js';
import { bytesOf, claimPdf, claimText, longPdf, misread, seedReview } from './seed.js';

export function reviewCases(scene: () => Scene): void {
  const { seed, take, taskOf, controlOf } = atDesk(scene);
  const seedLong = async (number: number) => {
    const bytes = await longPdf(50, number);
    const document = { mediaType: 'application/pdf', bytes, candidates: [misread(number)] };
    return seed('5', {}, { ...document, fileName: 'long.pdf' });
  };

  describe('a review', () => {
    it('is corrected by keys alone, and the next one opens', async () => {
      const first = await seed('80000', { deductible: 'not_printed' });
      const second = await seed('70000');
      const { page, open, close } = await scene().signIn('reviewer');
      const { keyboard } = page;
      await open('/console/reviews');
      await keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).getByText('take it').waitFor();
      await keyboard.press('Escape');
      await open(`/console/reviews/${first.review}`);
      // Only keys that do something before it is taken.
      expect(await page.locator('#keys').textContent()).toMatch(/T take it(?!.*(?:accept|approve))/);
      await keyboard.press('t');
      await page.locator('main[data-standing="mine"]').waitFor();
      // The first field that a rule objects to has the focus, and its rules stand beneath it.
      await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('c/total_claimed');
      expect(await page.locator('#keys').textContent()).toMatch(/accept as printed.*approve, next/);
      await keyboard.type('699.63');
      // The deductible is printed: the machine overlooked it. Tab goes to what a rule objects to.
      await expect.poll(() => page.locator('#unmet-count').textContent()).toBe('1 unmet');
      await keyboard.press('Tab');
      expect(await page.locator(':focus').getAttribute('id')).toBe('c/deductible');
      await keyboard.type('100.00');
      await expect.poll(() => page.locator('#unmet-count').textContent()).toBe('every rule holds');
      await keyboard.press('Control+Enter');
      await page.waitForURL(/done=correct/);
      expect(page.url()).toContain(second.review);
      expect(await page.locator('.clocks > [role="status"]').textContent()).toBe('Last one: corrected');
      expect(await taskOf(first.review)).toMatchObject({ state: 'decided', verdict: 'correct' });
      const record = await scene().house.app.store.records.current(first.ref.subject);
      expect(record).toMatchObject({
        status: 'human_verified',
        record: { ...misread(first.number), total_claimed: '699.63' },
      });
      await close();
    });

    it('shows the place of the field that is worked on, and the rules at each key', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      await controlOf(person, '/claimant').focus();
      await expect.poll(() => page.locator('#document mark.this').textContent()).toBe('Omar Rahman');
      await controlOf(person, '/total_claimed').fill('12.3');
      const rules = page.locator('[id="r/total_claimed"]');
      await expect.poll(() => rules.textContent()).toContain('699.63');
      expect(await page.locator('#approve').getAttribute('aria-disabled')).toBe('true');
      await controlOf(person, '/total_claimed').fill('699.63');
      await expect.poll(() => rules.textContent()).toContain('holds now');
      expect(await page.locator('#approve').getAttribute('aria-disabled')).toBeNull();
      await person.close();
    });

    it('is approved against a rule only with the rule named and a reason given', async () => {
      const { review } = await seed();
      const { page, close } = await take('reviewer', review);
      await page.locator('#overrides input').first().waitFor();
      await page.keyboard.press('Control+Enter');
      expect(await taskOf(review)).toMatchObject({ state: 'open' });
      // What is missing is read in full.
      const isCut =
        '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.getElementById("approve"))';
      expect(await page.evaluate<boolean>(isCut)).toBe(false);
      for (const box of await page.locator('#overrides input').all()) await box.check();
      await expect
        .poll(() => page.locator('#approve-word').textContent())
        .toBe('An override needs its reason');
      await page.locator('#note').fill('The broker confirmed it by telephone');
      await page.locator('#approve').click();
      await page.waitForURL(/done=approve/);
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'approve' });
      await close();
    });

    it('is run again only after saying what that may cost', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      const sent: string[] = [];
      // The answer takes its time.
      await page.route('**/decision', (route) => void sent.push(route.request().postData() ?? ''));
      await page.getByRole('button', { name: /^Redrive/ }).click();
      const asks = page.getByRole('dialog', { name: 'Run this document again?' });
      expect(await asks.textContent()).toContain(`${claim.policy.tokenCap.toLocaleString('en-GB')} tokens`);
      // Neither Escape nor a key of the page decides anything.
      await page.keyboard.press('Alt+N');
      await page.keyboard.press('Escape');
      await asks.waitFor({ state: 'hidden' });
      expect(sent).toEqual([]);
      await page.keyboard.press('Alt+V');
      // Pressed twice it is sent once.
      const busy = await page.evaluate<string | null>(`(async () => {
        const button = document.querySelector('button[value="redrive"]');
        button.click();
        button.click();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return button.disabled ? button.getAttribute('aria-busy') : null;
      })()`);
      expect(busy).toBe('true');
      await expect.poll(() => sent.join()).toContain('verb=redrive');
      expect(sent).toHaveLength(1);
      await person.context.close();
    });

    it('takes rows that the machine dropped, and loses those it made up', async () => {
      const { review, number, ref } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      await page.getByRole('button', { name: 'Remove row 1' }).click();
      await expect.poll(() => page.locator('#unmet-count').textContent()).not.toBe('every rule holds');
      await page.getByRole('button', { name: 'Add a row' }).click();
      await page.keyboard.type('Hull plating, port side');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.type('412.50');
      await controlOf(person, '/total_claimed').fill('699.63');
      await expect.poll(() => page.locator('#unmet-count').textContent()).toBe('every rule holds');
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/done=correct/);
      const record = await scene().house.app.store.records.current(ref.subject);
      const [hull, rudder] = misread(number).line_items;
      expect(record?.record).toMatchObject({ line_items: [rudder, hull], total_claimed: '699.63' });
      await person.close();
    });

    it('is corrected by its button, a text in a list with it, and says from then on by whom', async () => {
      const [hull, rudder] = misread(0).line_items;
      const misspelt = { ...hull, description: 'Hull plating, prot side' };
      const { review, ref } = await seed('5', { total_claimed: '699.63', line_items: [misspelt, rudder] });
      const person = await take('reviewer', review);
      const { page } = person;
      await controlOf(person, '/line_items/1/description').focus();
      await expect.poll(() => page.locator('#document mark.this').textContent()).toBe(rudder?.description);
      await controlOf(person, '/line_items/0/description').fill(hull?.description ?? '');
      await page.getByRole('button', { name: /^Correct, next/ }).click();
      await page.waitForURL(/done=correct/);
      const record = await scene().house.app.store.records.current(ref.subject);
      expect(record).toMatchObject({ status: 'human_verified', record: { line_items: [hull, rudder] } });
      for (const path of [`/console/extractions/${ref.key}`, '/console/extractions?outcome=unverified']) {
        await person.open(path);
        await page.getByText('Unverified, then corrected by reviewer').first().waitFor();
      }
      // Settled: as on the command line there is nothing to run again.
      const operator = await scene().signIn('operator');
      await operator.open(`/console/extractions/${ref.key}`);
      const redrive = operator.page.getByRole('button', { name: /^Redrive/ });
      const why = await redrive.getAttribute('aria-describedby');
      expect(await operator.page.locator(`#${why}`).textContent()).toBe(
        'A person settled this document (human_verified by reviewer); there is nothing to run again.',
      );
      await operator.close();
      await person.open(`/console/reviews/${review}`);
      expect(await page.locator('#lease').textContent()).toContain('Decided: corrected');
      await person.close();
    });

    it('is walked by Tab as it reads: the document and its tools, the form, the verdict', async () => {
      const number = 990;
      const document = {
        mediaType: 'application/pdf',
        bytes: await claimPdf(number, ''),
        fileName: 'one.pdf',
      };
      const right = { ...misread(number), total_claimed: '699.63' };
      const { review } = await seed('5', {}, { ...document, candidates: [right] });
      const person = await take('reviewer', review);
      const { page } = person;
      await page.locator('#as-text').waitFor();
      await page.locator('#release button').focus();
      const stops: string[] = [];
      for (let press = 0; press < 60 && stops.at(-1) !== 'keys'; press += 1) {
        await page.keyboard.press('Tab');
        stops.push(
          await page.evaluate<string>(`(() => {
            const places = { why: '.why', tools: '.paper .tabs', document: '#document', tabs: '.tab-list',
              fields: '#fields', verdict: '.decide', keys: '#keys' };
            const found = Object.entries(places).find(([, place]) => document.activeElement.closest(place));
            return found === undefined ? document.activeElement.outerHTML.slice(0, 80) : found[0];
          })()`),
        );
      }
      const places = stops.filter((stop, index) => stop !== stops[index - 1]);
      expect(places.filter((place) => place !== 'why')).toEqual([
        ...['tools', 'document', 'tabs', 'fields', 'verdict', 'keys'],
      ]);
      // Every control of the form and every button of the verdict is on the way.
      const count = (place: string) => stops.filter((stop) => stop === place).length;
      expect(count('fields')).toBe(
        await page.locator('#fields :is(input, select, textarea, button):visible').count(),
      );
      expect(count('verdict')).toBe(
        await page.locator('.decide :is(input, select, textarea, button):visible').count(),
      );
      await person.close();
    });

    it('that is decided twice at once by one person is decided once, and both times said to be', async () => {
      const { review } = await seed();
      const { page, context } = await take('reviewer', review);
      const led = await page.evaluate<string[]>(`(() => {
        const body = new URLSearchParams({ verb: 'reject', note: 'not ours', version: '1' });
        const send = () => fetch('/console/reviews/${review}/decision', { method: 'POST', body });
        return Promise.all([send(), send()].map(async (answer) => (await answer).url));
      })()`);
      for (const url of led) expect(url).toContain('done=reject');
      expect(
        (await scene().house.app.store.reviews.steps(review)).filter(({ decision }) => decision?.appliedAt),
      ).toHaveLength(1);
      await context.close();
    });

    it('goes to one of two people who ask at once, and the other is told who has it', async () => {
      const { review } = await seed();
      const [one, other] = await Promise.all([scene().signIn('reviewer'), scene().signIn('operator')]);
      await Promise.all([one.open(`/console/reviews/${review}`), other.open(`/console/reviews/${review}`)]);
      await Promise.all([one.page.locator('#take').click(), other.page.locator('#take').click()]);
      await Promise.all([one.page.waitForLoadState(), other.page.waitForLoadState()]);
      const holder = (await taskOf(review))?.holder ?? '';
      const [winner, loser] = holder === 'reviewer' ? [one, other] : [other, one];
      await winner.page.locator('main[data-standing="mine"]').waitFor();
      expect(await loser.page.locator('body').textContent()).toContain(`Held by ${holder}`);
      await Promise.all([one.close(), other.close()]);
    });

    it('that was decided in another tab gives back what was typed, beside what was decided', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page, context } = person;
      await controlOf(person, '/claimant').fill('Omar A. Rahman');
      const second = await context.newPage();
      await second.goto(`/console/reviews/${review}`);
      await second.locator('#note').fill('not ours');
      await second.locator('button[value="reject"]').click();
      await second.waitForURL(/done=reject/);
      await page.locator('[data-notice]').getByText('reviewer decided this review meanwhile.').waitFor();
      // Read in full, whatever else stands there.
      expect(
        await page.evaluate<boolean>(
          '(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.getElementById("notices"))',
        ),
      ).toBe(false);
      await page.getByRole('button', { name: 'Compare with mine' }).click();
      const strip = page.locator('#conflict');
      await expect.poll(() => strip.textContent()).toContain('reviewer decided this review: rejected.');
      expect(await strip.textContent()).toContain('Omar A. Rahman');
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'reject' });
      await Promise.all([second.close(), person.close()]);
    });

    it('whose question changed is not decided on the old one: for each field one chooses', async () => {
      const { review, number } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      await controlOf(person, '/total_claimed').fill('699.63');
      await page.locator('#draft-state time').waitFor();
      const { app } = scene().house;
      const bytes = bytesOf(claimText(number));
      const newer = { ...misread(number), claimant: 'O. Rahman' };
      await seedReview(app, { tenant: scene().tenant, bytes, candidates: [newer] });
      await page.getByRole('button', { name: 'Not in document' }).click();
      const strip = page.locator('#conflict');
      await strip.waitFor();
      expect(await taskOf(review)).toMatchObject({ state: 'open' });
      // One's own value is still in the form; theirs is a press away.
      expect(await controlOf(person, '/total_claimed').inputValue()).toBe('699.63');
      expect(await controlOf(person, '/claimant').inputValue()).toBe('Omar Rahman');
      await strip.locator('[data-choice="/claimant"]').getByRole('button', { name: 'Take theirs' }).click();
      expect(await controlOf(person, '/claimant').inputValue()).toBe('O. Rahman');
      await person.close();
    });

    it('warns before the hold runs out, then keeps everything and can be taken again', async () => {
      const { review } = await seed();
      const person = await take('reviewer', review);
      const { page } = person;
      await controlOf(person, '/claimant').fill('Omar Q. Rahman');
      await page.locator('#draft-state time').waitFor();
      await page.clock.install();
      await page.clock.fastForward('13:20');
      await page.locator('#extend').waitFor();
      expect(await page.locator('#lease-alert').textContent()).toContain('extend it to go on');
      await page.clock.fastForward('02:00');
      await page.locator('#controls:disabled').waitFor();
      await page.getByRole('button', { name: 'Take again' }).click();
      await page.locator('main[data-standing="mine"]').waitFor();
      expect(await controlOf(person, '/claimant').inputValue()).toBe('Omar Q. Rahman');
      await person.context.close();
    });

    it('of fifty pages can be worked on before they are all drawn', async () => {
      const { review } = await seedLong(500);
      const person = await take('reviewer', review);
      const { page } = person;
      // Evidence stands on the last page: it is drawn, and marked, without the pages between.
      await controlOf(person, '/claimant').focus();
      await page.locator('.sheet[data-page="50"] .hl.this').waitFor();
      await page.locator('.sheet[data-page="50"] canvas').waitFor();
      expect(await page.locator('.sheet canvas').count()).toBeLessThan(10);
      expect(await page.locator('.sheet').count()).toBe(50);
      await person.close();
    });

    it('of fifty pages can be decided before a single one is drawn', async () => {
      const { review } = await seedLong(501);
      const person = await scene().signIn('reviewer');
      const { page } = person;
      let letGo = () => {};
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await page.route('**/document', async (route) => {
        await held;
        await route.abort();
      });
      await person.open(`/console/reviews/${review}`);
      await page.locator('#take').click();
      await page.locator('main[data-standing="mine"]').waitFor();
      // The place is known from the text, before there is a picture of the page.
      await controlOf(person, '/claimant').focus();
      await page.locator('.sheet[data-page="50"] .hl.this').waitFor();
      await controlOf(person, '/total_claimed').fill('699.63');
      await expect.poll(() => page.locator('#unmet-count').textContent()).toBe('every rule holds');
      expect(await page.locator('.sheet canvas').count()).toBe(0);
      await page.keyboard.press('Control+Enter');
      await page.waitForURL(/done=correct/);
      expect(await taskOf(review)).toMatchObject({ state: 'decided', verdict: 'correct' });
      letGo();
      await person.context.close();
    });
  });
}
