import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allSamples } from './generator/catalogue.js';

/**
 * Writes every sample of a seed: `files/<name>.<ext>`, `truth/<name>.json` and `index.json`. The same seed writes the
 * same bytes. Run: `node --import tsx samples/generate.ts [--seed 1] [--out DIR]`
 */
async function generate(seed: number, out: string): Promise<number> {
  const samples = await allSamples(seed);
  for (const folder of ['files', 'truth']) {
    await rm(join(out, folder), { recursive: true, force: true });
    await mkdir(join(out, folder), { recursive: true });
  }
  for (const { name, spec, file, bytes, truth } of samples) {
    await writeFile(join(out, 'files', file), bytes);
    await writeFile(join(out, 'truth', `${name}.json`), pretty({ file, spec, ...truth }));
  }
  const entries = samples.map(({ name, spec, file }) => ({
    name,
    spec,
    file: `files/${file}`,
    truth: `truth/${name}.json`,
  }));
  await writeFile(join(out, 'index.json'), pretty({ seed, samples: entries }));
  return samples.length;
}

/** JSON as the formatter of this repository leaves it: short lists of words on one line. */
function pretty(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  const lists = /\[\n\s+((?:"[^"\n]*"(?:,\n\s+)?)+)\n\s*\]/g;
  return `${text.replace(lists, (_, words: string) => `[${words.replace(/,\n\s+/g, ', ')}]`)}\n`;
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: dirname(fileURLToPath(import.meta.url)) },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0) {
  process.stderr.write('samples: --seed must be a whole number from 0.\n');
  process.exitCode = 2;
} else {
  const count = await generate(seed, values.out);
  process.stdout.write(`${count} samples of seed ${seed} in ${values.out}\n`);
}
