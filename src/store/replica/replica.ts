import { createHash } from 'node:crypto';
import type { Side } from './side.js';

/** A store and the database that keeps a replica of it. A6 */
export interface Replica {
  readonly store: Side;
  readonly target: Side;
  /** The address of the store as the replica's server reaches it, with its password. */
  readonly reachedAt: string;
  /** The names of the dimensions that the application declares: columns of the replica's views. S1.1 */
  readonly dimensions: readonly string[];
  /** Told of what a person should know. */
  readonly warn: (message: string) => void;
}

/** Tells who a database is, wherever it is reached: its cluster's number, and its own. */
const IDENTITY = `select system_identifier::text || '/' || oid::text as identity
  from pg_control_system(), pg_database where datname = current_database()`;

export async function identityOf(side: Side): Promise<string> {
  return (await side.one<{ identity: string }>(IDENTITY)).identity;
}

/** All names of replicas begin with it: of publications, slots and subscriptions. */
export const PREFIX = 'reeve_replica_';

/**
 * The name of a replica's publication and slot on the store's server, and of its subscription: the same whoever asks, so that
 * what was begun and cut short is found again.
 */
export function replicaName(store: string, target: string): string {
  return `${PREFIX}${createHash('sha256').update(`${store} ${target}`).digest('hex').slice(0, 12)}`;
}
