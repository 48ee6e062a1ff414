import {
  TestTree,
  type Description,
  type Json,
  type Result,
  type TestAnswer,
  type TestTreeOptions,
} from '../../src/components/index.js';

export type { TestAnswer };

/** A tree whose description may be wrong, and whose deployments wait until the test says that they are up. */
export class Trial extends TestTree {
  constructor(description: Description, options: TestTreeOptions = {}) {
    super(description, { unchecked: true, deploys: () => undefined, ...options });
  }
}

/** Runs a description to its end. */
export const trial = (description: Description, options: TestTreeOptions = {}): Promise<TestTree> =>
  new Trial(description, options).run();

export const done = (output: Json = null): Result => ({ output });
export const failed = (code: string): Result => ({ error: { code, message: `it failed with ${code}` } });
