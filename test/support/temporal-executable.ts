import { findTemporalExecutable } from '../../src/stack/temporal-executable.js';

/** The executable that the stack would use; a build that takes minutes says so. */
export function temporalExecutable(): Promise<string> {
  return findTemporalExecutable({ report: (line) => console.error(line) });
}
