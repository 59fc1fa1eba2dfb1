import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, commandsOf, readBlocks } from './guide.js';
import { type GuideStack, startGuideStack } from './guide-stack.js';

/** Its requests come without a key, as a newcomer's do: from the first key that a guide makes, one is asked for. */
const keyless = 'docs/use-from-a-program.md';
const others = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .filter((path) => path !== keyless);
const paths = [keyless, ...others];
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

it('the request of README.md is one of a guide', async () => {
  const sent = (blocks: readonly Block[]) =>
    blocks.flatMap(commandsOf).filter((command) => command.startsWith('curl '));
  const run = sent(guides.get(keyless) ?? []);
  for (const command of sent(await readBlocks('README.md'))) expect(run).toContain(command);
});

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
        // The first thing that a reader sends has to come back as the guide says.
        if (command.startsWith('curl ')) expect(output, command).toContain('"kind":"verified"');
      }
  });
});
