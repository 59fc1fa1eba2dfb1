import { describe, expect, it } from 'vitest';
import { postgresAccount } from '../../src/embedded/account.js';

const passwd =
  (...lines: string[]) =>
  () =>
    ['root:x:0:0:root:/root:/bin/sh', ...lines, ''].join('\n');
const nobody = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin';
const postgres = 'postgres:x:101:102::/var/lib/postgresql:/bin/bash';

describe('the account Postgres runs under', () => {
  it('is our own for a normal user', () => {
    expect(postgresAccount(undefined, 1000, passwd(postgres, nobody))).toBeUndefined();
  });

  it('is postgres for root where there is one, in whatever order the file lists it', () => {
    expect(postgresAccount(undefined, 0, passwd(nobody, postgres))).toEqual({
      name: 'postgres',
      uid: 101,
      gid: 102,
    });
  });

  it('is nobody where there is no postgres', () => {
    expect(postgresAccount(undefined, 0, passwd(nobody))).toEqual({
      name: 'nobody',
      uid: 65_534,
      gid: 65_533,
    });
  });

  it('is the one that owns the data already, or Postgres would refuse them', () => {
    expect(postgresAccount(65_534, 0, passwd(postgres, nobody))?.name).toBe('nobody');
  });

  it('is chosen anew when the owner of the data is not an account any more', () => {
    expect(postgresAccount(4_711, 0, passwd(postgres, nobody))?.name).toBe('postgres');
  });

  it('is never another name of root, also when root owns the data', () => {
    expect(postgresAccount(0, 0, passwd('postgres:x:0:0::/:/bin/sh', nobody))?.name).toBe('nobody');
  });

  it('is asked for in one sentence when root has none to offer', () => {
    expect(() => postgresAccount(undefined, 0, passwd('damaged', ':::', 'x:y:z:0'))).toThrow(
      /refuses to run as root.*DATABASE_URL/,
    );
  });
});
