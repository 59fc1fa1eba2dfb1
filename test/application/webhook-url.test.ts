import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApplicationError } from '../../src/application/application-error.js';
import { readWebhookUrl } from '../../src/application/webhook-url.js';

function refusal(text: string, allowPrivate = false): string {
  try {
    return `read: ${readWebhookUrl(text, allowPrivate, '/url')}`;
  } catch (error) {
    if (!(error instanceof ApplicationError)) throw error;
    expect(error.code).toBe('invalid_request');
    expect(error.faults.map(({ pointer }) => pointer)).toEqual(['/url']);
    return error.message;
  }
}

describe('a webhook URL', () => {
  it.each([
    ['https://example.com/hook', 'https://example.com/hook'],
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['https://example.com:8443/a?key=1', 'https://example.com:8443/a?key=1'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700::1]/', 'https://[2606:4700::1]/'],
    ['https://localhost.example.com/', 'https://localhost.example.com/'],
  ])('%s is read as %s', (text, url) => {
    expect(refusal(text)).toBe(`read: ${url}`);
  });

  it.each([
    ['', /is no URL/],
    ['example.com/hook', /is no URL/],
    ['ftp://example.com/', /must begin with https/],
    ['file:///etc/passwd', /must begin with https/],
    ['http://example.com/', /must begin with https/],
    ['https://user@example.com/', /must not hold a user or a password/],
    ['https://user:hunter2@example.com/', /must not hold a user or a password/],
    ['https://example.com/#part', /must not have a "#" part/],
    [`https://example.com/${'a'.repeat(2_048)}`, /longer than 2048 characters/],
    ['https://localhost/', /private network/],
    ['https://api.LOCALHOST./', /private network/],
    ['https://printer.local/', /private network/],
    ['https://metadata.google.internal/', /private network/],
    ['https://127.1/', /private network/],
    ['https://0x7f000001/', /private network/],
    ['https://[::ffff:10.0.0.1]/', /private network/],
    ['https://169.254.169.254/', /private network/],
  ])('%s is refused in one sentence', (text, says) => {
    expect(refusal(text)).toMatch(says);
    expect(refusal(text)).toMatch(/^The webhook URL [^\n]+\.$/);
  });

  it('may be in a private network and without TLS where that is allowed, but nothing else', () => {
    expect(refusal('http://localhost:3000/hook', true)).toBe('read: http://localhost:3000/hook');
    expect(refusal('https://10.0.0.1/', true)).toBe('read: https://10.0.0.1/');
    expect(refusal('ftp://10.0.0.1/', true)).toMatch(/must begin with https/);
    expect(refusal('http://user:hunter2@10.0.0.1/', true)).toMatch(/must not hold/);
  });

  it('is never repeated when it is refused, since it may hold a secret', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.boolean(), (url, allowPrivate) => {
        const withSecret = url.replace('://', '://user:hunter2hunter2@');
        expect(refusal(withSecret, allowPrivate)).not.toContain('hunter2');
      }),
    );
  });

  it('that is read is read as itself again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, validSchemes: ['https'] }), (url) => {
        const first = refusal(url);
        if (first.startsWith('read: ')) expect(refusal(first.slice(6))).toBe(first);
      }),
    );
  });
});
