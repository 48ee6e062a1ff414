/** What went wrong, in words, also where the message is empty, as when all addresses of a host refuse. */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
