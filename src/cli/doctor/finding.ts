import type { ServiceLocation } from '../../stack/service.js';
import type { StackDescription } from '../../stack/data-directory.js';

/** The finding of one check. */
export interface Finding {
  /** The subject of the check: `Node`, `worker`. */
  readonly about: string;
  /** `waiting`: it waits for a person, and nothing is wrong. `skipped`: it does not matter here, or cannot be checked. */
  readonly status: 'ok' | 'problem' | 'waiting' | 'skipped';
  readonly says: string;
  /** How to fix a problem, or what the person does. */
  readonly remedy?: string;
}

/** All that the checks look at. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The data directory, absolute. */
  readonly home: string;
  /** The task queue of the project. */
  readonly taskQueue: string;
  /** The stack that runs on the data directory, if one does. */
  readonly stack?: StackDescription;
  /** The Temporal service that the configuration names, if it names one. */
  readonly configured?: ServiceLocation;
}

/** A check of one part of the surroundings. An error that it throws is reported as a problem too. */
export interface Check {
  readonly about: string;
  readonly look: (surroundings: Surroundings) => Promise<readonly Finding[]>;
}

export function ok(about: string, says: string): Finding {
  return { about, status: 'ok', says };
}

export function problem(about: string, says: string, remedy: string): Finding {
  return { about, status: 'problem', says, remedy };
}

export function waiting(says: string, remedy: string): Finding {
  return { about: 'waits for a person', status: 'waiting', says, remedy };
}

export function skipped(about: string, says: string): Finding {
  return { about, status: 'skipped', says };
}
