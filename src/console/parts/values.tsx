import type { StoredJson } from '../../ports/attempt-store.js';

/** A value as a person reads it; honest absences in italics, so that nobody takes them for words of the document. */
export function Value({ value }: { readonly value: StoredJson | undefined }) {
  if (value === undefined) return <i class="grey">missing</i>;
  if (value === null) return <i class="grey">null</i>;
  if (value === 'not_printed') return <i>not printed</i>;
  if (value === 'blank') return <i>blank</i>;
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>;
  return <bdi>{String(value)}</bdi>;
}
