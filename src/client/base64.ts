/** More at once than this overflows the arguments of a call. */
const step = 0x8000;

/** In browsers as in Node. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}
