import { beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { evaluation } from './evaluation.js';
import type { Scene } from './scene.js';
import { rowsAt, violationsOn } from './scene.js';
import { bytesOf, claimText, misread, seedReview } from './seed.js';

export function figureCases(scene: () => Scene): void {
  describe('figures', () => {
    beforeAll(async () => {
      const { app } = scene().house;
      const { evaluations } = app.store;
      await evaluations.add(evaluation({ id: 'aaaa0000aaaa0000', promptVersion: '0' }, 18));
      await evaluations.add(evaluation({ id: 'bbbb0000bbbb0000', endedAt: 1 }, 20));
      await evaluations.add(evaluation({ id: 'cccc0000cccc0000', endedAt: 2 }, 17));
      await evaluations.add(evaluation({ id: 'dddd0000dddd0000', specId: 'invoice', truthSet: 'bb' }, 20));
      await evaluations.add(evaluation({ id: 'eeee0000eeee0000', tenant: 'eval-1', endedAt: 3 }, 1));
      await seedReview(app, {
        ...{ tenant: scene().tenant, bytes: bytesOf(claimText(900)), candidates: [misread(900)] },
      });
    });

    it('of the overview lead to as many rows as they say', async () => {
      const person = await scene().signIn('operator');
      const { page } = person;
      // A stretch that nobody has looked at yet: figures are kept for some seconds.
      await person.open('/console?time=7d');
      const figures = await page
        .locator('main a[href^="/console/extractions?"].figure')
        .evaluateAll((links) =>
          links.map((link) => [link.textContent ?? '', link.getAttribute('href') ?? '']),
        );
      let counted = 0;
      for (const [text, href] of figures as [string, string][]) {
        const said = /^\D*([\d,]+)\D*$/.exec(text)?.[1];
        if (said === undefined) continue;
        expect(await rowsAt(page, href), `${text}: ${href}`).toBe(Number(said));
        counted += 1;
      }
      expect(counted).toBeGreaterThan(10);
      // What is in no list leads to words on the same page, and no figure leads nowhere.
      const here = await page
        .locator('main a.figure[href^="#"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(here.length).toBeGreaterThan(6);
      for (const href of here) expect(await page.locator(`[id="${href.slice(1)}"]`).count(), href).toBe(1);
      const loose = await page
        .locator('main .facts dd')
        .evaluateAll((values) =>
          values
            .filter((value) => /\d/.test(value.textContent ?? '') && value.querySelector('a[href]') === null)
            .map((value) => value.textContent),
        );
      expect(loose).toEqual([]);
      const main = (await page.locator('main').textContent()) ?? '';
      expect(main).toMatch(/[\d,]+ repairs?, in [\d,]+ runs?, [\d.]+ % of [\d,]+ first attempts/);
      expect(main).toMatch(
        /In any 5 min the budget allows 40\.0 % of first calls, and never fewer than 60 repairs/,
      );
      expect(main).toMatch(/% verified, axis from \d+ %/);
      await person.close();
    });

    it('of a version are held against the version before on the same documents, with a way to the older ones', async () => {
      const person = await scene().signIn('operator');
      const { page } = person;
      const version = `/console/specs/claim/${claim.schemaVersion}/${claim.prompt.version}`;
      await person.open(version);
      const field = (name: string) =>
        page.locator('section[aria-labelledby="h-evaluated"] tr').filter({ hasText: name });
      // 17 of 20 now, 18 of 20 before: 5 points less.
      expect(await field('/total_claimed').textContent()).toMatch(/1720.*85\.0 %−5\.0 points/);
      expect(await field('/claim_number').textContent()).toMatch(/as before/);
      expect(await page.locator('main').textContent()).toContain('prompt 0, schema 1 on the same documents');
      expect(await page.locator('main').textContent()).not.toContain('eeee');
      await page.getByRole('link', { name: 'bbbb0000' }).click();
      await page.waitForURL(/evaluations\/bbbb/);
      expect(await page.locator('h1').textContent()).toBe('Evaluation bbbb0000');
      expect(await field('/total_claimed').textContent()).toMatch(/\+10\.0 points/);
      expect(await violationsOn(page)).toEqual([]);
      // Of a version that this server never had, and of one that was the first.
      await person.open('/console/evaluations/aaaa0000aaaa0000');
      expect(await page.locator('main').textContent()).toContain('which this server does not have any more');
      expect(await page.locator('main').textContent()).toContain('nothing to hold it against');
      expect(await person.open('/console/evaluations/eeee0000eeee0000')).toBe(404);
      await person.open('/console/specs');
      expect(await page.getByRole('link', { name: '80.0 % of 25, 3 wrong' }).count()).toBe(1);
      await person.close();
    });

    it('of open breakers say whose, since when and what to do; a closed one gets a line', async () => {
      const { breakers } = scene().house.app.store;
      const closed = { model: 'm', state: 'closed', since: 1, cause: null, nextProbeAt: null } as const;
      const now = Date.now();
      await breakers.report({ worker: '7@walked', provider: 'p' }, [closed], now);
      const person = await scene().signIn('nobody in particular');
      const { page } = person;
      await person.open('/console');
      const shown = page.locator('section[aria-labelledby="h-breakers"]');
      expect(await shown.textContent()).toMatch(
        /Closed: calls of 1 worker get through\. Last heard from \d+ s ago\./,
      );
      const open = {
        ...closed,
        state: 'open',
        since: now,
        cause: 'overloaded',
        nextProbeAt: now + 5_000,
      } as const;
      await breakers.report({ worker: '7@walked', provider: 'p' }, [open], now);
      // Nobody asks for the page again: it is told.
      await page.getByText('calls to m (p) are held back by 1 of 1 worker').waitFor();
      expect(await shown.textContent()).toContain('7@walked');
      expect(await violationsOn(page)).toEqual([]);
      const ofTenant = await scene().signIn('operator');
      await ofTenant.open('/console');
      const theirs = await ofTenant.page.locator('section[aria-labelledby="h-breakers"]').textContent();
      expect(theirs).toContain('calls to m (p) are held back by 1 of 1 worker');
      expect(theirs).not.toContain('7@walked');
      await ofTenant.close();
      await breakers.leave('7@walked');
      await page
        .getByText('No worker has told of a breaker: each does within half a minute of its first call.')
        .waitFor();
      await person.close();
    });

    it('of a drawing over days stand at dates', async () => {
      const person = await scene().signIn('operator');
      await person.open('/console?time=30d');
      expect(await person.page.locator('[data-clock]').first().textContent()).toMatch(
        /^\d{1,2} [A-Z][a-z]{2,3}$/,
      );
      await person.close();
    });

    it('of a drawing stand at hours of the reader’s own zone', async () => {
      const person = await scene().signIn('operator');
      await person.open('/console');
      const clocks = await person.page
        .locator('[data-clock]')
        .evaluateAll((texts) =>
          texts.map((text) => [text.getAttribute('data-clock') ?? '', text.textContent ?? '']),
        );
      expect(clocks.length).toBeGreaterThan(0);
      for (const [instant, shown] of clocks as [string, string][]) {
        // Bahrain is three hours ahead, all year.
        expect(shown).toBe(new Date(Date.parse(instant) + 10_800_000).toISOString().slice(11, 16));
      }
      expect(await person.page.getByText('Bahrain time, UTC+3').count()).toBeGreaterThan(0);
      await person.close();
    });
  });
}
