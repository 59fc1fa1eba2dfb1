import type { PackedSums } from '../reports/sums.js';

/** A fold as a store keeps it: its sums, and on a line of their own the bytes of its samples. */
export function foldText({ sums, samples }: PackedSums): string {
  return `${sums}\n${Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).toString('base64')}`;
}

export function foldOf(text: string): PackedSums {
  const end = text.indexOf('\n');
  return { sums: text.slice(0, end), samples: Buffer.from(text.slice(end + 1), 'base64') };
}
