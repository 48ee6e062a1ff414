import type { Client } from '@temporalio/client';

/** How much longer than people a test waits for an answer that somebody will give, in milliseconds. */
const PATIENCE_MS = 40_000;

/**
 * A client for a machine that may be busy: it waits longer for answers than people do, while `isServed` tells that somebody
 * gives them. While nobody does, it gives up as early as for people.
 */
export function patientClient(client: Client, isServed: () => boolean): Client {
  const withDeadline: Client['withDeadline'] = (deadline, ask) =>
    client.withDeadline(isServed() ? Number(deadline) + PATIENCE_MS : deadline, ask);
  return Object.assign(Object.create(client) as Client, { withDeadline });
}
