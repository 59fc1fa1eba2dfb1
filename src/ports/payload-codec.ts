/** One value as it lies in the engine's histories: bytes, and what says how they are to be read. */
export interface WirePayload {
  readonly metadata: Readonly<Record<string, Uint8Array>>;
  readonly data: Uint8Array;
}

/** Turns values into what histories keep of them, and back. */
export interface HistoryCodec {
  encode(payloads: readonly WirePayload[]): Promise<WirePayload[]>;
  /** What was never encoded comes back as it is. @throws UndecodablePayload */
  decode(payloads: readonly WirePayload[]): Promise<WirePayload[]>;
}

/** A value that cannot be read with the keys at hand. The message names the key and repeats nothing of the value. */
export class UndecodablePayload extends Error {
  override readonly name = 'UndecodablePayload';
}
