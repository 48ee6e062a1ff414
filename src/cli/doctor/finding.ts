import type { ServiceLocation } from '../../stack/service.js';
import type { StackDescription } from '../../stack/home.js';

/** What one look has found. */
export interface Finding {
  /** What was looked at: `Node`, `worker`. */
  readonly about: string;
  /** `skipped`: it does not matter here, or cannot be looked at. */
  readonly status: 'ok' | 'problem' | 'skipped';
  readonly says: string;
  /** With a problem: how to mend it. */
  readonly remedy?: string;
}

/** What is looked at. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  /** The data folder, absolute. */
  readonly home: string;
  /** The task queue of the project. */
  readonly taskQueue: string;
  /** The stack that runs on the data folder, if one does. */
  readonly stack?: StackDescription;
  /** The Temporal service that the configuration names, if it names one. */
  readonly configured?: ServiceLocation;
}

/** A look at one part of the surroundings. What it throws is a problem as well. */
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

export function skipped(about: string, says: string): Finding {
  return { about, status: 'skipped', says };
}
