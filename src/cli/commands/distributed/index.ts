import type { Command } from 'commander';
import { defineDistributedFollow } from './follow.js';
import { defineDistributedJobs } from './jobs.js';
import { defineDistributedList } from './list.js';
import { defineDistributedShow } from './show.js';
import { defineDistributedStart } from './start.js';
import { defineDistributedSteering } from './steer.js';

/** `reeve distributed`: operations that run one job on each partition of a target. I1 to I8 */
export function defineDistributed(program: Command): void {
  const distributed = program
    .command('distributed')
    .description(
      'start, list, show, follow, pause, resume, limit and cancel operations over partitions, and retry or move their jobs',
    );
  for (const define of [
    defineDistributedList,
    defineDistributedStart,
    defineDistributedShow,
    defineDistributedFollow,
    defineDistributedSteering,
    defineDistributedJobs,
  ]) {
    define(distributed);
  }
}
