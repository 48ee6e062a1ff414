import { AsyncLocalStorage } from 'node:async_hooks';

/** The header of a request that names the operation for which the host works, percent-encoded. */
export const OPERATION_HEADER = 'x-reeve-operation';

/** The most that PostgreSQL keeps of the name of a session, in bytes. */
const LONGEST = 63;

const operations = new AsyncLocalStorage<string>();

/** Works for the operation that a request names. */
export function workingFor<T>(header: string | readonly string[] | undefined, work: () => T): T {
  return typeof header === 'string' ? operations.run(decodeURIComponent(header), work) : work();
}

/** The name of the sessions in which the host works now. By it, the log of a database names the operation. S4.8 */
export function sessionName(): string {
  const operation = operations.getStore();
  const name = operation === undefined ? 'reeve' : `reeve ${operation}`;
  // PostgreSQL would replace each byte of another character by several characters.
  return name.replaceAll(/[^ -~]/gu, '?').slice(0, LONGEST);
}
