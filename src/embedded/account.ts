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
 * The account Postgres must run under, since it refuses root: undefined (our own) for a normal user, for root the one
 * that owns the data already, else an unprivileged one from the passwd file.
 *
 * @param dataOwner uid of the data folder's owner, when there is data.
 * @throws StackError when root has no such account to offer.
 */
export function postgresAccount(
  dataOwner: number | undefined,
  ownUid = process.getuid?.(),
  readPasswd = () => readFileSync('/etc/passwd', 'utf8'),
): Account | undefined {
  if (ownUid !== 0) return undefined;
  const accounts = parsePasswd(readPasswd()).filter(({ uid }) => uid !== 0);
  const account =
    accounts.find(({ uid }) => uid === dataOwner) ??
    unprivileged.flatMap((name) => accounts.filter((candidate) => candidate.name === name))[0];
  if (account !== undefined) return account;
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
