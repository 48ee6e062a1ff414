import type { DeploymentOrigin } from './deployment-origin.js';

/*
 * The records of what happened in deployments, for the store. A record with a later time replaces an older one of the same name.
 */

/** How a component ended. */
export interface RecordedEnd {
  readonly type: string;
  readonly description: string;
  /** The path of the component that ended first. */
  readonly component: string;
  /** A whole deployment has failed to deploy. */
  readonly undeployed?: true;
}

/** When a component came into each of its phases, in milliseconds since 1970. */
export interface PhaseTimes {
  readonly created?: number;
  readonly deployed?: number;
  readonly starting?: number;
  readonly up?: number;
  readonly ending?: number;
  readonly ended?: number;
  /** It has left the tree, and goes on in one of its own. W4 */
  readonly detached?: number;
}

export type RecordedPhase = keyof PhaseTimes;

/** A deployment as it stands. W1 */
export interface DeploymentRecord {
  readonly kind: 'deployment';
  readonly name: string;
  /** The first run of its workflow: a name that is used again is another life. */
  readonly life: string;
  readonly origin: DeploymentOrigin;
  readonly startedAt: number;
  /** The phase of its root, and since when. */
  readonly phase: RecordedPhase;
  readonly since: number;
  /** How it ends or ended. */
  readonly end?: RecordedEnd;
  /** When all of it had ended. */
  readonly endedAt?: number;
  readonly at: number;
}

/** A component of a deployment as it stands. One that comes again at the same path has a row of its own. W1 */
export interface ComponentRecord {
  readonly kind: 'component';
  /** The life of its deployment. */
  readonly life: string;
  readonly path: string;
  /** Its number in its tree, which no other component of it has. */
  readonly incarnation: number;
  readonly of: string;
  readonly phase: RecordedPhase;
  readonly times: PhaseTimes;
  readonly end?: RecordedEnd;
  readonly at: number;
}
