import type { WorkerParts } from 'reeve/project';
import { placement, validation } from './jobs.js';

/** Adds to a worker: it runs the coordinators and asks where the partitions are. */
export default function worker(): WorkerParts {
  return { distributed: { operations: [validation('data')], targets: { placement } } };
}
