/*
 * Distributed operations: one job on each partition of a target. I1 to I8
 *
 * Their rooms, each of which knows only those before it: partitions (sets of partitions, and who holds them), declaration (what a type
 * is, and its code), coordinator (what runs on a target), instance (one run of an operation, as data), executor (jobs where they run).
 */
export {
  allPartitions,
  common,
  has,
  membersOf,
  NO_PARTITIONS,
  partitionSet,
  sizeOf,
  union,
  without,
  type PartitionSet,
} from './partitions/partition-set.js';
export { eligibleAt, type JobPlace, type Placement, type PlaceHolds } from './partitions/placement.js';
export {
  defineDistributedOperation,
  mayBeAtOnce,
  type AnyDistributedOperation,
  type DistributedOperation,
  type JobProgress,
  type ProgressKept,
} from './declaration/distributed-operation.js';
export { argumentTooLarge } from './coordinator/admission.js';
export type { OperationRoles } from './declaration/operation-roles.js';
export { operationTypes, type OperationTypes } from './declaration/operation-types.js';
export {
  implementDistributedOperation,
  type Completing,
  type CompletionResult,
  type DistributedOperationLogic,
  type FollowUp,
  type JobContext,
  type JobEnd,
  type JobLock,
  type OperationLogic,
  type PartitionAt,
  type StartProblem,
  type StopSignal,
} from './declaration/implementation.js';
export {
  newCoordinator,
  type Coordinator,
  type CoordinatorInput,
  type InstanceStart,
  type RefusedFollowUp,
  type RunningOperation,
  type StartAnswer,
  type StartRefusal,
  type StartRequest,
} from './coordinator/coordinator.js';
export { contentOf, mayHaveForgotten, recallRequest, startedBy } from './coordinator/requests.js';
export { admission } from './coordinator/admission.js';
export { conflict, stepCoordinator } from './coordinator/coordinator-step.js';
export type { Instance, InstanceOutcome, InstancePhase } from './instance/instance.js';
export type { CallOutcome, InstanceInput, LaneResult } from './instance/input.js';
export type { CleanWork, InstanceEffect, InstanceRef, LaneJob, LaneWork, TidyWork } from './instance/effect.js';
export { isCleanUp } from './instance/call-retries.js';
export type { BlockedJobs } from './instance/blocked.js';
export { jobRefusal, type JobRefusal, type JobRequest } from './instance/job-requests.js';
export { newInstance, stepInstance, type InstanceStep } from './instance/step.js';
export { jobFailed, type JobsTold } from './instance/telling.js';
export { nextDue, operationOutcome, readInstance, stateOf, type InstanceReading } from './instance/reading.js';
export { nameOf, refOf, underWay } from './instance/under-way.js';
export { recordVerdict, verdictOf, type RecordVerdict, type Verdict } from './instance/verdict.js';
export type { EndedJobs, JobChange, JobLedger, JobName, JobRecord, OpenedJob } from './executor/job-ledger.js';
export { MemoryLedger } from './executor/memory-ledger.js';
export type { LaneBeat, LaneDriver } from './executor/executor-driver.js';
export { runLane } from './executor/lane.js';
export { JobStopped, Stopping } from './executor/stopping.js';
export { cleanJobs, lookAtRecords, tidyPlace } from './executor/clean-up.js';
