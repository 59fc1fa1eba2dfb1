import type { Block, Column, Paper } from './paper.js';

const SECOND_PAIR = 48;

/** Sets a paper as plain text: columns stand apart by three blanks at least. */
export function textOf(paper: Paper): string {
  return `${paper.blocks.flatMap(linesOf).join('\n').trimEnd()}\n`;
}

function linesOf(block: Block): string[] {
  switch (block.kind) {
    case 'heading':
      return [block.text, ''];
    case 'text':
      return [block.text];
    case 'gap':
      return [''];
    case 'pairs':
      return block.rows.map(([first, second]) => {
        const left = first ? `${first[0]}: ${first[1]}`.trimEnd() : '';
        return second ? `${left.padEnd(SECOND_PAIR - 3)}   ${second[0]}: ${second[1]}`.trimEnd() : left;
      });
    case 'grid': {
      const widths = block.pairs.map(([label, value]) => Math.max(label.length, value.length) + 4);
      const line = (index: 0 | 1): string =>
        block.pairs
          .map((pair, column) => pair[index].padEnd(widths[column] ?? 0))
          .join('')
          .trimEnd();
      return [line(0), line(1)];
    }
    case 'table':
      return tableLines(block);
    case 'totals':
      return block.pairs.map(([label, value]) => `${label.padEnd(44)}${value.padStart(18)}`);
  }
}

function tableLines(table: Extract<Block, { kind: 'table' }>): string[] {
  const cells = [table.columns.map((column) => column.title), ...table.rows];
  const widths = table.columns.map((_, index) => Math.max(...cells.map((row) => row[index]?.length ?? 0)));
  const set = (row: readonly string[]): string =>
    row
      .map((cell, index) => aligned(cell, widths[index] ?? 0, table.columns[index]))
      .join('   ')
      .trimEnd();
  const header = set(table.columns.map((column) => column.title));
  const rule = '-'.repeat(widths.reduce((total, width) => total + width + 3, -3));
  if (!table.carry) return [header, rule, ...table.rows.map(set), rule];
  const { rowsOnFirstPage, sum } = table.carry;
  const carried = (label: string): string => `${label.padEnd(rule.length - 18)}${sum.padStart(18)}`;
  return [
    header,
    rule,
    ...table.rows.slice(0, rowsOnFirstPage).map(set),
    carried('Carried forward'),
    '',
    'Page 1 of 2',
    '',
    header,
    rule,
    carried('Brought forward'),
    ...table.rows.slice(rowsOnFirstPage).map(set),
    rule,
  ];
}

function aligned(cell: string, width: number, column: Column | undefined): string {
  return column?.right ? cell.padStart(width) : cell.padEnd(width);
}
