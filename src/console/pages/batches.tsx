import type { BatchView } from '../../application/views/batch-view.js';
import { type BatchState, batchStates } from '../../domain/batch.js';
import { BarKey, BurnBar, DocumentBar } from '../parts/burn.js';
import { Choice, Live, Words } from '../parts/filters.js';
import { count, percent } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { Pager } from '../parts/pager.js';
import { Time } from '../parts/time.js';

export interface BatchesShown {
  readonly query: { readonly spec?: string; readonly state?: BatchState; readonly tenant?: string };
  readonly rows: readonly BatchView[];
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
  readonly specs: readonly string[];
  readonly now: number;
  /** Then there is no tenant to choose. */
  readonly isOfOneTenant: boolean;
}

const path = '/console/batches';

export function batchesPage({ query, rows, nextCursor, isFirst, specs, now, isOfOneTenant }: BatchesShown) {
  const words: Readonly<Record<string, string | undefined>> = { ...query };
  return (
    <>
      <div class="head">
        <div>
          <h1>Batches</h1>
          <p>Many documents under one budget and one deadline, the newest first.</p>
        </div>
        <Live at={now} />
      </div>
      <form class="filters" action={path} data-filters aria-label="Filters">
        <Choice name="spec" label="Spec" value={query.spec} options={specs} />
        <Choice name="state" label="State" value={query.state} options={batchStates} />
        {isOfOneTenant ? null : <Words name="tenant" label="Tenant" value={query.tenant} />}
        <button type="submit" data-without-script>
          Filter
        </button>
      </form>
      <section id="batches" data-live>
        {rows.length === 0 ? (
          <p class="empty">
            {Object.keys(query).length > 0 ? (
              <>
                No batches under these filters. <a href={path}>Clear filters.</a>
              </>
            ) : (
              <>
                No batch was started yet: <code>npx endstop batch --help</code>
              </>
            )}
          </p>
        ) : (
          <div class="scroll">
            <table class="rows folds">
              <Heads
                columns={[
                  'Batch',
                  'State',
                  'Spec',
                  'Documents',
                  ['Verified of done', 'num'],
                  'Tokens against budget',
                  ['Cap', 'num'],
                  ['Started', 'num'],
                ]}
              />
              <tbody>
                {rows.map((row) => (
                  <Row row={row} />
                ))}
              </tbody>
            </table>
            <BarKey />
          </div>
        )}
        <Pager {...{ of: 'batches', path, words, nextCursor, isFirst }} />
      </section>
    </>
  );
}

function Row({ row }: { readonly row: BatchView }) {
  const done = row.verified + row.unverified + row.refused;
  return (
    <tr>
      <td class="full">
        <a href={`${path}/${encodeURIComponent(row.id)}`}>
          <bdi>{row.name ?? row.id}</bdi>
        </a>
      </td>
      <td class="second">{row.state}</td>
      <td class="nowrap">
        {row.spec} <span class="grey">{row.promptVersion}</span>
      </td>
      <td class="wide-cell full">
        {count(done)} of {count(row.documents)} done
        <DocumentBar batch={row} />
      </td>
      <td class="num" data-label="verified">
        {percent(done === 0 ? null : row.verified / done)}
      </td>
      <td class="wide-cell full">
        {row.budgetTokens === null ? (
          <span class="second">{count(row.tokens)}, no budget</span>
        ) : (
          `${count(row.tokens)} of ${count(row.budgetTokens)}`
        )}
        <BurnBar batch={row} />
      </td>
      <td class="num" data-label="cap">
        {row.attemptCap === 0 ? 'budget gone' : row.attemptCap}
      </td>
      <td class="num">
        <Time at={row.createdAt} />
      </td>
    </tr>
  );
}
