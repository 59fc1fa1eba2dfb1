import { createWebhookSender } from '../../../src/adapters/webhooks/sender.js';

/** Sends one request and prints what became of it. A process of its own, since what Node trusts is settled at its start. */
const [url = '', address = '127.0.0.1'] = process.argv.slice(2);
const sender = createWebhookSender({ allowPrivate: true, resolve: async () => [{ address, family: 4 }] });
const answer = await sender.send({
  url,
  eventId: 'evt_1',
  body: '{}',
  secrets: ['whsec_c2VjcmV0'],
  at: Date.now(),
});
process.stdout.write(JSON.stringify(answer));
