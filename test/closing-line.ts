import type { Reporter, TestModule } from 'vitest/node';

/** Prints one plain last line, "N passed, N failed, N skipped", that any log reader can find. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      // A file that failed before it could declare a test still counts as one failure.
      if (module.errors().length > 0) counts.failed += 1;
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state === 'passed') counts.passed += 1;
        else if (state === 'failed') counts.failed += 1;
        else counts.skipped += 1;
      }
    }
    // Exit hooks run after the default reporter's summary, so this stays the last line.
    process.on('exit', () =>
      process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`),
    );
  }
}
