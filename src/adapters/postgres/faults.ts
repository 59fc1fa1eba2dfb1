import { StoreUnavailable } from '../../ports/store.js';

/** Where the database is, in words that may be shown: host and port, never user or password. */
export interface DatabasePlace {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
}

/**
 * Postgres refused a statement for a reason that is not its availability: a bug here, or a value no column takes.
 * Names the code and the constraint; Postgres' own message and detail quote stored values and are left out.
 */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused';
  /** SQLSTATE, e.g. 40P01 for a deadlock. */
  readonly code: string;

  constructor(code: string, constraint: string | undefined) {
    super(`Postgres refused a statement (${constraint === undefined ? code : `${code}, ${constraint}`}).`);
    this.code = code;
  }
}

/** What the `pg` package throws, as far as we read it. Only an answer of the server has a severity. */
interface DriverError {
  readonly code?: string;
  readonly severity?: string;
  readonly constraint?: string;
  readonly message: string;
}

/** Turns whatever connecting or querying threw into StoreUnavailable, or into StatementRefused. */
export function readFault(thrown: unknown, place: DatabasePlace): Error {
  if (!(thrown instanceof Error)) return new StoreUnavailable(`Postgres at ${at(place)} failed.`);
  if (thrown instanceof StoreUnavailable || thrown instanceof StatementRefused) return thrown;
  const error: DriverError = thrown;
  const says = unavailable(error, place);
  if (says !== null) return new StoreUnavailable(says);
  if (error.severity !== undefined) return new StatementRefused(error.code ?? 'no code', error.constraint);
  // Not from the server and not from the network: our own error (a full stack trace is what we want).
  return thrown;
}

/** Answers after which the server hangs up: network faults, shutdowns, sessions that idled too long. */
const endsSession = /^(08|57P|25P0[34])/;

/** True when the connection it came from is of no more use. */
export function breaksConnection(thrown: unknown): boolean {
  const { severity, code } = thrown as DriverError;
  return severity === undefined || endsSession.test(code ?? '');
}

function at(place: DatabasePlace): string {
  return place.host.startsWith('/') ? place.host : `${place.host}:${place.port}`;
}

function unavailable(error: DriverError, place: DatabasePlace): string | null {
  const server = `Postgres at ${at(place)}`;
  switch (error.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'EACCES':
      return `${server} refused the connection: start it, or correct DATABASE_URL.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host ${place.host} of DATABASE_URL is not known to this machine's name service: correct it.`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${server} cannot be reached over the network: check DATABASE_URL and the network.`;
    case 'ECONNRESET':
    case 'EPIPE':
      return `${server} dropped the connection.`;
    case '28P01':
      return `${server} rejected the password of user "${place.user}": correct DATABASE_URL.`;
    case '28000':
      return `${server} lets user "${place.user}" not in: correct DATABASE_URL or its pg_hba.conf.`;
    case '3D000':
      return `${server} has no database "${place.database}": create it, or correct DATABASE_URL.`;
    case '42P01':
    case '42703':
    case '3F000':
      return notMigrated(place);
    case '42501':
      return `${server} denies user "${place.user}" access to the tables: grant it, or use their owner.`;
    case '53300':
      return `${server} has no connection left: raise its max_connections or run fewer processes.`;
    case '25006':
      return `${server} is read-only, as a standby is: point DATABASE_URL at the primary.`;
    case '57014':
      return `${server} took too long to answer a statement.`;
    case '55P03':
      return `${server} took too long to give out a lock.`;
    case '57P01':
    case '57P02':
    case '57P03':
      return `${server} is starting or shutting down: try again shortly.`;
    default:
      return byKind(error, server);
  }
}

export function notMigrated(place: DatabasePlace): string {
  return `The database "${place.database}" at ${at(place)} does not have Endstop's tables yet: run "endstop db migrate".`;
}

function byKind(error: DriverError, server: string): string | null {
  if (endsSession.test(error.code ?? '')) return `${server} dropped the connection.`;
  if (error.code?.startsWith('53')) return `${server} is out of memory, disk space or another resource.`;
  if (error.code?.startsWith('58') || error.code?.startsWith('XX'))
    return `${server} reports a fault of its own: see its log.`;
  // The driver reports these without a code.
  if (/timeout/i.test(error.message)) return `${server} did not answer in time.`;
  if (/connection terminated|not queryable|connection ended|client was closed/i.test(error.message))
    return `${server} dropped the connection.`;
  if (/SSL|certificate/i.test(error.message))
    return `${server} and DATABASE_URL disagree about encryption: check its sslmode.`;
  if (/client password/i.test(error.message))
    return `${server} asks for a password: put it into DATABASE_URL.`;
  return null;
}
