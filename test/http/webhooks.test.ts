import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/application/api-keys.js';
import { addWebhook } from '../../src/application/webhooks.js';
import {
  Delivery,
  DeliveryPage,
  Webhook,
  WebhookList,
  WebhookWithSecret,
} from '../../src/http/schemas/webhook.js';
import type { WebhookDelivery } from '../../src/ports/webhook-store.js';
import { type Api, conforms, createApi, problemIn, submission } from './api.js';

const webhookUrl = 'https://receiver.example/hook?key=1';

/** An API over a store that has a secret to sign for named URLs with. */
async function withSecret(): Promise<Api> {
  const api = createApi();
  await addWebhook(api.store, { url: null, tenant: null, allowPrivate: false, now: api.app.now() });
  return api;
}

describe('given a submission that names a URL to tell', () => {
  it('when it comes as JSON, then the URL is told of everything about the document', async () => {
    const api = await withSecret();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl }));
    expect(answer.status).toBe(202);
    expect([...api.store.webhooks.named]).toEqual([`${api.store.rows[0]?.subject} ${webhookUrl}`]);
    // What a URL holds is between its receiver and us.
    expect(JSON.stringify(answer.body)).not.toContain('receiver.example');
    expect(api.log.join('')).not.toContain('receiver.example');
  });

  it('when it comes as a form, then too', async () => {
    const api = await withSecret();
    const body = new FormData();
    body.set('spec', 'receipt');
    body.set('webhookUrl', webhookUrl);
    body.set('document', new Blob(['a receipt'], { type: 'text/plain' }), 'receipt.txt');
    expect((await api.request('/v1/extractions', { method: 'POST', body })).status).toBe(202);
    expect([...api.store.webhooks.named]).toEqual([`${api.store.rows[0]?.subject} ${webhookUrl}`]);
  });

  it.each([
    'http://receiver.example/',
    'https://127.0.0.1/',
    'https://user:hunter2@receiver.example/',
    'hook',
  ])('when it is one that cannot be used (%s), then nothing is written', async (url) => {
    const api = await withSecret();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl: url }));
    const { errors } = problemIn(answer, 422, 'invalid-request');
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/webhookUrl']);
    expect(JSON.stringify(answer.body)).not.toContain('hunter2');
    expect([api.store.rows.length, api.store.documentRows.size]).toEqual([0, 0]);
  });

  it('when nothing signs, then it says how to mend that', async () => {
    const api = createApi();
    const answer = await api.post('/v1/extractions', submission({ webhookUrl }));
    const { errors } = problemIn(answer, 422, 'invalid-request');
    expect(errors[0]?.detail).toContain('endstop webhooks add --per-extraction');
    expect(api.store.rows).toEqual([]);
  });
});

describe('given webhooks', () => {
  const url = 'https://receiver.example/hook?key=hidden';

  it('when one is added and rotated, then its secrets are in these answers and in no other', async () => {
    const api = createApi();
    const added = await api.post('/v1/webhooks', { url, tenant: null });
    expect(added.status).toBe(201);
    const { id, secret } = conforms(WebhookWithSecret, added);
    expect(secret).toMatch(/^whsec_/);
    const rotated = await api.post(`/v1/webhooks/${id}/rotate`, {});
    expect(conforms(WebhookWithSecret, rotated).secret).not.toBe(secret);
    const listed = await api.get('/v1/webhooks');
    expect(conforms(WebhookList, listed).items).toMatchObject([{ id, state: 'active', tenant: null }]);
    expect(JSON.stringify(listed.body)).not.toMatch(/whsec_|hidden/);
    expect(api.log.join('')).not.toMatch(/whsec_|hidden/);
    expect(conforms(WebhookList, await api.get('/v1/webhooks?tenant=acme')).items).toEqual([]);
  });

  it('when one is removed, then it is gone', async () => {
    const api = createApi();
    const { id } = conforms(WebhookWithSecret, await api.post('/v1/webhooks', { url, tenant: 'acme' }));
    const removed = await api.request(`/v1/webhooks/${id}`, { method: 'DELETE' });
    expect(conforms(Webhook, removed)).toMatchObject({ id, state: 'removed' });
    expect(conforms(WebhookList, await api.get('/v1/webhooks')).items).toEqual([]);
    problemIn(await api.post(`/v1/webhooks/${id}/rotate`, {}), 422, 'invalid-request');
  });

  it.each([
    [{ url: 'https://10.0.0.1/', tenant: null }, '/url'],
    [{ url: 'http://receiver.example/', tenant: null }, '/url'],
    [{ url, tenant: 'a b' }, '/tenant'],
    [{ url }, '/tenant'],
    [{ url, tenant: null, secret: 'mine' }, '/secret'],
  ])('when %j is asked for, then it says which field is wrong', async (body, pointer) => {
    const { errors } = problemIn(await createApi().post('/v1/webhooks', body), 422, 'invalid-request');
    expect(errors.map((error) => error.pointer)).toContain(pointer);
  });

  it('when one is not there, then that is not found', async () => {
    const api = createApi();
    const gone = '/v1/webhooks/abcdefabcdef';
    problemIn(await api.post(`${gone}/rotate`, {}), 404, 'not-found');
    problemIn(await api.request(gone, { method: 'DELETE' }), 404, 'not-found');
    problemIn(await api.get('/v1/webhook-deliveries?webhook=abcdefabcdef'), 404, 'not-found');
    problemIn(await api.post('/v1/webhook-deliveries/abcdefabcdef/resend', {}), 404, 'not-found');
  });
});

describe('given deliveries', () => {
  it('when they are listed, then each says what became of it, and one can be sent again', async () => {
    const api = createApi();
    const { id } = conforms(
      WebhookWithSecret,
      await api.post('/v1/webhooks', { url: 'https://receiver.example/hook', tenant: null }),
    );
    const delivery: WebhookDelivery = {
      deliveryId: 'd'.repeat(32),
      endpointId: id,
      url: 'https://receiver.example/hook',
      state: 'given_up',
      dueAt: null,
      endedAt: 1_772_366_405_000,
      tries: [{ at: 1_772_366_405_000, durationMs: 12, status: 503, error: 'rejected' }],
      event: {
        eventId: 'evt_1',
        type: 'record.stored',
        at: 1_772_366_400_000,
        key: 'a'.repeat(64),
        run: 1,
        tenant: 'acme',
        specId: 'receipt',
        outcome: 'unverified',
        reason: 'no_progress',
        route: 'best_effort',
        verificationStatus: 'best_effort',
      },
    };
    api.store.webhooks.sent.set(delivery.deliveryId, delivery);
    const failed = await api.get(`/v1/webhook-deliveries?failed=true&webhook=${id}&tenant=acme`);
    expect(conforms(DeliveryPage, failed).items).toMatchObject([
      {
        id: delivery.deliveryId,
        outcome: 'unverified',
        verificationStatus: 'best_effort',
        state: 'given_up',
      },
    ]);
    const none = await api.get('/v1/webhook-deliveries?state=delivered');
    expect(conforms(DeliveryPage, none).items).toEqual([]);
    const again = await api.post(`/v1/webhook-deliveries/${delivery.deliveryId}/resend`, {});
    expect(again.status).toBe(202);
    expect(conforms(Delivery, again)).toMatchObject({ state: 'pending', eventId: 'evt_1' });
  });
});

describe('given an endpoint that hears of everybody', () => {
  it('when a key of one tenant asks, then neither its URL nor its deliveries are there, and none can be sent again', async () => {
    const api = createApi();
    const add = async (tenant: string | null, at: string | null) =>
      (await api.store.webhooks.add({ tenant, url: at, secret: 'whsec_x', at: 1 }))?.endpointId ?? '';
    const everybody = await add(null, 'https://receiver.example/hook?token=hidden');
    const own = await add('beta', 'https://beta.example/hook');
    const named = await add(null, null);
    const event = {
      ...{ eventId: 'evt_1', type: 'record.stored' as const, at: 1, key: 'a'.repeat(64), run: 1 },
      ...{ tenant: 'beta', specId: 'receipt', outcome: 'verified' as const, reason: null, route: null },
      verificationStatus: null,
    };
    const to = (deliveryId: string, endpointId: string, at: string) =>
      api.store.webhooks.sent.set(deliveryId, {
        ...{ deliveryId, endpointId, url: at, event, state: 'given_up', dueAt: null, endedAt: 2, tries: [] },
      });
    const ids = ['d', 'e', 'f'].map((digit) => digit.repeat(32)) as [string, string, string];
    to(ids[0], everybody, 'https://receiver.example/hook?token=hidden');
    to(ids[1], own, 'https://beta.example/hook');
    to(ids[2], named, 'https://beta.example/named');
    const { secret } = await createKey(api.app, { name: 'b', tenant: 'beta', roles: ['operate'] });
    const beta = { authorization: `Bearer ${secret}` };
    const page = conforms(DeliveryPage, await api.get('/v1/webhook-deliveries', beta));
    expect(page.items.map(({ id }) => id).sort()).toEqual([ids[1], ids[2]]);
    expect(JSON.stringify(page)).not.toContain('hidden');
    problemIn(await api.post(`/v1/webhook-deliveries/${ids[0]}/resend`, {}, beta), 404, 'not-found');
    problemIn(await api.get(`/v1/webhook-deliveries?webhook=${everybody}`, beta), 404, 'not-found');
    expect((await api.post(`/v1/webhook-deliveries/${ids[1]}/resend`, {}, beta)).status).toBe(202);
    expect((await api.post(`/v1/webhook-deliveries/${ids[2]}/resend`, {}, beta)).status).toBe(202);
  });
});
