import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Runs the quick tests first, since the first test that fails kills a mutant. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => SLOW.findIndex((part) => moduleId.includes(part));
    return [...files].sort((a, b) => rank(a) - rank(b));
  }
}

const SLOW = ['/test/conformance/', '/test/kernel/ledger'];

/**
 * The tests that judge mutants: those of the pure decisions, and the scenarios in the simulator, which do less here. A mutant that
 * only a simulation of many seeds would notice counts as not noticed, since such a simulation would take hours.
 */
export default defineConfig({
  test: {
    include: ['test/{kernel,operations}/**/*.test.ts', 'test/conformance/simulator.test.ts'],
    env: { REEVE_PART_OF_TESTS: '0.1' },
    sequence: { sequencer: QuickFirst },
    // Stryker decides whether a mutant runs for too long.
    testTimeout: 600_000,
    // Mutants in code that runs once, when a module is loaded, are not judged. So modules can stay loaded.
    isolate: false,
  },
});
