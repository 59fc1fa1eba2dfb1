import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/domain/public-address.js';

describe('a host of the public internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2001:200::1',
    '2a00:1450:4001:82a::200e',
    '2003::1',
    '3ffe::1',
    '3fff:1000::1',
    '::ffff:8.8.8.8',
    '::FFFF:808:808',
    '64:ff9b::8.8.8.8',
    '2606:4700::8.8.8.8',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('no host of the public internet', () => {
  it.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.255.255.255'],
    ['private, 24 bits', '10.0.0.0'],
    ['private, 24 bits', '10.255.255.255'],
    ['carrier-grade NAT', '100.64.0.0'],
    ['carrier-grade NAT', '100.127.255.255'],
    ["one cloud's metadata", '100.100.100.200'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.255'],
    ["one cloud's host services", '168.63.129.16'],
    ['link-local', '169.254.0.0'],
    ["most clouds' metadata", '169.254.169.254'],
    ['private, 20 bits', '172.16.0.0'],
    ['private, 20 bits', '172.31.255.255'],
    ['protocol assignments', '192.0.0.1'],
    ["one cloud's metadata", '192.0.0.192'],
    ['documentation', '192.0.2.1'],
    ['6to4 relays', '192.88.99.1'],
    ['private, 16 bits', '192.168.0.0'],
    ['private, 16 bits', '192.168.255.255'],
    ['benchmarks', '198.18.0.0'],
    ['benchmarks', '198.19.255.255'],
    ['documentation', '198.51.100.7'],
    ['documentation', '203.0.113.7'],
    ['multicast', '224.0.0.1'],
    ['multicast', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback in full', '0:0:0:0:0:0:0:1'],
    ['v4-compatible', '::8.8.8.8'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped metadata', '::ffff:a9fe:a9fe'],
    ['mapped private in full', '0:0:0:0:0:ffff:c0a8:0001'],
    ['translated loopback', '64:ff9b::127.0.0.1'],
    ['translated private', '64:ff9b::a00:1'],
    ['local translation', '64:ff9b:1::808:808'],
    ['discard', '100::1'],
    ['tunnel', '2001:0:4136:e378::1'],
    ['protocol assignments', '2001:1ff:ffff::1'],
    ['documentation', '2001:db8::1'],
    ['6to4', '2002:7f00:1::1'],
    ['documentation', '3fff:fff::1'],
    ['segment routing', '5f00::1'],
    ['unique local', 'fc00::1'],
    ["one cloud's metadata", 'fd00:ec2::254'],
    ["one cloud's metadata", 'fd20:ce::254'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['not given out', '4000::1'],
  ])('is %s: %s', (_, address) => {
    expect(isIP(address)).toBeGreaterThan(0);
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    '',
    'localhost',
    'example.com',
    '8.8.8',
    '8.8.8.8.8',
    '8.8.8.256',
    '08.8.8.8',
    '0x8.8.8.8',
    '134744072',
    ' 8.8.8.8',
    '8.8.8.8\n',
    ':',
    ':::',
    '2606',
    '2606:4700',
    '2606::4700::1',
    '2606:4700:0:0:0:0:0:0:1',
    '2606:0:0:0::0:0:0:1',
    '2606:47000::1',
    '2606:g::1',
    '32.1.2.3::1',
    '2606::8.8.8.8:1',
    '[2606:4700::1]',
    '2606:4700::1%1',
    '2606:4700::1/64',
  ])('is what is no address: "%s"', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

describe('any IPv4 address', () => {
  const closed = new BlockList();
  for (const [net, bits] of [
    ['0.0.0.0', 8],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
    ['168.63.129.16', 32],
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.0.2.0', 24],
    ['192.88.99.0', 24],
    ['192.168.0.0', 16],
    ['198.18.0.0', 15],
    ['198.51.100.0', 24],
    ['203.0.113.0', 24],
    ['224.0.0.0', 4],
    ['240.0.0.0', 4],
  ] as const)
    closed.addSubnet(net, bits, 'ipv4');

  it('is public exactly when Node puts it outside the closed blocks, and its IPv6 forms are as it is', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const expected = !closed.check(address, 'ipv4');
        expect(isPublicAddress(address)).toBe(expected);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('any text', () => {
  it('is read as an IPv6 address only when Node reads it as one', () => {
    const words = fc.oneof(fc.ipV6(), fc.string(), fc.stringMatching(/^[0-9a-f:.]{1,40}$/));
    fc.assert(
      fc.property(words, (text) => {
        if (isPublicAddress(text)) expect(isIP(text)).toBeGreaterThan(0);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is public, when it is an IPv6 address, only below 2000::/3 or as the form of an IPv4 address', () => {
    const open = new BlockList();
    open.addSubnet('2000::', 3, 'ipv6');
    open.addSubnet('64:ff9b::', 96, 'ipv6');
    open.addSubnet('::ffff:0:0', 96, 'ipv6');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (isPublicAddress(address)) expect(open.check(address, 'ipv6')).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
