import { join } from 'node:path';

/** A step of a provisioning: just before a resource was called, or just after, before anyone knows of its answer. */
export interface KillPoint {
  readonly activity: string;
  readonly moment: 'before' | 'after';
}

/** The file that tells the worker where to die. */
export function killFile(home: string): string {
  return join(home, 'run', 'kill-at');
}

/** Every resource call that a provisioning makes, in its order. */
export const PROVISIONING_CALLS = [
  'aliases.reserve',
  'databases.createInstance',
  'names.publish',
  'databases.createDatabase',
  'databases.configureMaster',
  'databases.locateInstance',
  'aliases.point',
] as const;
