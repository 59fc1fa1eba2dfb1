/**
 * Names for statements that come again and again, so that the server parses and plans each once a connection: that is
 * half of what the statements of a clean document cost it.
 */
export interface StatementNames {
  /** The name to send a statement under; undefined: under none. */
  of(sql: string): string | undefined;
  /**
   * True when a statement was refused for its name alone, before any of it was done: its result has other columns since
   * a migration, or a pooler between here and the server handed out another session, which ends the use of names.
   */
  isOutdated(thrown: unknown): boolean;
}

/** Once is no habit: what filters make up is mostly asked once. */
const habit = 5;
/** Each keeps a plan in the memory of every connection. */
const mostNames = 100;
/** Statements that are counted; those beyond stay nameless. */
const mostCounted = 1_000;

export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let isUsable = true;
  return {
    of(sql) {
      if (!isUsable) return undefined;
      const known = names.get(sql);
      if (known !== undefined || names.size >= mostNames) return known;
      const count = (counts.get(sql) ?? 0) + 1;
      if (counts.has(sql) || counts.size < mostCounted) counts.set(sql, count);
      if (count < habit) return undefined;
      const name = `endstop_${names.size}`;
      names.set(sql, name);
      counts.delete(sql);
      return name;
    },
    isOutdated(thrown) {
      const { code, routine } = thrown as { readonly code?: string; readonly routine?: string };
      if (code === '0A000') return routine === 'RevalidateCachedQuery';
      if (code !== '26000' && code !== '42P05') return false;
      isUsable = false;
      return true;
    },
  };
}
