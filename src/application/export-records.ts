import type { RecordFilter } from '../ports/record-store.js';
import type { Application } from './application.js';
import { ApplicationError } from './application-error.js';
import { csvLine } from './csv.js';
import { recordColumns } from './record-columns.js';
import { currentSpec } from './submit-extraction.js';
import { viewRecord } from './views/record-view.js';

export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Which records, and how they are written. */
export interface ExportRequest {
  /** Left out: verified ones only, the current record of each document. */
  readonly filter: RecordFilter;
  readonly format: ExportFormat;
  /** CSV only: a list whose items become rows of their own. Null: none. */
  readonly flatten: string | null;
}

/** A part of an export: text to write, and how many records it holds. */
export interface ExportChunk {
  readonly text: string;
  readonly records: number;
}

/**
 * Records as text, as they were at one instant, newest first, in chunks as they are read: however many there are, only
 * one chunk is held at a time. JSON lines are the records as the API shows them; CSV has one header, so it takes the
 * records of one spec.
 *
 * Throws ApplicationError (`invalid_request`, `unknown_spec`) before the first chunk; StoreUnavailable at any time.
 */
export function exportRecords(
  app: Pick<Application, 'store' | 'catalogue'>,
  { filter, format, flatten }: ExportRequest,
): AsyncIterable<ExportChunk> {
  return format === 'csv' ? csv(app, filter, flatten) : jsonLines(app, filter, flatten);
}

function jsonLines(
  app: Pick<Application, 'store' | 'catalogue'>,
  filter: RecordFilter,
  flatten: string | null,
): AsyncIterable<ExportChunk> {
  if (flatten !== null) throw invalid('Only CSV is flattened; a line of JSON holds its lists.');
  return (async function* () {
    for await (const records of app.store.records.stream(filter)) {
      const lines = records.map((record) => `${JSON.stringify(viewRecord(record, app.catalogue))}\n`);
      yield { text: lines.join(''), records: records.length };
    }
  })();
}

function csv(
  app: Pick<Application, 'store' | 'catalogue'>,
  filter: RecordFilter,
  flatten: string | null,
): AsyncIterable<ExportChunk> {
  const specId = filter.specId === undefined ? theOnlySpec(app) : currentSpec(app, filter.specId).id;
  const versions = app.catalogue.list().filter(({ id }) => id === specId);
  const columns = recordColumns(versions, flatten);
  return (async function* () {
    // With the first records, so that a store that does not answer is known before anything was written.
    let header = csvLine(columns.titles);
    for await (const records of app.store.records.stream({ ...filter, specId })) {
      const names = await app.store.extractions.fileNames(records.map(({ key }) => key));
      const lines = records.flatMap((record) =>
        columns.rowsOf(record, names.get(record.key) ?? null).map(csvLine),
      );
      yield { text: header + lines.join(''), records: records.length };
      header = '';
    }
    if (header !== '') yield { text: header, records: 0 };
  })();
}

function theOnlySpec({ catalogue }: Pick<Application, 'catalogue'>): string {
  const [id, ...others] = new Set(catalogue.list().map((spec) => spec.id));
  if (id !== undefined && others.length === 0) return id;
  throw invalid(
    `CSV has one header for all its rows: name one spec (${[id, ...others].join(', ')}), or ask for jsonl.`,
  );
}

function invalid(message: string): ApplicationError {
  return new ApplicationError('invalid_request', message);
}
