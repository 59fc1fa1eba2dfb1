import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** One bundled sample document: its file, and the spec to extract it under. */
export interface Sample {
  readonly file: string;
  readonly spec: string;
}

const folder = new URL('../../samples/', import.meta.url);

export async function listSamples(): Promise<readonly Sample[]> {
  return JSON.parse(await readFile(new URL('index.json', folder), 'utf8')) as Sample[];
}

export function samplePath(sample: Sample): string {
  return fileURLToPath(new URL(`files/${sample.file}`, folder));
}
