/** Epoch milliseconds as the ISO 8601 text that leaves the process. */
export function instant(at: number): string {
  return new Date(at).toISOString();
}

export function instantOrNull(at: number | null): string | null {
  return at === null ? null : instant(at);
}
