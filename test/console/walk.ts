import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import type { Application } from '../../src/application/application.js';
import { addToBatch, createBatch, startBatch } from '../../src/application/batches.js';
import { claimReview } from '../../src/application/claim-review.js';
import { followBatch } from '../../src/application/read-batch.js';
import { followRedrive, startRedrive } from '../../src/application/redrive.js';
import { redrivePrefix } from '../../src/application/tenant-view.js';
import { readDocument } from '../../src/cli/document-file.js';
import { type Person, type Scene, violationsInBothThemes, violationsOfRoom } from './scene.js';
import { bytesOf, claimText, misread, type Seeded, seedReview } from './seed.js';

const batchId = 'walked';
const redriveId = `${redrivePrefix('acme')}walked`;

/** A batch and a redrive, each of which ran to its end. */
async function runMany(app: Application, tenant: string): Promise<void> {
  const none = { budgetTokens: null, deadlineMs: null, patienceMs: 1_800_000, inFlight: 2, redrive: false };
  const request = {
    id: batchId,
    tenant,
    name: 'A walked batch',
    specId: 'claim',
    tags: [],
    budgets: {},
    ...none,
  };
  const items = [3, 4, 5].map((number) => ({
    ...{ item: `${number}`, fileName: `claim-${number}.txt`, tags: [] },
    document: { kind: 'bytes' as const, mediaType: 'text/plain', bytes: bytesOf(claimText(number)) },
  }));
  await addToBatch(app, await createBatch(app, request), items);
  await startBatch(app, batchId);
  for await (const _ of followBatch(app, batchId));
  await startRedrive(app, {
    ...{ id: redriveId, selection: { tenant }, promptVersion: null, most: 1, inFlight: 1, perSecond: null },
  });
  await followRedrive(app, redriveId, () => undefined);
}

/** Every page there is, each with the words that only it has. */
function pagesOf(seeded: Seeded, exhausted: string): readonly (readonly [path: string, heading: RegExp])[] {
  const { schemaVersion, prompt } = claim;
  return [
    ['/console', /^Overview$/],
    ['/console/extractions', /^Extractions$/],
    ['/console/extractions?outcome=unverified&reason=refusal&class=schema&time=24h', /^Extractions$/],
    [`/console/extractions/${seeded.ref.key}`, /^Stopped after 2 attempts/],
    ['/console/reviews', /^Review$/],
    ['/console/reviews?lease=free&state=open', /^Review$/],
    [`/console/reviews/${seeded.review}`, /^Here because/],
    ['/console/dead-letters', /^Dead letters$/],
    [`/console/dead-letters?g=${encodeURIComponent(exhausted)}`, /^Dead letters$/],
    ['/console/batches', /^Batches$/],
    ['/console/planner?cap=2', /^Planner$/],
    ['/console/specs', /^Specs$/],
    [`/console/specs/claim/${schemaVersion}/${prompt.version}`, /^Claim$/],
    ['/console/extractions?attempts=2%2B', /^Extractions$/],
    [`/console/batches/${batchId}`, /^A walked batch$/],
    [`/console/redrives/${encodeURIComponent(redriveId)}`, /^Redrive /],
  ];
}

/** By how much a page is wider than the window, where it is: only tables scroll, each within itself. */
async function overflows(page: Person['page'], widths: readonly number[]): Promise<readonly string[]> {
  const over: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 300 });
    const by = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (by > 0) over.push(`${by} px at ${width}`);
  }
  return over;
}

/** What a finger would miss: controls less than 40 px high. */
const smallTargets = (page: Person['page']) =>
  page.evaluate<
    readonly string[]
  >(`[...document.querySelectorAll('main :is(select, .filters label, .tick, button)')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 40)
    .map((each) => each.outerHTML.slice(0, 120))`);

/** Figures of a table that has become rows, and has lost its heads, which do not say what they count. */
const bareFigures = (page: Person['page']) =>
  page.evaluate<readonly string[]>(`[...document.querySelectorAll('table.folds td.num:not([data-label])')]
    .filter((cell) => /^[\\d.,]+( (?![A-Z]{3}$)|$)/.test(cell.textContent.trim()) && cell.querySelector('time') === null)
    .map((cell) => cell.outerHTML.slice(0, 120))`);

const samples = fileURLToPath(new URL('../../samples/files/', import.meta.url));

export function walkCases(scene: () => Scene): void {
  describe('every page', () => {
    let seeded: Seeded;
    let pages: ReturnType<typeof pagesOf>;

    beforeAll(async () => {
      const { app } = scene().house;
      const { tenant } = scene();
      const bytes = bytesOf(claimText(1));
      const other = { ...misread(1), total_claimed: '966.63' };
      seeded = await seedReview(app, { tenant, bytes, candidates: [other, misread(1)], amount: '9000' });
      await scene().house.extract({
        tenant,
        specId: 'claim',
        document: { kind: 'bytes', mediaType: 'text/plain', bytes: bytesOf(' ') },
        fileName: 'nothing.txt',
      });
      await runMany(app, tenant);
      const [group] = await app.store.deadLetters.groups({ tenant });
      const { specId, reason, failureClass, promptVersion, schemaVersion } = group ?? {};
      pages = pagesOf(seeded, JSON.stringify([specId, reason, failureClass, promptVersion, schemaVersion]));
    });

    /** Every page, with what this role may do on them; `look` at each, once it is there. */
    async function walk(who: string, look: (person: Person, path: string) => Promise<void> = async () => {}) {
      const person = await scene().signIn(who);
      for (const [path, heading] of pages) {
        expect(await person.open(path), path).toBe(200);
        await expect
          .poll(() => person.page.locator('h1').first().textContent(), { message: path })
          .toMatch(heading);
        if (path.startsWith('/console/reviews/'))
          expect(await person.page.locator('#take').count()).toBe(who === 'viewer' ? 0 : 1);
        if (path.startsWith('/console/dead-letters?'))
          expect(await person.page.getByRole('button', { name: /^Redrive \d/ }).count()).toBe(
            who === 'operator' ? 1 : 0,
          );
        await look(person, path);
      }
      return person;
    }

    it.each(['viewer', 'reviewer'])('opens for a %s, who is offered what they may do', async (who) => {
      await (await walk(who)).close();
    });

    it('opens for an operator, with nothing that axe objects to, and fits a phone and a wall', async () => {
      const person = await walk('operator', async ({ page }, path) => {
        expect(await violationsInBothThemes(page), path).toEqual([]);
        expect(await overflows(page, [320, 360, 1024, 3840]), path).toEqual([]);
        await page.setViewportSize({ width: 360, height: 780 });
        expect(await violationsOfRoom(page), `${path} on a phone`).toEqual([]);
        if (!path.startsWith('/console/reviews/')) expect(await smallTargets(page), path).toEqual([]);
        expect(await bareFigures(page), path).toEqual([]);
        // Whatever the width, there is a way to find something, and the clock times have their zone.
        for (const part of ['.find input', '.tools .zone'])
          expect(await page.locator(part).isVisible(), `${part} of ${path}`).toBe(true);
        await page.setViewportSize({ width: 1280, height: 900 });
      });
      const { page } = person;
      await person.open('/console');
      expect(await page.locator('main').textContent()).toContain(
        'The longest deadline is 31 min: a run of a batch may sit out an outage of the provider on top of its spec’s 60 s.',
      );
      await person.open(`/console/reviews/${seeded.review}`);
      await page.locator('#take').click();
      await page.getByText('Yours until').waitFor();
      expect(await violationsInBothThemes(page), 'a review that is held').toEqual([]);
      await page.getByRole('button', { name: 'Release' }).click();
      await person.open('/console/nowhere');
      expect(await violationsInBothThemes(page), 'the page of faults').toEqual([]);
      await person.context.clearCookies();
      await person.open('/console/extractions');
      expect(await violationsInBothThemes(page), 'signing in').toEqual([]);
      await person.context.close();
    });

    it('draws nothing whose words are too small to be read, at any width', async () => {
      const person = await scene().signIn('operator');
      const small: string[] = [];
      for (const path of ['/console/planner', `/console/batches/${batchId}`, '/console']) {
        await person.open(path);
        for (const width of [360, 390, 500, 721, 1024, 1280, 1440, 1920, 3840]) {
          await person.page.setViewportSize({ width, height: 300 });
          const sizes = await person.page.evaluate<number[]>(`[...document.querySelectorAll('.plot')]
            .filter((plot) => plot.clientWidth > 0)
            .map((plot) => {
              const font = parseFloat(getComputedStyle(plot.querySelector('text')).fontSize);
              return (font * plot.getBoundingClientRect().width) / plot.viewBox.baseVal.width;
            })`);
          expect(sizes.length, path).toBeGreaterThan(0);
          const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
          if (least < 10.95 || most > 17) small.push(`${path} at ${width}: ${least} to ${most}`);
        }
      }
      expect(small).toEqual([]);
      await person.close();
    });

    it('fits every window whatever names people gave', async () => {
      const { app } = scene().house;
      const text = claimText(700);
      const latin = `${'A'.repeat(220)}.txt`;
      const arabic = `${'\u0645\u0637\u0627\u0644\u0628\u0629'.repeat(35)}.txt`;
      const tenant = `t-${'T'.repeat(50)}`;
      const seeds = [latin, arabic].map((fileName, index) =>
        seedReview(app, {
          ...{ tenant, fileName, tags: ['G'.repeat(60)], candidates: [misread(700)] },
          bytes: bytesOf(`${text}\n${index}`),
        }),
      );
      const seeded = await Promise.all(seeds);
      const batch = { id: 'long', name: 'B'.repeat(150), specId: 'claim', tags: [], budgets: {} };
      await createBatch(app, {
        ...{ ...batch, tenant, budgetTokens: null, deadlineMs: null, patienceMs: 0, inFlight: 1 },
        redrive: false,
      });
      const actor = 'N'.repeat(100);
      await claimReview(app, { review: seeded[0]?.review ?? '', actor, steal: null });
      const blank = { kind: 'bytes', mediaType: 'text/plain', bytes: bytesOf(' ') } as const;
      await scene().house.extract({ tenant, specId: 'claim', document: blank, fileName: latin });
      const person = await scene().signIn('M'.repeat(100));
      const wide: string[] = [];
      for (const path of [
        ...[`/console/extractions?tenant=${tenant}`, `/console/reviews?tenant=${tenant}`],
        ...[`/console/dead-letters?tenant=${tenant}`, `/console/batches?tenant=${tenant}`],
        ...['/console/batches/long', '/console/specs'],
        ...seeded.flatMap(({ ref, review }) => [
          `/console/extractions/${ref.key}`,
          `/console/reviews/${review}`,
        ]),
      ]) {
        await person.open(path);
        for (const width of [360, 1280, 3840]) {
          await person.page.setViewportSize({ width, height: 300 });
          const [page, table] = await person.page.evaluate<[number, number]>(`[
            document.documentElement.scrollWidth - innerWidth,
            Math.max(0, ...[...document.querySelectorAll('.scroll')].map((box) => box.scrollWidth - box.clientWidth)),
          ]`);
          // On a phone and on a desk alike the list is read without scrolling sideways; widths are rounded to a pixel.
          if (page > 0 || table > 1) wide.push(`${path} at ${width}: page ${page}, table ${table}`);
        }
      }
      expect(wide).toEqual([]);
      await person.close();
    });

    it('fits every window whatever became of a document', async () => {
      // One sample for each way that they end: what else differs between their pages is words.
      const files = [
        ...[
          'invoice-carried-forward.pdf',
          'invoice-three-faults.txt',
          'invoice-too-long.pdf',
          'claim-empty.txt',
        ],
        ...['claim-fax.pdf', 'claim-harbour-too-long.txt', 'claim-refused.pdf', 'claim-does-not-add-up.txt'],
      ];
      const runs = files.map(async (fileName) => {
        const document = await readDocument(join(samples, fileName));
        const specId = fileName.split('-')[0] ?? '';
        return {
          fileName,
          ...(await scene().house.extract({ tenant: 'samples', specId, document, fileName })),
        };
      });
      const person = await scene().signIn('whoever sees all tenants');
      const wide: string[] = [];
      for (const { fileName, extraction } of await Promise.all(runs)) {
        await person.open(`/console/extractions/${extraction.key}`);
        wide.push(...(await overflows(person.page, [320, 360, 1024])).map((over) => `${fileName}: ${over}`));
      }
      expect(wide).toEqual([]);
      await person.close();
    });

    it('comes with a policy that allows nothing inline and nothing from elsewhere', async () => {
      const { headers } = await fetch(`${scene().url()}/console/sign-in`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    });

    it('of another tenant is as good as none', async () => {
      const { app } = scene().house;
      const bytes = bytesOf(claimText(2));
      const theirs = await seedReview(app, { tenant: 'other', bytes, candidates: [misread(2)] });
      const person = await scene().signIn('operator');
      expect(await person.open(`/console/reviews/${theirs.review}`)).toBe(404);
      expect(await person.open(`/console/extractions/${theirs.ref.key}`)).toBe(404);
      await person.open('/console/extractions?tenant=other');
      expect(await person.page.locator('body').innerHTML()).not.toContain(theirs.ref.key);
      await person.close();
    });
  });
}
