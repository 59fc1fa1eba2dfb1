import { randomInt } from 'node:crypto';
import { Argument, Command } from 'commander';
import { ApplicationError } from '../../application/application-error.js';
import { type Audit, drawAudit, judgeRecord, listAudits, readAudit } from '../../application/audits.js';
import { viewAudit, viewAuditRecord } from '../../application/views/audit-view.js';
import { instant } from '../../application/views/instant.js';
import { bounds, count, percent } from '../../plots/words.js';
import type { AuditItem, AuditVerdict } from '../../ports/audit-store.js';
import { offering } from '../completion/tree.js';
import type { CliContext } from '../context.js';
import { minute, shortId } from '../format.js';
import { all, cursor, json, limit, positive, wholeNumber } from '../options.js';
import { listed, type PageFlags, printPage } from '../page.js';
import { type ReportFlags, reportFilter, reportOptions } from '../report-options.js';
import { type ActorOption, actor, nameOf } from '../review-options.js';
import { withStore } from '../session.js';
import { facts, table } from '../table.js';
import { changing } from '../trail.js';

/** `endstop audit`: verified records drawn by chance, checked by people, counted in every yield. */
export function auditCommand(context: CliContext): Command {
  return new Command('audit')
    .description('find out how many verified records are wrong: draw some, check them, count')
    .addCommand(sampleCommand(context))
    .addCommand(verdictCommand(context))
    .addCommand(showCommand(context));
}

interface SampleOptions extends ReportFlags {
  readonly n: number;
  readonly seed?: number;
  readonly json?: true;
}

function sampleCommand(context: CliContext): Command {
  const command = new Command('sample')
    .description('draw verified records, each as likely as the other')
    .option('--n <n>', 'how many', positive, 120)
    .option(
      '--seed <n>',
      'the same seed, number and filters draw the same records (default: by chance)',
      wholeNumber,
    );
  for (const option of reportOptions()) command.addOption(option);
  return command.addOption(json()).action(async ({ n, seed, json, ...flags }: SampleOptions) => {
    await withStore(context, async (store) => {
      const desk = { store, now: () => context.now() };
      const request = { size: n, seed: seed ?? randomInt(2 ** 31), filter: reportFilter(flags) };
      const audit = await changing(
        context,
        store,
        { action: 'drawAudit' },
        () => drawAudit(desk, request),
        ({ id, filter }) => ({ subject: id, tenant: filter.tenant ?? null }),
      );
      const items = await store.audits.items(audit.id);
      printAudit(context, audit, items, json === true);
      if (audit.drawn < n) context.terminal.error(`Only ${audit.drawn} records fit these filters.\n`);
    });
  });
}

function showCommand(context: CliContext): Command {
  return new Command('show')
    .description('an audit and its records; without an id, all audits')
    .argument('[audit]', 'its id, or the first 8 or more digits')
    .addOption(limit(20))
    .addOption(cursor())
    .addOption(all())
    .addOption(json())
    .action(async (id: string | undefined, options: PageFlags & { readonly json?: true }) => {
      await withStore(context, async (store) => {
        const desk = { store, now: () => context.now() };
        if (id !== undefined) {
          const { audit, items } = await readAudit(desk, id);
          printAudit(context, audit, items, options.json === true);
          return;
        }
        const audits = await listed(options, (page) => listAudits(desk, page));
        if (options.json === true)
          printPage(context, { ...audits, items: audits.items.map(viewAudit) }, true, () => '');
        else printPage(context, audits, false, auditTable);
      });
    });
}

interface VerdictOptions extends ActorOption {
  readonly json?: true;
}

function verdictCommand(context: CliContext): Command {
  return new Command('verdict')
    .description('keep what a check of drawn records came to; the same again changes nothing')
    .addArgument(
      offering(
        new Argument('<verdicts...>', 'an extraction id and "right" or "wrong", again and again'),
        { kind: 'any' },
        { kind: 'words', words: ['right', 'wrong'] },
      ),
    )
    .addOption(actor())
    .addOption(json())
    .action(async (words: readonly string[], options: VerdictOptions) => {
      const verdicts = pairs(words);
      await withStore(context, async (store) => {
        const desk = { store, now: () => context.now() };
        const name = nameOf(options);
        for (const asked of verdicts) {
          const { extractionId, verdict, before } = await changing(
            context,
            store,
            { action: 'judgeRecord', subject: asked.id, actor: name },
            () => judgeRecord(desk, asked, name),
            ({ extractionId, tenant }) => ({ subject: extractionId, tenant }),
          );
          const was = before === null ? '' : before === verdict ? ' (as before)' : ` (was ${before})`;
          context.terminal.out(
            options.json === true
              ? `${JSON.stringify({ id: extractionId, verdict, before })}\n`
              : `${shortId(extractionId)}  ${verdict}${was}\n`,
          );
        }
      });
    });
}

function pairs(words: readonly string[]): readonly { readonly id: string; readonly verdict: AuditVerdict }[] {
  return Array.from({ length: Math.ceil(words.length / 2) }, (_, index) => {
    const [id = '', verdict = ''] = words.slice(2 * index, 2 * index + 2);
    if (/^[0-9A-Fa-f]{8,64}$/.test(id) && (verdict === 'right' || verdict === 'wrong'))
      return { id: id.toLowerCase(), verdict };
    throw new ApplicationError(
      'invalid_request',
      `"${[id, verdict].join(' ').trim()}" is no verdict: give an extraction id of at least 8 digits, then right or wrong.`,
    );
  });
}

function printAudit(context: CliContext, audit: Audit, items: readonly AuditItem[], asJson: boolean): void {
  const { terminal } = context;
  if (asJson) {
    terminal.out(`${JSON.stringify({ ...viewAudit(audit), records: items.map(viewAuditRecord) })}\n`);
    return;
  }
  const waiting = audit.drawn - audit.right - audit.wrong;
  terminal.out(
    facts([
      ['audit', audit.id],
      [
        'drawn',
        `${count(audit.drawn)} of ${count(audit.size)}, seed ${audit.seed}, ${instant(audit.drawnAt)}`,
      ],
      [
        'verdicts',
        `${count(audit.right)} right, ${count(audit.wrong)} wrong, ${count(waiting)} to be checked`,
      ],
      ['defect rate', defectsOf(audit)],
    ]),
  );
  if (items.length > 0) terminal.out(`\n${itemTable(items)}`);
  if (waiting > 0)
    terminal.error(
      'Compare each with its document (endstop show ID), then: endstop audit verdict ID right|wrong\n',
    );
}

function defectsOf({ defectRate: { share, interval } }: Audit): string {
  return share === null ? 'unknown' : `${percent(share)} (${bounds(interval.low, interval.high)} at 95 %)`;
}

function itemTable(items: readonly AuditItem[]): string {
  return table<AuditItem>(
    [
      { title: 'ID', cell: ({ key }) => shortId(key) },
      { title: 'SPEC', cell: ({ specId }) => specId },
      { title: 'TENANT', cell: ({ tenant }) => tenant },
      { title: 'ATTEMPT', align: 'right', cell: ({ attempt }) => String(attempt) },
      { title: 'FILE', most: 40, cell: ({ fileName }) => fileName ?? '-' },
      { title: 'VERDICT', cell: ({ verdict }) => verdict ?? '' },
      { title: 'BY', most: 20, cell: (item) => item.actor ?? '' },
    ],
    items,
  );
}

function auditTable(rows: readonly Audit[]): string {
  return table<Audit>(
    [
      { title: 'AUDIT', cell: ({ id }) => id },
      { title: 'DRAWN', cell: ({ drawnAt }) => minute(instant(drawnAt)) },
      { title: 'RECORDS', align: 'right', cell: ({ drawn }) => count(drawn) },
      { title: 'RIGHT', align: 'right', cell: (audit) => count(audit.right) },
      { title: 'WRONG', align: 'right', cell: ({ wrong }) => count(wrong) },
      { title: 'DEFECT RATE', cell: defectsOf },
    ],
    rows,
  );
}
