import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Begins with what repeats the order of files, and closes with one plain line for programs that read the output. */
export default class CountReporter implements Reporter {
  onInit({ config }: Vitest): void {
    console.log(`order of files: --sequence.seed=${config.sequence.seed}`);
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: string): void {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      // A file that could not be loaded has no tests of its own to fail.
      if (module.state() === 'failed' && module.children.size === 0) failed++;
      for (const test of module.children.allTests()) {
        if (test.result().state === 'passed') passed++;
        if (test.result().state === 'failed') failed++;
      }
    }
    // Something went wrong outside of any test.
    if (reason === 'failed' && failed === 0) failed = 1;
    process.on('exit', () => console.log(`\ntests: ${passed} passed, ${failed} failed`));
  }
}
