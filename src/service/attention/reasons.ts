import type { StuckReason } from '../../kernel/index.js';
import type { Concern } from './attention-schema.js';

/**
 * Why something needs a person. Beside the reasons for which it is stuck: `error_state`: it rests in an error state. `answer`: it
 * waits for an answer from outside. `hung`: it exceeds its time budget. `failed`: it has failed, and nothing has changed since.
 * `frozen`: the process of its worker is stopped. `paused`: a person has paused it. `lock`: a job waits for a lock. `job_fails`: a job keeps failing. `clean_up_fails`: so does a clean-up.
 */
export type Reason =
  | StuckReason
  | 'error_state'
  | 'answer'
  | 'hung'
  | 'failed'
  | 'frozen'
  | 'paused'
  | 'no_executor'
  | 'no_place'
  | 'lock'
  | 'job_fails'
  | 'clean_up_fails'
  | 'call_fails';

/** Each reason in a clause for people. */
export const REASONS: Readonly<Record<Reason, string>> = {
  exhausted: 'all attempts are used up',
  dead_end: 'waits for something that cannot happen',
  deadlock: 'deadlock',
  task_fails: 'its code fails',
  no_worker: 'no worker serves it',
  call_repeats: 'its calls keep losing their workers',
  call_paused: 'its call is paused',
  no_store: 'waits for the store',
  error_state: 'rests in an error state',
  answer: 'waits for an answer',
  hung: 'exceeds its time budget',
  failed: 'has failed',
  frozen: 'its worker is frozen',
  paused: 'is paused',
  no_executor: 'no executor serves it',
  no_place: 'no place holds its partitions',
  lock: 'its jobs wait for a lock',
  job_fails: 'its jobs keep failing',
  clean_up_fails: 'its clean-up fails',
  call_fails: 'its calls fail',
};

/** The call that fixes each reason, where one does. */
export const FIXES: { readonly [R in Reason]?: NonNullable<Concern['fix']> } = {
  exhausted: 'retry',
  answer: 'answer',
  hung: 'cancel',
  lock: 'cancel',
  paused: 'resume',
  clean_up_fails: 'proceed',
};
