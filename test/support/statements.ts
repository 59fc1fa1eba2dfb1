import pg from 'pg';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One statement as some version of this program sent it, and what the database answered. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Json[];
  readonly rowCount: number | null;
  readonly rows: readonly { readonly [column: string]: Json }[];
}

/** Writes down every statement that goes through `pg` while `work` runs. */
export async function recordStatements(work: () => Promise<void>): Promise<readonly Statement[]> {
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  const statements: Statement[] = [];
  prototype.query = function recorded(this: unknown, ...args: unknown[]) {
    const [first, second] = args as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const answered = query.apply(this, args) as Promise<pg.QueryResult> | undefined;
    const text = typeof first === 'string' ? first : first.text;
    const values = (typeof first === 'string' ? second : first.values) ?? [];
    return answered?.then((result) => {
      statements.push({
        text,
        values: values.map(json),
        rowCount: result.rowCount,
        rows: result.rows.map((row) => json(row) as { [column: string]: Json }),
      });
      return result;
    });
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}

/** Names that the database makes up: they are others each time. */
const madeUp = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})$/;

/**
 * Sends recorded statements again, in their order, on one connection. What the database made up when they were recorded is
 * put in the place of what it makes up now. Answers with what is not as it was: other numbers of rows, columns that are gone.
 */
export async function replayStatements(
  databaseUrl: string,
  statements: readonly Statement[],
): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const now = new Map<string, string>();
  const faults: string[] = [];
  try {
    for (const { text, values, rowCount, rows } of statements) {
      const sent = values.map((value) => unjson(value, now));
      const result = await client.query(text, sent as unknown[]).catch((error: Error) => error);
      if (result instanceof Error) {
        faults.push(`${result.message}: ${text.slice(0, 200)}`);
        break;
      }
      if (result.rowCount !== rowCount)
        faults.push(`${result.rowCount} rows, not ${rowCount}: ${text.slice(0, 200)}`);
      for (const [place, row] of rows.entries()) {
        const found = json(result.rows[place] ?? {}) as { readonly [column: string]: Json };
        for (const [column, before] of Object.entries(row)) {
          if (!(column in found)) faults.push(`no column ${column}: ${text.slice(0, 200)}`);
          else if (typeof before === 'string' && madeUp.test(before)) now.set(before, String(found[column]));
        }
      }
    }
  } finally {
    await client.end();
  }
  return faults;
}

function json(value: unknown): Json {
  if (Buffer.isBuffer(value)) return { hex: value.toString('hex') };
  if (value instanceof Date) return { date: value.toISOString() };
  return value === undefined ? null : (JSON.parse(JSON.stringify(value, hexed)) as Json);
}

function hexed(this: unknown, key: string, value: unknown): unknown {
  const own = (this as Record<string, unknown>)[key];
  return Buffer.isBuffer(own) ? { hex: own.toString('hex') } : value;
}

function unjson(value: Json, now: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return now.get(value) ?? value;
  if (Array.isArray(value)) return value.map((inner) => unjson(inner, now));
  if (typeof value === 'object' && value !== null) {
    if ('hex' in value) return Buffer.from(String(value['hex']), 'hex');
    if ('date' in value) return String(value['date']);
    return JSON.stringify(value);
  }
  return value;
}
