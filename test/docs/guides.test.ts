import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandsOf, readBlocks } from './guide.js';
import { type GuideStack, startGuideStack } from './guide-stack.js';

const paths = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const guides = new Map(await Promise.all(paths.map(async (path) => [path, await readBlocks(path)] as const)));
const files = new Map(
  [...guides.values()].flat().flatMap(({ file, text }) => (file === null ? [] : [[file, text] as const])),
);

let stack: GuideStack;
beforeAll(async () => {
  stack = await startGuideStack(files, ['specs/index.ts', 'receipt.ts', 'till-receipt.ts']);
});
afterAll(() => stack?.stop());

/** What a reader would put in place of the capital words: the newest extraction, the first review of the queue. */
async function filledIn(command: string): Promise<string> {
  let text = command;
  for (const [word, list] of [
    ['ID', 'npx endstop list --json --limit 1'],
    ['REVIEW', 'npx endstop review list --json --limit 1'],
  ] as const) {
    if (!new RegExp(`\\b${word}\\b`).test(text)) continue;
    const { output } = await stack.run(list);
    const { id } = JSON.parse(output.split('\n')[0] ?? '') as { id: string };
    text = text.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), id);
  }
  return text;
}

describe.each([...guides])('%s', (path, blocks) => {
  it('has nothing that is neither run nor says why not', () => {
    const strange = blocks.filter(
      ({ language, file, elsewhere }) => language === 'ts' && file === null && elsewhere === null,
    );
    expect(strange.map(({ line }) => `${path}:${line}`)).toEqual([]);
  });

  const run = blocks.filter(({ language, elsewhere }) => language === 'sh' && elsewhere === null);
  it.runIf(run.length > 0)('can be followed from its first command to its last', async () => {
    let exported = '';
    for (const block of run)
      for (const command of commandsOf(block)) {
        if (command.startsWith('export ')) {
          exported += `${command}; `;
          continue;
        }
        const { code, output } = await stack.run(exported + (await filledIn(command)));
        // 3 is how a command says that a document ended unverified: guides show that too.
        expect([0, 3], `${path}:${block.line}: ${command}\n${output}`).toContain(code);
      }
  });
});
