import { readFileSync } from 'node:fs';
import { StackError } from './stack-error.js';

/** A user of this machine under whom a process can run. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Accounts that exist for this purpose on common systems, best first; none is created. */
const unprivileged = ['postgres', 'nobody'];

/**
 * The account Postgres must run under, since it refuses root: undefined (our own) for a normal user, an unprivileged
 * one from the passwd file for root.
 *
 * @throws StackError when root has no such account to offer.
 */
export function postgresAccount(
  ownUid = process.getuid?.(),
  readPasswd = () => readFileSync('/etc/passwd', 'utf8'),
): Account | undefined {
  if (ownUid !== 0) return undefined;
  const accounts = parsePasswd(readPasswd());
  for (const name of unprivileged) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid !== 0);
    if (account !== undefined) return account;
  }
  throw new StackError(
    'Postgres refuses to run as root and this machine has neither a "postgres" nor a "nobody" account. ' +
      'Run Endstop as a normal user, add such an account, or set DATABASE_URL to a Postgres that runs already.',
  );
}

function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (name === undefined || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}
