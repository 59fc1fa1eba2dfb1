import type { Command } from 'commander';

/** Examples of commands, of every one that takes arguments, by its name behind the program's; `--help` shows them. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  extract: [
    'samples/files/claim-bhd.pdf --spec claim',
    '--pages page-1.png page-2.png --spec claim',
    'scans/*.pdf --spec invoice --json',
  ],
  batch: ['scans/ --spec claim --tokens 30M --deadline 6h', 'march.jsonl --spec invoice --no-wait'],
  'batch show': ['march-claims'],
  'batch cancel': ['march-claims --now'],
  'batch results': ['march-claims --format csv --out march.csv'],
  show: ['3f9a1c20'],
  attempts: ['3f9a1c20 --json'],
  list: ['--spec claim --outcome unverified', '--reason no_progress --all --json'],
  cancel: ['3f9a1c20'],
  'dead-letters': ['--groups', '3f9a1c20'],
  redrive: ['3f9a1c20', '--reason provider_unavailable', '--failed-under v7 --with v8 --dry-run'],
  'redrive status': ['8c41d0aa72e3'],
  'redrive cancel': ['8c41d0aa72e3'],
  'tenants limit': ['acme --most-open 200 --per-second 5'],
  'tenants unlimit': ['acme'],
  'review next': ['', '--spec claim --kind sample'],
  'review show': ['3f9a1c20'],
  'review claim': ['3f9a1c20', "3f9a1c20 --steal 'on holiday'"],
  'review extend': ['3f9a1c20'],
  'review release': ['3f9a1c20'],
  'review check': ['3f9a1c20 --values corrected.json'],
  'review draft': ['3f9a1c20 --values corrected.json'],
  'review decide': [
    '3f9a1c20 correct --values corrected.json',
    "3f9a1c20 approve --override total-equals-sum --note 'the printed total is rounded'",
    "3f9a1c20 reject --note 'not a claim'",
  ],
  'spec check': ['claim', 'receipt.ts --truth receipts'],
  'spec eval': ['claim', 'receipt --truth receipts --with 2'],
  'spec explain': ['3f9a1c20', 'case.json --spec claim'],
  'webhooks add': ['https://example.com/hook', '--per-extraction'],
  'webhooks rotate': ['5d2e9b41 --overlap 0'],
  'webhooks remove': ['5d2e9b41'],
  'webhooks resend': ['0b7c63fe'],
  'keys create': ['scanner --tenant acme --role submit,read'],
  'keys revoke': ['scanner'],
  report: ['', 'yield --spec claim --json', '--html report.html'],
  plan: [
    '--scenario claims',
    '--pass 72,91,95 --seconds 8,9,11 --peak 5 --slots 60,30',
    '--report --spec claim --most-p99 15',
  ],
  'audit sample': ['--spec claim', '--n 40 --seed 7 --since 2026-03-01'],
  'audit verdict': ['3f9a1c20 right 77b0e5d2 wrong'],
  'audit show': ['', '5d2e9b41'],
  simulate: ['bad-deploy --seed 7', 'my-world.json --html before-and-after.html --cap 2'],
  'records export': ['--out records.jsonl', '--format csv --flatten lines --out lines.csv --spec invoice'],
  trail: ['--actor kim --since 2026-03-01', '--action cancelExtraction'],
  doctor: ['', '--repair'],
  worker: ['', '--lanes repair --repair-slots 8'],
  erase: ['3f9a1c20 --yes'],
  views: ['', 'stuck --limit 10'],
  help: ['review decide', 'words'],
  completion: ['bash', 'zsh', 'fish'],
  'deployment promote': ['build-42 --percent 10', 'build-42'],
  standin: ['-- --help'],
};

/** Shows its examples below a command's help; nothing for those that have none. */
export function addExamples(command: Command): void {
  const path = pathOf(command);
  const lines = examples[path.slice(1).join(' ')];
  if (lines === undefined) return;
  const shown = lines.map((line) => `  ${[...path, line].join(' ').trimEnd()}\n`).join('');
  command.addHelpText('after', `\nExamples:\n${shown}`);
}

/** The names from the program's on. */
export function pathOf(command: Command): readonly string[] {
  return [...(command.parent === null ? [] : pathOf(command.parent)), command.name()];
}
