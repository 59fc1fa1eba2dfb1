/** A paper before it is set: what stands on it, in order, for text and PDF alike. */
export interface Paper {
  readonly blocks: readonly Block[];
  /** Point size of PDF text; small print for wide tables. */
  readonly size?: number;
  readonly landscape?: boolean;
}

export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'gap' }
  /** "Label: value", one or two to a line. */
  | { readonly kind: 'pairs'; readonly rows: readonly (readonly Pair[])[] }
  /** Labels over their values. */
  | { readonly kind: 'grid'; readonly pairs: readonly Pair[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly Column[];
      readonly rows: readonly (readonly string[])[];
      readonly carry?: Carry;
    }
  /** Labels and values flush right, under a table. */
  | { readonly kind: 'totals'; readonly pairs: readonly Pair[] };

export type Pair = readonly [label: string, value: string];

export interface Column {
  readonly title: string;
  readonly right?: boolean;
  /** Share of the line in a PDF; shares of a table sum up to 1. */
  readonly share: number;
}

/** Breaks a table over pages with a sum carried forward. */
export interface Carry {
  readonly rowsOnFirstPage: number;
  /** The printed sum of the rows before the break. */
  readonly sum: string;
}
