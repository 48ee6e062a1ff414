import { MemoryLedger } from 'reeve/distributed';
import type { ExecutorParts } from 'reeve/project';
import { validation } from './jobs.js';

/** Runs the jobs. Here one process serves both places; `reeve executor --place east` serves one, next to its rows. */
export default function executor(): ExecutorParts {
  return {
    places: ['east', 'west'],
    operations: [validation('data')],
    // Forgets what a job has done when the process ends. `PostgresLedger` of `reeve/worker` keeps it in a database at the place.
    ledger: () => new MemoryLedger(),
  };
}
