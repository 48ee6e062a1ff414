/** The id of the request that asks an entity to cancel its part in an operation. The views of the store know its form. S4.7 */
export function cancelId(operation: string, on: string): string {
  return `${operation}/cancel/${on}`;
}

/** Tells whether this is the id of a request to cancel an operation. */
export function isCancelOf(operation: string, id: string): boolean {
  return id.startsWith(cancelId(operation, ''));
}
