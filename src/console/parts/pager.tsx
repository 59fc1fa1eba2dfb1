import { withQuery } from '../query.js';

/** Onwards through a list, and back to where it begins. The address keeps what the list is narrowed to. */
export function Pager({
  of,
  path,
  words,
  nextCursor,
  isFirst,
  first = 'To the newest',
  next = 'Older',
}: {
  /** What is paged through, for whoever has it read aloud. */
  readonly of: string;
  readonly path: string;
  readonly words: Readonly<Record<string, string | undefined>>;
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly first?: string;
  readonly next?: string;
}) {
  if (isFirst && nextCursor === null) return null;
  return (
    <nav class="more" aria-label={`More ${of}`}>
      {isFirst ? <span /> : <a href={withQuery(path, words)}>{first}</a>}
      {nextCursor === null ? null : (
        <a href={withQuery(path, { ...words, cursor: nextCursor })} rel="next">
          {next}
        </a>
      )}
    </nav>
  );
}
