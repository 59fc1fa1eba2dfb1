import { readFile } from 'node:fs/promises';

/** One fenced block of a guide. */
export interface Block {
  readonly line: number;
  readonly language: string;
  /** What stands behind the language: `file=receipt.ts`, `elsewhere="why it is not run here"`. */
  readonly file: string | null;
  readonly elsewhere: string | null;
  readonly text: string;
}

/** The fenced blocks of a Markdown file, in order. */
export async function readBlocks(path: string): Promise<readonly Block[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const fence = /^```(\w+)(.*)$/.exec(lines[at] ?? '');
    if (fence === null) continue;
    const end = lines.indexOf('```', at + 1);
    if (end < 0) throw new Error(`${path}:${at + 1}: this block has no end.`);
    const info = fence[2] ?? '';
    blocks.push({
      line: at + 1,
      language: fence[1] ?? '',
      file: /\bfile=(\S+)/.exec(info)?.[1] ?? null,
      elsewhere: /\belsewhere="([^"]+)"/.exec(info)?.[1] ?? null,
      text: lines.slice(at + 1, end).join('\n'),
    });
    at = end;
  }
  return blocks;
}

/** The commands of a block, one each, with their continuation lines and without empty and comment lines. */
export function commandsOf({ text }: Block): readonly string[] {
  return text
    .replaceAll('\\\n', ' ')
    .split(/\n(?!\s|'|\})/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
