/** One choice of a filter row; the empty one means any. */
export function Choice({
  name,
  label,
  value,
  options,
  any = 'all',
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (string | readonly [value: string, word: string])[];
  /** Null: one of the options always holds. */
  readonly any?: string | null;
}) {
  return (
    <label>
      {label}
      <select name={name}>
        {any === null ? null : <option value="">{any}</option>}
        {options.map((option) => {
          const [held, word] = typeof option === 'string' ? [option, option] : option;
          return (
            <option value={held} selected={held === value}>
              {word}
            </option>
          );
        })}
      </select>
    </label>
  );
}

export function Words({
  name,
  label,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}) {
  return (
    <label>
      {label}
      <input name={name} value={value ?? ''} placeholder="all" />
    </label>
  );
}

/** Whether the page is told of news, and how old its figures are. */
export function Live({ at }: { readonly at: number }) {
  return (
    <span class="live" data-live-note data-state="off" data-at={new Date(at).toISOString()} role="status">
      <svg class="sign t-accent" viewBox="0 0 14 14" aria-hidden="true">
        <path d="M7 1.2a5.8 5.8 0 1 0 5.8 5.8" fill="none" stroke="currentColor" stroke-width="1.6" />
        <circle cx="7" cy="7" r="1.8" fill="currentColor" />
      </svg>
      <span data-live-text>as of {new Date(at).toISOString().slice(11, 19)} UTC</span>
    </span>
  );
}
