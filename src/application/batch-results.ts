import type { BatchDocument } from '../ports/batch-store.js';
import type { PersonStatus, StoredRecord } from '../ports/record-store.js';
import type { Application } from './application.js';
import { findBatch } from './batches.js';
import { csvLine } from './csv.js';
import type { ExportChunk, ExportFormat } from './export-records.js';
import { inLanes } from './in-lanes.js';
import { recordColumns } from './record-columns.js';
import { viewBatchDocument } from './views/batch-view.js';
import { viewRecord } from './views/record-view.js';

/** Read and written at once. */
const pageLimit = 200;
const readsAtOnce = 5;

interface Result {
  readonly document: BatchDocument;
  /** What is verified of the document today, by whichever run or person; null: nothing. */
  readonly record: StoredRecord | null;
  /** What a person made of it; null: nothing. */
  readonly humanStatus: PersonStatus | null;
}

/**
 * Every document of a batch with how it ended and its verified record, in the order in which they were handed in, as text
 * in parts: only one is held at a time. `records` of a part are its documents.
 * Throws ApplicationError `not_found` with the first part; StoreUnavailable at any time.
 */
export async function* exportBatch(
  app: Pick<Application, 'store' | 'catalogue'>,
  name: string,
  format: ExportFormat,
): AsyncGenerator<ExportChunk> {
  const { id, specId } = await findBatch(app, name);
  const columns = recordColumns(
    app.catalogue.list().filter((spec) => spec.id === specId),
    null,
  );
  const line = ({ document, record, humanStatus }: Result): string => {
    if (format === 'jsonl') {
      const view = record === null ? null : viewRecord(record, app.catalogue);
      return `${JSON.stringify({ ...viewBatchDocument(document), humanStatus, record: view })}\n`;
    }
    const [cells] =
      record === null ? [columns.titles.map(() => '')] : columns.rowsOf(record, document.fileName);
    return csvLine([...facts.map(([, cell]) => cell(document)), humanStatus ?? '', ...(cells ?? [])]);
  };
  let header =
    format === 'csv'
      ? csvLine([...facts.map(([title]) => title), 'batch_human_status', ...columns.titles])
      : '';
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await app.store.batches.documents(
      id,
      {},
      { limit: pageLimit, ...(cursor === undefined ? {} : { cursor }) },
    );
    const settled = await app.store.records.settledByPerson(page.items.map(({ key }) => key));
    const results = await inLanes(page.items, readsAtOnce, async (document): Promise<Result> => {
      const isVerified = document.outcome === 'verified';
      // A person may have made a record of what no run verified, too.
      const record =
        isVerified || document.outcome === 'unverified'
          ? await app.store.records.current(document.subject)
          : null;
      return { document, record, humanStatus: settled.get(document.key) ?? null };
    });
    yield { text: header + results.map(line).join(''), records: results.length };
    header = '';
    cursor = page.nextCursor;
  }
}

/** What a batch knows of a document, in columns that no field of a record is called like. */
const facts: readonly (readonly [title: string, cell: (document: BatchDocument) => string])[] = [
  ['batch_item', ({ item }) => item],
  ['batch_file_name', ({ fileName }) => fileName ?? ''],
  ['batch_state', (document) => viewBatchDocument(document).state],
  ['batch_part', ({ part }) => part ?? ''],
  ['batch_outcome', ({ outcome }) => outcome ?? ''],
  ['batch_reason', ({ reason }) => reason ?? ''],
  ['batch_extraction_id', ({ key }) => key],
  ['batch_attempts', ({ attempts }) => String(attempts)],
  ['batch_tokens', ({ tokens }) => String(tokens)],
];
