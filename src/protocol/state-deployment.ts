import { z } from 'zod';
import type { Description } from '../definition/component-description.js';
import { endRecord, type EndRecord } from '../definition/end-record.js';
import type { LivingRef } from './refs.js';

/**
 * How it stands with what a state has deployed.
 *
 * - `waiting`: what an earlier state has deployed has to end first.
 * - `starting`: it is being deployed.
 * - `up`: it runs.
 * - `ended`: it has ended by itself.
 * - `ending`: the state was left, and actions wait for its end.
 * - `left`: the same, and nothing waits for it any more.
 */
export type StateDeploymentPhase = 'waiting' | 'starting' | 'up' | 'ended' | 'ending' | 'left';

/** The components that a state has deployed. W1 */
export interface StateDeployment {
  /** The id of its workflow: `run/Shop/orders#LIFE.7`, with the entry into the state. */
  readonly id: string;
  /** The name under which the state deploys it. */
  readonly name: string;
  readonly state: string;
  /** The event that has led into the state, until it is up. */
  readonly event?: string;
  readonly phase: StateDeploymentPhase;
  /** Since when it is in this phase, in milliseconds since 1970. */
  readonly since: number;
  /** Describes what it will consist of, while it waits. */
  readonly description?: Description;
  /** Until when actions wait for its end, in milliseconds since 1970. */
  readonly until?: number;
  /** How it has ended by itself. */
  readonly end?: EndRecord;
  /** Tells whether the event of its end has been raised. */
  readonly told?: true;
  /** When it was last looked after (milliseconds since 1970), and how often since it was last heard of. */
  readonly look?: { readonly since: number; readonly count: number };
}

/** The input with which an entity starts a deployment. */
export interface DeploymentStart {
  readonly id: string;
  readonly owner: LivingRef;
  readonly tenant?: string;
  readonly description: Description;
}

/** The word of a deployment to the entity whose state has deployed it: that it is up, or how it has ended. */
export const deploymentWord = z.object({
  kind: z.literal('deployment'),
  id: z.string(),
  /** The life of the entity that has deployed it. */
  toLife: z.string(),
  end: endRecord.exactOptional(),
  /** Tells whether it has ended without a call and without time in between. S1.5a */
  atOnce: z.literal(true).exactOptional(),
});

/** All that a deployment says of itself. */
export interface DeploymentWord {
  readonly id: string;
  readonly end?: EndRecord;
  readonly atOnce?: true;
}
