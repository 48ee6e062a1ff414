import { defineConfig } from 'vitest/config';

/** What they test sees no Node, no clock and no service (L2), so one file leaves nothing behind for the next. */
const PURE = 'test/{components,definition,kernel,laws,operations,recording,simulation}/**/*.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/plain.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Files that need real services mostly wait for them: two leave two cores idle for almost half of the time.
    maxWorkers: 3,
    // How long something takes is for benchmarks: on a busy machine everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    projects: [
      // Modules are loaded once for each worker: to load them for each file took as long as the tests.
      { extends: true, test: { name: 'pure', include: [PURE], isolate: false } },
      { extends: true, test: { name: 'services', include: ['test/**/*.test.ts'], exclude: [PURE], isolate: false } },
    ],
  },
});
