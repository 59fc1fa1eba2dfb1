/** Rows of a CSV text by the grammar of RFC 4180 alone; throws where the text does not follow it. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let at = 0;
  while (at < text.length) {
    const row: string[] = [];
    for (;;) {
      const cell = text[at] === '"' ? quoted() : plain();
      row.push(cell);
      if (text[at] !== ',') break;
      at += 1;
    }
    if (text.slice(at, at + 2) !== '\r\n') throw new Error(`No line end at ${at}.`);
    at += 2;
    rows.push(row);
  }
  return rows;

  function plain(): string {
    const found = /^[^",\r\n]*/.exec(text.slice(at, at + 100_000))?.[0] ?? '';
    at += found.length;
    return found;
  }

  function quoted(): string {
    let value = '';
    at += 1;
    for (;;) {
      const end = text.indexOf('"', at);
      if (end < 0) throw new Error('A quote is left open.');
      value += text.slice(at, end);
      at = end + 1;
      if (text[at] !== '"') return value;
      value += '"';
      at += 1;
    }
  }
}

/** The rows under their titles. */
export function csvObjects(text: string): Record<string, string>[] {
  const [titles = [], ...rows] = parseCsv(text);
  return rows.map((row) => {
    if (row.length !== titles.length) throw new Error(`A row has ${row.length} cells, not ${titles.length}.`);
    return Object.fromEntries(row.map((cell, index) => [titles[index] ?? '', cell]));
  });
}
