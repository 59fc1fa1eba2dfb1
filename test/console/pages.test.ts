import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { invoice } from '../../specs/invoice/invoice.js';
import { submitExtraction } from '../../src/application/submit-extraction.js';
import { createConsole } from '../../src/console/app.js';
import { type BatchShown, batchPage } from '../../src/console/pages/batch.js';
import { Diagnosis } from '../../src/console/pages/extraction-diagnosis.js';
import type { ExtractionShown } from '../../src/console/pages/extraction-shown.js';
import { FormRow } from '../../src/console/pages/review-fields.js';
import { Why } from '../../src/console/pages/review-why.js';
import { specPage } from '../../src/console/pages/spec.js';
import { ShortId } from '../../src/console/parts/short-id.js';
import type { Desk } from '../../src/console/review-desk.js';
import { formOf } from '../../src/console/review-form.js';
import { isSought } from '../../src/console/sought.js';
import type { RedriveOrder } from '../../src/domain/redrive.js';
import type { Spec } from '../../src/spec/spec.js';
import { createBench, exhaustAll, textSubmission } from '../support/fakes/bench.js';

const host = '127.0.0.1:4680';

/** The pages of somebody on this machine. */
function openSite({ app } = createBench()) {
  const site = createConsole({
    ...{ app, pages: { layout: async () => null }, apiKey: null, keyless: true, inFlight: 4 },
    ...{ logger: pino({ level: 'silent' }), version: '0.1.0' },
  });
  const open = async (path: string) =>
    (await site.request(path, { headers: { host, accept: 'text/html' } })).text();
  const leadsTo = async (path: string) =>
    (await site.request(path, { headers: { host, accept: 'text/html' } })).headers.get('location');
  const send = (path: string, fields: string) =>
    site.request(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' },
    });
  return { app, open, leadsTo, send };
}

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

describe('an id on a page', () => {
  it('is copied without a gap, as the beginning that commands and the finder take', () => {
    const copied = String(ShortId({ id: '9f3c41d2aa' })).replaceAll(/<[^>]*>/g, '');
    expect(copied).toBe('9f3c41d2');
  });

  it('is called ID', async () => {
    const { app, open } = openSite();
    await submitExtraction(app, textSubmission('a'));
    const page = await open('/extractions');
    expect(page).toContain('<th scope="col">ID</th>');
    expect(wordsOf(page)).not.toMatch(/\bkey\b/i);
  });
});

describe('the dead letters that somebody chose', () => {
  it('run no more than the page said, however many are parked since, and start from its dialog alone', async () => {
    const bench = createBench();
    const { app, open, send } = openSite(bench);
    exhaustAll(bench, 'dead_letter');
    await submitExtraction(app, textSubmission('a'));
    await submitExtraction(app, textSubmission('b'));
    const [group] = await app.store.deadLetters.groups({});
    const name = JSON.stringify([
      ...[group?.specId, group?.reason, group?.failureClass],
      ...[group?.promptVersion, group?.schemaVersion],
    ]);
    const page = await open(`/dead-letters?${new URLSearchParams({ g: name })}`);
    const [form = ''] =
      /<form method="post" action="\/console\/dead-letters\/redrive".*?<\/form>/s.exec(page) ?? [];
    expect(wordsOf(form.split('<dialog')[1] ?? '')).toMatch(
      /Run 2 documents again\?.*[\d,]+ tokens.* at most/,
    );
    expect(form.split('<dialog')[0]).not.toContain('type="submit"');
    const typed = [...form.matchAll(/<(?:select|input type="number")[^>]*>/g)].map(([field]) => field);
    expect(typed.map((field) => /form="choose"/.test(field))).toEqual([true, true]);
    const orders: RedriveOrder[] = [];
    bench.engine.startRedrive = async (order) => {
      orders.push(order);
      return 'started';
    };
    await submitExtraction(app, textSubmission('c'));
    const shown = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(
      ([, field = '', value = '']): [string, string] => [field, value.replaceAll('&quot;', '"')],
    );
    expect((await send('/dead-letters/redrive', `${new URLSearchParams(shown)}`)).status).toBe(303);
    expect(orders.map(({ most, parked }) => [most, parked])).toEqual([[2, 3]]);
    // A page that does not say how many.
    const bare = shown.filter(([field]) => field !== 'most');
    expect((await send('/dead-letters/redrive', `${new URLSearchParams(bare)}`)).status).toBe(422);
    expect(orders).toHaveLength(1);
  });
});

describe('two rules that contradict each other', () => {
  it('want amounts with their digits in groups, as every other amount is shown', () => {
    const diagnosis = {
      ...{ kind: 'contradiction', pointer: '/total', rules: ['rows', 'words'], explanation: null },
      values: ['1204.375', '98765'],
    };
    const outcome = { kind: 'unverified', reason: 'contradiction', diagnosis };
    const shown = { spec: invoice, extraction: { erasedAt: null }, reading: { outcome } };
    const page = wordsOf(String(Diagnosis({ shown: shown as unknown as ExtractionShown })));
    expect(page).toMatch(/rows 1,204\.375 words .*words 98,765 rows/);
  });
});

describe('the page of a review', () => {
  it('says of the machine alone why it stopped, whatever somebody has begun to type', () => {
    const field = { pointer: '/invoice_number', state: 'value', value: '17' };
    const says = (text: string) => {
      const node = { kind: 'field', pointer: field.pointer, said: 'value', text };
      const desk = {
        ...{ form: [{ ...node, printed: { printed: '71', value: '71' } }], attempts: [], check: null },
        sheet: {
          ...{ kind: 'exhausted', reason: 'no_progress', candidate: {}, diagnosis: null, arithmetic: [] },
          ...{ unmet: [{ pointer: field.pointer, title: 'No.', rules: [] }], fields: [field] },
        },
      } as unknown as Desk;
      return wordsOf(String(Why({ desk })));
    };
    for (const typed of ['17', 't', ''])
      expect(says(typed)).toContain('The page prints 71; 17 is printed nowhere.');
  });

  it('tells a field that nothing looked for from one that was not found', () => {
    const desk = {
      ...{ spec: invoice, check: null, sheet: { unmet: [], arithmetic: [], fields: [] } },
      document: { read: { kind: 'readable', pages: 1, text: { pages: [''] } } },
      faults: [],
    } as unknown as Desk;
    const values = { document_type: 'invoice', invoice_number: '7' };
    const printed = (pointer: string) => {
      const node = formOf(invoice, values, []).find((each) => each.pointer === pointer);
      if (node === undefined) throw new Error(`No field ${pointer}`);
      return /data-printed="?[^>]*>(.*?)<\/span><\/span>/.exec(String(FormRow({ node, desk })))?.[1];
    };
    expect(printed('/document_type')).toContain('not looked for');
    expect(printed('/invoice_number')).toContain('not found');
    expect([isSought(invoice, '/line_items/0/amount'), isSought(null, '/amount')]).toEqual([true, false]);
  });
});

describe('the queue of reviews', () => {
  it('offers to take one only where one is free, and says why not', async () => {
    const bench = createBench();
    const { open, send } = openSite(bench);
    const offer = async () => /id="take-next".*?<\/form>/s.exec(await open('/reviews'))?.[0] ?? '';
    expect(wordsOf(await offer())).toContain('Nothing waits.');
    expect(await offer()).toMatch(/aria-disabled="true" aria-describedby="why-not-take"/);
    exhaustAll(bench, 'human_review');
    await submitExtraction(bench.app, textSubmission('a'));
    expect(await offer()).toContain('id="take-first"');
    await send('/reviews/next', 'who=ada');
    expect(wordsOf(await offer())).toContain('None is free.');
  });
});

describe('the finder', () => {
  it('leads from the id of a review, or its first digits, to the review', async () => {
    const bench = createBench();
    const { leadsTo } = openSite(bench);
    exhaustAll(bench, 'human_review');
    await submitExtraction(bench.app, textSubmission('a'));
    const [task] = (await bench.app.store.reviews.list({}, { limit: 1 })).items;
    if (task === undefined) throw new Error('No review.');
    for (const id of [task.id, task.id.slice(0, 8)])
      expect(await leadsTo(`/find?q=${id}`)).toBe(`/console/reviews/${task.id}`);
    expect(await leadsTo(`/find?q=${task.key}`)).toBe(`/console/extractions/${task.key}`);
    expect(await leadsTo('/find?q=ffffffff')).toBe('/console/extractions?tag=ffffffff');
  });
});

describe('a list without rows', () => {
  it('of dead letters tells a house where nothing ran from one where nothing is parked', async () => {
    const { app, open } = openSite();
    expect(wordsOf(await open('/dead-letters'))).toContain('nothing was extracted yet. Hand in a document');
    await submitExtraction(app, textSubmission('a'));
    const page = await open('/dead-letters');
    expect(wordsOf(page)).toContain('landed elsewhere');
    expect(page).toContain('href="/console/extractions?outcome=unverified"');
    expect(wordsOf(await open('/dead-letters?state=redriven'))).toContain('None is redriven.');
  });

  it('at a place that it does not have leads to its beginning, under the same filters', async () => {
    const page = await openSite().open('/extractions?spec=claim&cursor=bad');
    expect(page).toContain('href="/extractions?spec=claim">To the beginning of the list');
    expect(wordsOf(page)).not.toMatch(/cursor|without one|To the overview/i);
  });
});

describe('the page of a batch', () => {
  it('says what stopping it with its runs would lose, before it does', () => {
    const batch = {
      ...{
        id: 'b',
        name: null,
        state: 'running',
        tenant: 't',
        spec: 's',
        schemaVersion: '1',
        promptVersion: '1',
      },
      ...{
        documents: 900,
        waiting: 326,
        underWay: 14,
        verified: 524,
        unverified: 36,
        refused: 0,
        tokens: 1_000,
      },
      ...{ unverifiedBy: {}, runs: { own: 574, followed: 0, known: 0, repeated: 0 }, budgetTokens: null },
      ...{
        projectedTokens: null,
        attemptCap: 3,
        createdAt: '2026-03-01T09:00:00Z',
        endedAt: null,
        deadlineAt: null,
      },
    };
    const page = wordsOf(
      String(
        batchPage({
          ...{ batch, course: null, documents: [], reviewed: new Map(), nextCursor: null, isFirst: true },
          ...{ outcome: undefined, link: null, now: 0, tokensAtRisk: 71_400 },
          visitor: { name: 'Ana', signedIn: true, roles: ['operate'], tenant: null },
        } as unknown as BatchShown),
      ),
    );
    expect(page).toMatch(/14 runs under way: the 71,400 tokens .* are lost.* 326 documents are never begun/);
    expect(page).toContain('Cancel 14 runs');
    expect(page).toMatch(
      /after its runs under way\? 326 documents are never begun.* 14 runs under way go on/,
    );
  });
});

describe('the page of a version of a spec', () => {
  const routesOf = (spec: Spec) => {
    const page = String(
      specPage({
        ...{
          spec,
          isCurrent: true,
          labels: [],
          evaluations: { latest: null, older: [], isOfOneTenant: true },
        },
      }),
    );
    return /h-routes.*?<tbody>(.*?)<\/tbody>/s.exec(page)?.[1]?.match(/Dead letter<\/td>|Dead letter/g)
      ?.length;
  };

  it('ends its routes with the one that always holds', () => {
    const routes = [{ to: 'dead_letter', when: {} }] as const;
    expect(routesOf({ ...invoice, policy: { ...invoice.policy, routes } })).toBe(1);
    expect(routesOf({ ...invoice, policy: { ...invoice.policy, routes: [] } })).toBe(1);
  });
});

describe('saying who one is', () => {
  it('comes back to where one was, and begins in the field that is asked for', async () => {
    const { open, send } = openSite();
    const path = '/extractions?outcome=verified&time=7d';
    const [, link] = /href="(\/console\/sign-in[^"]*)"/.exec(await open(path)) ?? [];
    expect(link).toBe(`/console/sign-in?then=${encodeURIComponent(path)}`);
    expect(await open('/sign-in')).toMatch(/<input name="name"[^>]* autofocus/);
    const asked = await send('/reviews/next', 'spec=claim');
    expect(await asked.text()).toMatch(/<input name="who"[^>]* autofocus/);
    const left = await send('/sign-out', `then=${encodeURIComponent(`/console${path}`)}`);
    expect(left.headers.get('location')).toBe(`/console${path}`);
  });
});
