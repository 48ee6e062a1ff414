import type { LockWait, StopSignal } from '../declaration/implementation.js';
import type { Verdict } from '../instance/verdict.js';
import type { JobLedger } from './job-ledger.js';

/** Describes how far the jobs of a lane are, for people: what has ended in it, and the job at hand. */
export interface LaneBeat {
  readonly ended: number;
  readonly partition?: number;
  readonly progress?: unknown;
  readonly lock?: LockWait;
}

/** All that one lane needs of the world. */
export interface LaneDriver {
  readonly ledger: JobLedger;
  /** Tells that the lane lives, and how far it is. */
  beat(beat: LaneBeat): void;
  /** Told when the lane should ask whether to go on. */
  readonly told: StopSignal;
  /** The time at the place, in milliseconds since 1970. */
  now(): number;
  /** Asks the instance. Without an answer, the lane stops. */
  verdict(): Promise<Verdict>;
  /** A short pause between two questions. */
  pause(): Promise<void>;
  /** Returns whether the lane has lasted long enough. */
  timeIsUp(): boolean;
  /** The lane is over. */
  end(): void;
}
