import { AsyncLocalStorage } from 'node:async_hooks';

/** The header of a request that names the operation for which the host works, percent-encoded. */
export const OPERATION_HEADER = 'x-reeve-operation';

/** What PostgreSQL keeps of the name of a session, in bytes. */
const LONGEST = 63;

const operations = new AsyncLocalStorage<string>();

/** Works for the operation that a request names. */
export function workingFor<T>(header: string | readonly string[] | undefined, work: () => T): T {
  return typeof header === 'string' ? operations.run(decodeURIComponent(header), work) : work();
}

/** How the sessions in which the host works now are called: the log of a database names the operation by it. S4.8 */
export function sessionName(): string {
  const operation = operations.getStore();
  const name = operation === undefined ? 'reeve' : `reeve ${operation}`;
  // PostgreSQL replaces other characters, each of their bytes, by several.
  return name.replaceAll(/[^ -~]/gu, '?').slice(0, LONGEST);
}
