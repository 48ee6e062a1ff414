/** A mistake in how the command was called, or in the project around it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
