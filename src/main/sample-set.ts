import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One bundled sample document: where it lies, and the spec to extract it under. */
export interface Sample {
  readonly name: string;
  readonly path: string;
  readonly spec: string;
}

const folder = new URL('../../samples/', import.meta.url);

/** The bundled samples, in a sensible order to look at. Their truth files are for tests only. */
export async function listSamples(): Promise<readonly Sample[]> {
  const { samples } = JSON.parse(await readFile(new URL('index.json', folder), 'utf8')) as {
    samples: readonly { readonly file: string; readonly spec: string }[];
  };
  return samples.map(({ file, spec }) => ({
    name: basename(file),
    path: fileURLToPath(new URL(file, folder)),
    spec,
  }));
}
