/** Bytes of a text in UTF-8. A lone surrogate counts as the three bytes of the replacement character it becomes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) bytes += bytesOf(character);
  return bytes;
}

/** The text, or its beginning with an ellipsis, in at most `maximum` bytes; never half a character. */
export function clipped(text: string, maximum: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    const next = bytes + bytesOf(character);
    // Three bytes are kept free for the ellipsis until it is clear that none is needed.
    if (next > maximum) return `${kept}…`;
    bytes = next;
    if (bytes <= maximum - 3) kept += character;
  }
  return text;
}

/** Of one code point, which is two UTF-16 units when it needs four bytes. */
function bytesOf(character: string): number {
  if (character < '\u0080') return 1;
  if (character < '\u0800') return 2;
  return character.length === 1 ? 3 : 4;
}
