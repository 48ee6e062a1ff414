import { join } from 'node:path';

/** A step of a provisioning: just before a resource is called, or just after the call, before anybody knows of its answer. */
export interface KillPoint {
  readonly activity: string;
  readonly moment: 'before' | 'after';
}

/** The path of the file that tells the worker where to die. */
export function killFile(home: string): string {
  return join(home, 'run', 'kill-at');
}

/** All resource calls that a provisioning makes, in their order. */
export const PROVISIONING_CALLS = [
  'dataClusters.list',
  'dataClusters.askForRoom',
  'dataClusters.takeRoom',
  'aliases.reserve',
  'databases.createInstance',
  'names.publish',
  'databases.createDatabase',
  'databases.configureMaster',
  'databases.locateInstance',
  'aliases.point',
] as const;
