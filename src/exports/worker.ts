/*
 * `reeve/worker`: for providers of resources, and for programs that run workers and executors themselves.
 */
export { ResourceError } from '../protocol/errors.js';
export { bundleWorkflows, type BundledWorkflows, type WorkflowSources } from '../temporal/bundle.js';
export { CallbackKeys, type CallbackAddress, type CallbackSettings } from '../temporal/callback-address.js';
export {
  implementResource,
  type AskContext,
  type CallContext,
  type CallSurroundings,
  type ImplementedResource,
  type ResourceImplementation,
  type WithdrawContext,
} from '../temporal/resources.js';
export type { CallEnvelope } from '../temporal/call-envelope.js';
export { callWorkflow, type CallWorkflowOptions } from '../temporal/call-workflow.js';
export { implementConditions } from '../temporal/condition-provider.js';
export { registerSearchAttributes } from '../temporal/search-attributes.js';
export type { CallLimits, ServedQueue } from '../temporal/call-workers.js';
export type { CallRoutes } from '../temporal/call-routes.js';
export type { EntityWorker } from '../temporal/entity-worker.js';
export { UnfinishedWorkError } from '../temporal/unfinished-work.js';
export {
  createCallWorker,
  createWorker,
  type CallWorkerOptions,
  type EntityWorkerOptions,
} from '../temporal/worker.js';
export type { PayloadKey, PayloadKeys } from '../secrecy/payload-key.js';
export { PayloadKeyFile } from '../secrecy/payload-key-file.js';
export { PostgresLedger } from '../ledger/postgres-ledger.js';
export { Executor, type ExecutorOptions } from '../temporal/distributed/executor.js';
export type { OperationTargets, ServedOperations } from '../temporal/distributed/activities.js';
