import { createHistoryCodec } from '../adapters/temporal/codec.js';
import type { Config } from '../config.js';
import type { HistoryCodec } from '../ports/payload-codec.js';

/** What histories are encrypted with; null when no key is configured. */
export function historyCodecOf({ temporal }: Config): HistoryCodec | null {
  const [current, ...older] = temporal.codecKeys;
  return current === undefined ? null : createHistoryCodec([current, ...older]);
}
