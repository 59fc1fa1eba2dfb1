import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import type { WirePayload } from '../../ports/payload-codec.js';
import { type CodecKey, createHistoryCodec } from './codec.js';
import { moduleFile } from './module-file.js';

/** One converter for client, workers and the workflow bundle: histories must be readable by all of them. */
export const dataConverter: DataConverter = {
  failureConverterPath: moduleFile('./failure-converter'),
};

/**
 * The converter whose payloads are encrypted with the first of these keys; without any, the plain one. Search attributes,
 * workflow ids, types, queues and tenants' names stay readable: the engine works with them.
 */
export function converterWith(keys: readonly CodecKey[] = []): DataConverter {
  const [current, ...older] = keys;
  if (current === undefined) return dataConverter;
  const codec = createHistoryCodec([current, ...older]);
  const payloadCodec: PayloadCodec = {
    encode: async (payloads) => await codec.encode(payloads.map(whole)),
    decode: async (payloads) => await codec.decode(payloads.map(whole)),
  };
  return { ...dataConverter, payloadCodecs: [payloadCodec] };
}

/** Empty bytes come from the SDK as an empty array, at times. */
function whole({ metadata, data }: Payload): WirePayload {
  return { metadata: metadata ?? {}, data: Buffer.from(data ?? []) };
}
