/** Asks unless the same was asked of the same owner a short while ago. What failed is asked again. */
export type Remembered<Owner extends object, Key, Value> = (
  owner: Owner,
  key: Key,
  now: number,
  ask: () => Promise<Value>,
) => Promise<Value>;

/**
 * Answers that may be as old as `forMs`, kept in this process for as long as their owner lives. Whoever asks while an
 * answer is on its way waits for it.
 */
export function remembered<Owner extends object, Key, Value>(forMs: number): Remembered<Owner, Key, Value> {
  const owners = new WeakMap<Owner, Map<Key, { readonly at: number; readonly answer: Promise<Value> }>>();
  return (owner, key, now, ask) => {
    const answers = owners.get(owner) ?? new Map();
    owners.set(owner, answers);
    const known = answers.get(key);
    if (known !== undefined && now >= known.at && now - known.at < forMs) return known.answer;
    const asked = { at: now, answer: ask() };
    answers.set(key, asked);
    asked.answer.catch(() => {
      if (answers.get(key) === asked) answers.delete(key);
    });
    return asked.answer;
  };
}
