/** Bytes that come in pieces of any size: each is copied a few times at most, however small the pieces are. */
export class GrowingBytes {
  private room = new Uint8Array(65_536);
  private used = 0;

  get length(): number {
    return this.used;
  }

  add(piece: Uint8Array): void {
    const needed = this.used + piece.length;
    if (needed > this.room.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.room.length));
      larger.set(this.room.subarray(0, this.used));
      this.room = larger;
    }
    this.room.set(piece, this.used);
    this.used = needed;
  }

  /** What was added since the last time; it is overwritten by what is added next. */
  take(): Uint8Array {
    const taken = this.room.subarray(0, this.used);
    this.used = 0;
    return taken;
  }
}
