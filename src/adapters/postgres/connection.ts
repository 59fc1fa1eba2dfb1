import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { StoreUnavailable } from '../../ports/store.js';
import { breaksConnection, type DatabasePlace, readFault } from './faults.js';
import { withoutNul } from './json.js';
import { statementNames } from './statement-names.js';
import type { Tables } from './tables.js';

export interface ConnectionOptions {
  readonly databaseUrl: string;
  /** Connections this process may hold; default 10. */
  readonly poolSize?: number;
  /** How long to wait for a connection, free or new; default 5 s. */
  readonly connectTimeoutMs?: number;
  /** The server ends a statement after this long; default 15 s. */
  readonly statementTimeoutMs?: number;
}

export interface Database {
  readonly db: Kysely<Tables>;
  readonly place: DatabasePlace;
}

/**
 * A pool of connections that opens none before the first query. Everything thrown through it is StoreUnavailable
 * or StatementRefused, and NUL, which Postgres stores in no text, leaves as U+FFFD.
 *
 * @throws StoreUnavailable when the address is none.
 */
export function openDatabase(options: ConnectionOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const place = readPlace(options.databaseUrl);
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.poolSize ?? 10,
    application_name: 'endstop',
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // The server's limit comes first; this one is for a server that went silent.
    query_timeout: statementTimeoutMs + 5_000,
    keepAlive: true,
    types: { getTypeParser },
  });
  // A connection may break while it is idle, or in a transaction's pause between two statements. The next use finds
  // out and says so; without these listeners Node would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded(pool, place) }) }), place };
}

/** Instants, counts and ids are far below 2^53; money is numeric and stays text. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: unknown) =>
  oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format as 'text');

function readPlace(databaseUrl: string): DatabasePlace {
  try {
    if (!/^postgres(ql)?:$/.test(new URL(databaseUrl).protocol)) throw new TypeError('another protocol');
    const { host, port, database, user } = new pg.Client({ connectionString: databaseUrl });
    return { host, port, database: database ?? user ?? '', user: user ?? '' };
  } catch {
    // What was thrown quotes the address, and with it the password.
    throw new StoreUnavailable(
      'DATABASE_URL is not a Postgres address (postgres://user:password@host:5432/database).',
    );
  }
}

const begins = /^(begin|start transaction)\b/;
const ends = /^(commit|rollback)$/;

function guarded(pool: pg.Pool, place: DatabasePlace): PostgresPool {
  const names = statementNames();
  return {
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw readFault(error, place);
      });
      let broken = false;
      let inTransaction = false;
      const run = async (sql: string, values: readonly unknown[]) => {
        if (begins.test(sql)) inTransaction = true;
        else if (ends.test(sql)) inTransaction = false;
        // A statement that is refused for its name would take its whole transaction with it.
        const name = inTransaction ? undefined : names.of(sql);
        if (name === undefined) return await client.query(sql, [...values]);
        try {
          return await client.query({ name, text: sql, values: [...values] });
        } catch (error) {
          if (!names.isOutdated(error)) throw error;
          // Other names of this connection are as outdated: the next user gets a new one.
          broken = true;
          return await client.query(sql, [...values]);
        }
      };
      const query = async (sql: string, parameters: readonly unknown[]) => {
        try {
          return await run(sql, parameters.map(withoutNul));
        } catch (error) {
          broken ||= breaksConnection(error);
          throw readFault(error, place);
        }
      };
      return {
        // Kysely also knows a cursor form, for streams, which nothing here uses.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(broken),
      };
    },
    end: () => pool.end(),
  };
}
