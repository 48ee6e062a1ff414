/*
 * `reeve/simulation`: entities in memory, with virtual time, choices by a seed, and faults.
 */
export { Random } from './random.js';
export { InvariantViolated } from './violation.js';
export {
  fakeResource,
  nobodyAnswers,
  type CallExecution,
  type FakeCalls,
  type FakeContext,
  type FakeResource,
} from './resources.js';
export type { Fault, FaultRates, Injection, Point } from './fault.js';
export { Simulation, type RaiseOptions, type SimulationOptions, type AcceptedEvent } from './simulation.js';
export { simulate } from './simulate.js';
export { Rejected, ResourceError } from '../protocol/errors.js';
export {
  crashPoints,
  type CrashDifference,
  type CrashPointsOptions,
  type CrashProgress,
  type CrashReport,
} from './crash-points.js';
export type { End } from './end.js';
