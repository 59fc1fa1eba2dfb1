/** Where a value stands in the document's text layer: page from 1, character offsets within that page's text. */
export interface Evidence {
  readonly pointer: string;
  readonly page: number;
  readonly start: number;
  readonly end: number;
  /** The text as printed. */
  readonly printed: string;
  /** Other values that the same print can mean: 03/04/2024 is a day in April or in March. Absent: there is one reading. */
  readonly otherReadings?: readonly string[];
}
