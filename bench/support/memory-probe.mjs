/** Loaded into a process that is measured: asked by its parent, it says what its memory is once everything is collected. */
process.on('message', async () => {
  // What the first collection finalizes, the second one takes.
  for (let round = 0; round < 2; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  process.send(process.memoryUsage());
});
process.channel.unref();
