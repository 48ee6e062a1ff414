import type { Client } from '@temporalio/client';
import { servedBuilds } from '../temporal/served-builds.js';
import type { BuildRouting, RolloutNote } from './build-routing.js';
import { Fleet } from './fleet.js';

/** How a build stands now. */
export interface BuildStatus {
  readonly build: string;
  /**
   * `current`: new executions begin on it. `ramping`: those of a part of the workflows do. `old`: no new execution begins on it any
   * more. `new`: it was never rolled out.
   */
  readonly role: 'current' | 'ramping' | 'old' | 'new';
  /** The part that the ramp leads to it, in percent. */
  readonly percent?: number;
  /** How many workflows run on it. An old build without any is drained: you can stop its workers. */
  readonly running: number;
  /** Tells whether a worker of it asks for tasks. */
  readonly served: boolean;
  readonly note?: RolloutNote;
}

export interface RolloutStatus {
  readonly deployment: string;
  readonly builds: readonly BuildStatus[];
  /** How many workflows run on workers without versions. */
  readonly unversioned: number;
}

/** Tells whether new executions begin on a build. */
export function getsNewRuns({ role }: Pick<BuildStatus, 'role'>): boolean {
  return role === 'current' || role === 'ramping';
}

/**
 * Tells whether a rollback of a build leads to one that works: new executions begin on it, and those of the build before it, to which they
 * return, find workers.
 */
export function leadsBack(
  { role, note }: Pick<BuildStatus, 'role' | 'note'>,
  builds: readonly Pick<BuildStatus, 'build' | 'role' | 'served'>[],
): boolean {
  if (!getsNewRuns({ role }) || note?.noRollback) return false;
  const before = builds.find((each) =>
    role === 'ramping' ? each.role === 'current' : each.build === note?.previous && each.role !== 'new',
  );
  return before?.served === true;
}

/** How all builds stand, as Temporal says now: no command has to run for that. */
export async function readStatus(client: Client, routing: BuildRouting, taskQueue: string): Promise<RolloutStatus> {
  const { deployment } = routing;
  const fleet = new Fleet(client, deployment, taskQueue);
  const [found, served, unversioned] = await Promise.all([
    routing.read(),
    servedBuilds(client, taskQueue),
    fleet.count(undefined),
  ]);
  const builds = (found?.builds ?? []).map(async ({ build, activated, note }): Promise<BuildStatus> => {
    const { current, ramp } = found!;
    const ramping = ramp?.build === build;
    return {
      ...{ build, running: await fleet.count(build), served: served.has(`${deployment}:${build}`) },
      role: current === build ? 'current' : ramping ? 'ramping' : activated ? 'old' : 'new',
      ...(ramping && { percent: ramp.percent }),
      ...(note && { note }),
    };
  });
  return { deployment, builds: await Promise.all(builds), unversioned };
}
