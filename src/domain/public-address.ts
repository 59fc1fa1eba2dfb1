/** Addresses that share their leading bits. `shift` is how many bits follow those. */
interface Block {
  readonly lead: bigint;
  readonly shift: bigint;
}

/**
 * IPv4 blocks that do not lead to a host of the public internet: IANA's special-purpose registry (RFC 6890 and its
 * successors) without those that it marks as globally reachable, and one address that a cloud took out of its public
 * range for its own services.
 */
const closedV4: readonly Block[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT; also one cloud's metadata
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // one cloud's host services
  '169.254.0.0/16', // link-local; most clouds' metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; also one cloud's metadata
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
].map((text) => block(text, readV4, 32));

/** All that is given out for hosts, and the parts of it that are not hosts. */
const openV6 = block('2000::/3', readV6, 128);
const closedV6: readonly Block[] = [
  '2001::/23', // protocol assignments, tunnels among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: the IPv4 address in it may be any
  '3fff::/20', // documentation
].map((text) => block(text, readV6, 128));

/** IPv6 forms of an IPv4 address, which is then the one that counts: mapped, and translated by NAT64 (RFC 6052). */
const carriers: readonly Block[] = ['::ffff:0:0/96', '64:ff9b::/96'].map((text) => block(text, readV6, 128));

/**
 * Whether this IP address, as text, belongs to a host of the public internet. What is no address, has a zone, or is
 * not known to be public is not: a block that becomes special later must not open a door.
 */
export function isPublicAddress(address: string): boolean {
  const four = readV4(address);
  if (four !== null) return isPublicV4(four);
  const six = readV6(address);
  if (six === null) return false;
  if (isIn(carriers, six)) return isPublicV4(six & 0xffff_ffffn);
  return isIn([openV6], six) && !isIn(closedV6, six);
}

function isPublicV4(address: bigint): boolean {
  return !isIn(closedV4, address);
}

function isIn(blocks: readonly Block[], address: bigint): boolean {
  return blocks.some(({ lead, shift }) => address >> shift === lead);
}

/** Null unless it is four decimal numbers below 256, written in the one usual way. */
function readV4(text: string): bigint | null {
  if (!/^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/.test(text)) return null;
  const octets = text.split('.').map(BigInt);
  return octets.every((octet) => octet < 256n) ? joined(octets, 8n) : null;
}

/** Null for what is no IPv6 address. */
function readV6(text: string): bigint | null {
  const dotted = /[^:]+$/.exec(text)?.[0] ?? '';
  const four = readV4(dotted);
  const hex = four === null ? text : text.slice(0, -dotted.length) + hexGroups(four);
  const halves = hex.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const written = halves.flat();
  const isWhole = halves.length === 1 ? written.length === 8 : halves.length === 2 && written.length < 8;
  if (!isWhole || !written.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  const zeros = Array<string>(8 - written.length).fill('0');
  const groups = halves.flatMap((half, index) => (index === 0 ? half : [...zeros, ...half]));
  return joined(
    groups.map((group) => BigInt(`0x${group}`)),
    16n,
  );
}

function hexGroups(four: bigint): string {
  return `${(four >> 16n).toString(16)}:${(four & 0xffffn).toString(16)}`;
}

function joined(parts: readonly bigint[], width: bigint): bigint {
  return parts.reduce((whole, part) => (whole << width) | part, 0n);
}

function block(text: string, read: (first: string) => bigint | null, width: number): Block {
  const [first, bits] = text.split('/');
  const shift = BigInt(width - Number(bits));
  // A block that is mistyped above is null here, which no shift takes: this file would not load.
  return { lead: (read(String(first)) as bigint) >> shift, shift };
}
