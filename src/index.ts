/*
 * Reeve as a library: what a program needs to declare entities, to run them and to work with them. Workflow code cannot import
 * this module. It imports `reeve/definition` and `reeve/workflows` instead, which are pure.
 */
export * from './definition/index.js';
export { describeEntity, describePredicate, type EntityDescription } from './definition/describe.js';
export { checkModel } from './definition/model/check.js';
export { describePath, type ModelProblem, type ModelStep } from './definition/model/problem.js';
export { mermaidDiagram } from './definition/diagram.js';
export { ReeveClient, type RaiseOptions, type ReeveClientOptions } from './client/client.js';
export { Deployments, type DeploymentsOptions, type RunningDeployment } from './client/deployments.js';
export {
  DistributedOperations,
  StartRefused,
  type DistributedReading,
  type LaneReading,
  type ListedInstance,
  type StartOptions,
} from './client/distributed.js';
export { listen, ListeningRefused, PositionGone, type ListenOptions } from './client/listen.js';
export type { Change } from './protocol/change.js';
export type { Taken } from './client/taken.js';
export type { EntityReading } from './client/entity-reader.js';
export type { OperationReader } from './client/operation-reader.js';
export type { OperationReading } from './client/operation-reading.js';
export type { Explanation } from './client/explain/explanation.js';
export { type AllowedEvent, allowedEvents, dimensionsOf } from './kernel/index.js';
export type { OperationResult, OperationStatus } from './operations/status.js';
export { Rejected, ResourceError } from './protocol/errors.js';
export type { Actor } from './protocol/actor.js';
export type { Answer } from './protocol/answer.js';
export type { Rejection } from './protocol/rejection.js';
export type { SignalOptions } from './protocol/request.js';
export type { Snapshot } from './protocol/snapshot.js';
export { bundleWorkflows, type WorkflowSources } from './temporal/bundle.js';
export { CallbackKeys, type CallbackAddress, type CallbackSettings } from './temporal/callback-address.js';
export {
  implementResource,
  type AskContext,
  type CallContext,
  type CallSurroundings,
  type ImplementedResource,
  type ResourceImplementation,
  type WithdrawContext,
} from './temporal/resources.js';
export type { CallEnvelope } from './temporal/call-envelope.js';
export { implementConditions } from './temporal/condition-provider.js';
export { registerSearchAttributes } from './temporal/search-attributes.js';
export type { CallRoutes } from './temporal/call-routes.js';
export type { EntityWorker } from './temporal/entity-worker.js';
export {
  createCallWorker,
  createWorker,
  type CallLimits,
  type CallWorkerOptions,
  type EntityWorkerOptions,
  type ServedQueue,
} from './temporal/worker.js';
export { PostgresLedger } from './ledger/postgres-ledger.js';
export { Executor, type ExecutorOptions } from './temporal/distributed/executor.js';
export type { OperationTargets, ServedOperations } from './temporal/distributed/activities.js';
export { connect } from './temporal/connection.js';
