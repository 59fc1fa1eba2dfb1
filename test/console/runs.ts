import { describe, expect, it } from 'vitest';
import { claim } from '../../specs/claim/claim.js';
import { extractionKey, subjectKey } from '../../src/application/keys.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { labelOf } from '../../src/spec/catalogue.js';
import { claimText as paper } from '../support/papers.js';
import { rowsAt, type Scene } from './scene.js';
import { bytesOf, claimText, misread, seedReview } from './seed.js';

export function runCases(scene: () => Scene): void {
  describe('one extraction', () => {
    it('shows how it went, is run again by a button, and leads back to the run before', async () => {
      const { app } = scene().house;
      const other = { ...misread(910), total_claimed: '699.63', deductible: 'not_printed' };
      const { ref } = await seedReview(app, {
        ...{ tenant: scene().tenant, bytes: bytesOf(claimText(910)), candidates: [other, misread(910)] },
      });
      const person = await scene().signIn('operator');
      const { page } = person;
      await person.open(`/console/extractions/${ref.key}`);
      for (const heading of [
        ...['Attempts and calls', 'Problems by rule', 'What changed between candidates'],
        ...['Feedback sent with attempt 2', 'Route taken', 'Evidence', 'Kept with it'],
      ]) {
        expect(await page.getByRole('heading', { name: heading, exact: true }).count(), heading).toBe(1);
      }
      // The last candidate has given it up; the attempt before had found it.
      const changed = page
        .locator('section[aria-labelledby="h-diff"] tr')
        .filter({ hasText: 'total_claimed' });
      expect(await changed.locator('td').last().textContent()).toBe('699.63, p. 1');
      // It asks first, with what the run may use at most by its own policy; saying no starts nothing.
      await page.getByRole('button', { name: 'Redrive' }).click();
      const asked = page.getByRole('dialog');
      expect(await asked.textContent()).toMatch(
        /60,000 tokens.*3 attempts.*60 s.*took 2 attempts, 1,960 tokens/,
      );
      await asked.getByRole('button', { name: 'Not now' }).click();
      expect((await app.store.extractions.find(ref.key))?.run).toBe(1);
      await page.getByRole('button', { name: 'Redrive' }).click();
      await asked.getByRole('button', { name: 'Run it again' }).click();
      await page.getByText('A new run of it is under way').waitFor();
      await page.getByRole('heading', { level: 1, name: /^Verified/ }).waitFor();
      expect(await page.locator('.head').textContent()).toContain('run 2 of 2');
      // What cannot be done says why in words.
      const why = await page.getByRole('button', { name: 'Redrive' }).getAttribute('aria-describedby');
      expect(await page.locator(`#${why}`).textContent()).toMatch(/^This extraction is verified/);
      await page.getByRole('link', { name: 'the one before' }).click();
      await page.getByRole('heading', { level: 1, name: /^Stopped after 2 attempts/ }).waitFor();
      await page.getByRole('link', { name: 'the one after' }).click();
      await page.getByRole('heading', { level: 1, name: /^Verified/ }).waitFor();
      await person.close();
    });

    it('that runs is cancelled by a button, and its page says so when the call in flight has ended', async () => {
      const { house, tenant } = scene();
      const slow = (latencyMs: number) =>
        fetch(`${house.standinUrl}/standin/behaviour`, {
          method: 'POST',
          body: JSON.stringify({ latencyMs }),
        });
      await slow(2_000);
      // Talk of a deductible that is not printed: the first answer makes one up, so there would be a second.
      const text = paper({ extra: 'The standard deductible applies.' });
      const { extraction } = await submitExtraction(house.app, {
        ...{ tenant, specId: 'claim', fileName: 'slow.txt', tags: [], budgets: {}, redrive: false },
        document: { kind: 'bytes', mediaType: 'text/plain', bytes: bytesOf(text) },
      });
      const person = await scene().signIn('operator');
      const { page } = person;
      await person.open(`/console/extractions/${extraction.key}`);
      await page.getByRole('heading', { level: 1, name: /^Running/ }).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      expect(await page.getByRole('dialog').textContent()).toMatch(/No record comes of the 0 attempts/);
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByText('It was asked to stop').waitFor();
      await page.getByRole('heading', { level: 1, name: /somebody cancelled it$/ }).waitFor();
      await slow(5);
      await person.close();
    });
  });

  describe('an extraction whose spec no worker has', () => {
    it('says so on its page and at the head of its letters, and is run under another prompt from there', async () => {
      const { app } = scene().house;
      const { tenant } = scene();
      const at = app.now();
      const bytes = bytesOf(paper({}));
      const documentHash = await app.store.documents.put({ tenant, mediaType: 'text/plain', bytes, at });
      const { id: specId, schemaVersion } = labelOf(claim);
      const parts = { tenant, documentHash, specId, schemaVersion, promptVersion: 'p-gone' };
      const ref = { ...parts, key: extractionKey(parts), subject: subjectKey(parts), run: 1 };
      const opened = { ...ref, policy: claim.policy, tags: [], batchId: null, fileName: 'gone.txt', at };
      await app.store.extractions.open(opened, false);
      const viewer = await scene().signIn('viewer');
      await viewer.open(`/console/extractions/${ref.key}`);
      await viewer.page
        .getByRole('heading', { name: 'This server does not have its spec version.' })
        .waitFor();
      await app.store.extractions.land({
        ...{ ref, at: app.now(), route: 'dead_letter', bestAttempt: null, amount: null, reviewDueAt: null },
        ending: {
          ...{ kind: 'unverified', attempts: 0, reason: 'spec_unavailable', failureClass: null },
          ...{ diagnosis: null, repliesRead: 0 },
        },
      });
      const says = `No worker had claim schema ${schemaVersion}, prompt p-gone: no call was made`;
      await viewer.page.getByText(says).waitFor();
      expect(await viewer.page.getByRole('button', { name: /^Redrive under/ }).count()).toBe(0);
      await viewer.close();
      const person = await scene().signIn('operator');
      const { page } = person;
      const group = JSON.stringify([specId, 'spec_unavailable', null, 'p-gone', schemaVersion]);
      await person.open(`/console/dead-letters?open=${encodeURIComponent(group)}`);
      expect(await page.locator('#letters').textContent()).toContain(says);
      await page.getByRole('link', { name: `look at prompt ${claim.prompt.version}` }).click();
      await page.getByRole('button', { name: 'Redrive 1' }).waitFor();
      await page.locator('#letters').getByRole('link').last().click();
      await page.getByRole('button', { name: `Redrive under ${claim.prompt.version}` }).click();
      await page.getByRole('button', { name: 'Run it', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: /^Verified/ }).waitFor();
      await person.close();
    });
  });

  describe('the list of extractions', () => {
    it('is narrowed by every fact it offers, and says how to get everything back', async () => {
      const { app } = scene().house;
      const tenant = 'narrowed';
      const { ref } = await seedReview(app, {
        ...{ tenant, bytes: bytesOf(claimText(920)), candidates: [misread(920)], reason: 'oscillation' },
        fileName: 'the-only-one.txt',
      });
      const person = await scene().signIn('whoever sees all tenants');
      const { page } = person;
      const { promptVersion } = ref;
      const [hourAgo, hence] = [-3_600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
      const narrowed = [
        ...['outcome=unverified', 'reason=oscillation', 'class=constraint', 'route=human_review'],
        ...['attempts=1', 'attempts=1-2', 'spec=claim', `prompt=${promptVersion}`, 'tag=test', 'time=1h'],
        ...[`from=${hourAgo}`, `from=${hourAgo}&before=${hence}`, 'from=yesterday'],
      ];
      const at = (words: string) => rowsAt(page, `/console/extractions?tenant=${tenant}&${words}`);
      for (const words of narrowed) expect(await at(words), words).toBe(1);
      const others = [
        ...['outcome=verified', 'outcome=running', 'reason=refusal', 'class=schema', 'route=fallback'],
        ...['attempts=2%2B', 'spec=invoice', 'prompt=another', 'tag=another', 'batch=batch/another'],
        ...[`before=${hourAgo}`, `from=${hence}`],
      ];
      for (const words of others) expect(await at(words), words).toBe(0);
      // A choice applies itself, and stands in the address.
      await person.open(`/console/extractions?tenant=${tenant}&from=${hourAgo}`);
      expect(await page.locator('.chosen-span').textContent()).toMatch(/^Started .* or later/);
      await page.getByRole('link', { name: 'at any time' }).click();
      await page.getByText('the-only-one.txt').waitFor();
      await page.getByLabel('Outcome').selectOption('verified');
      await page.waitForURL(/outcome=verified/);
      await page.getByText('No extractions under these filters').waitFor();
      await page.getByRole('link', { name: 'Clear filters.' }).click();
      await page.getByText('the-only-one.txt').waitFor();
      const inEngine = page.getByRole('link', { name: /in Temporal UI/ }).first();
      expect(await inEngine.getAttribute('href')).toMatch(/\/workflows\/extraction%2F[0-9a-f]{64}$/);
      await person.close();
    });
  });

  describe('the planner', () => {
    it('draws what the sliders say while they move', async () => {
      const person = await scene().signIn('viewer');
      const { page } = person;
      await person.open('/console/planner');
      const figures = page.locator('#plan');
      expect(await figures.textContent()).toContain('9.9 h of 12 h');
      const move = (name: string, value: string) => page.locator(`input[name="${name}"]`).fill(value);
      // Of 4,000 documents 22 % are left after one attempt: 880, at 25 an hour 35.2 hours, of six people with six each.
      await move('cap', '1');
      await figures.getByText('With a cap of 1').waitFor();
      await move('reviewers', '6');
      await figures.getByText('35.2 h of 36 h').waitFor();
      expect(await figures.textContent()).toContain('880 a day, 22.0 %');
      await move('pace', '20');
      await figures.getByText('The queue grows by 8.0 hours of people a day.').waitFor();
      await move('first', '8');
      await figures.getByText('The first lane would be busy').waitFor();
      expect(page.url()).toMatch(/cap=1.*first=8.*reviewers=6.*pace=20/);
      await person.close();
    });
  });
}
