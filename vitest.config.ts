import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/plain.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Files that need real services mostly wait for them: two leave two cores idle for almost half of the time.
    maxWorkers: 3,
    // How long something takes is for benchmarks: on a busy machine everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
