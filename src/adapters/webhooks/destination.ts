import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../../domain/public-address.js';
import type { WebhookFault } from '../../ports/webhook-sender.js';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** All addresses of a host name. Rejects when it has none. */
export type Resolver = (host: string) => Promise<readonly Address[]>;

export const systemResolver: Resolver = (host) => lookup(host, { all: true });

export type Destination =
  | { readonly kind: 'open'; readonly host: string; readonly addresses: readonly Address[] }
  | { readonly kind: 'closed'; readonly error: WebhookFault };

/**
 * Where a URL leads, found out once: whoever connects must use these addresses and not ask again, or a name that
 * answers differently the second time would lead elsewhere. One private address among them closes the destination.
 * Rejects as the resolver does.
 */
export async function findDestination(
  url: URL,
  allowPrivate: boolean,
  resolve: Resolver,
): Promise<Destination> {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return closed('insecure_url');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  if (addresses.length === 0) return closed('unknown_host');
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    return closed('private_address');
  return { kind: 'open', host, addresses };
}

function closed(error: WebhookFault): Destination {
  return { kind: 'closed', error };
}
