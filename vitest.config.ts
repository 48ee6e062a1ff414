import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/plain.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    // Files that need real services must not starve each other.
    maxWorkers: 2,
    // How long something takes is for benchmarks: on a busy machine everything takes ten times as long.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
