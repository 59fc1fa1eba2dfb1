import { isIP } from 'node:net';
import { isPublicAddress } from '../domain/public-address.js';
import { ApplicationError } from './application-error.js';

/** As long as anything on the way is sure to take. */
const longestUrl = 2_048;

/**
 * A URL that deliveries may go to, in its one usual spelling. Host names are not looked up here: every delivery does
 * that by itself. Throws ApplicationError `invalid_request` about the field at `pointer`, without repeating the URL:
 * it may hold a secret.
 */
export function readWebhookUrl(text: string, allowPrivate: boolean, pointer: string): string {
  const refuse = (detail: string) =>
    new ApplicationError('invalid_request', `The webhook URL ${detail}.`, [
      { pointer, detail: `The URL ${detail}.` },
    ]);
  if (!URL.canParse(text)) throw refuse('is no URL; write it whole, as in https://example.com/hook');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw refuse('must begin with https://; http:// is for ENDSTOP_WEBHOOK_ALLOW_PRIVATE=1');
  if (url.username !== '' || url.password !== '')
    throw refuse('must not hold a user or a password; requests are signed instead');
  if (url.hash !== '') throw refuse('must not have a "#" part: it is never sent');
  if (url.href.length > longestUrl) throw refuse(`is longer than ${longestUrl} characters`);
  if (!allowPrivate && isPrivate(url.hostname))
    throw refuse('leads to a private network, which only ENDSTOP_WEBHOOK_ALLOW_PRIVATE=1 allows');
  return url.href;
}

/** What can be told from the name alone. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return /(^|\.)(localhost|local|internal)\.?$/.test(host);
}
