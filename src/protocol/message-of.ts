/** What went wrong, in words. The message of an error can be empty, as when all addresses of a host refuse. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
