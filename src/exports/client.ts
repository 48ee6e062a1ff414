/*
 * `reeve/client`: for programs that create entities, raise events, read and listen. It loads no worker.
 */
export { ReeveClient, type ReeveClientOptions } from '../client/client.js';
export { Deployments, type DeploymentsOptions, type RunningDeployment } from '../client/deployments.js';
export {
  DistributedOperations,
  StartRefused,
  type DistributedReading,
  type LaneReading,
  type ListedInstance,
  type RequestOptions,
  type StartOptions,
} from '../client/distributed.js';
export { listen, ListeningRefused, PositionGone, type ListenOptions } from '../client/listen.js';
export type { Change } from '../protocol/change.js';
export type { AcceptedEvent } from '../protocol/accepted-event.js';
export type { EntityReading } from '../client/entity-reader.js';
export type { OperationReader } from '../client/operation-reader.js';
export type { OperationReading } from '../client/operation-reading.js';
export type { Explanation } from '../client/explain/explanation.js';
export { type AllowedEvent, allowedEvents, dimensionsOf } from '../kernel/index.js';
export type { OperationResult, OperationStatus } from '../operations/status.js';
export { Rejected } from '../protocol/errors.js';
export type { Actor } from '../protocol/actor.js';
export type { Answer } from '../protocol/answer.js';
export type { Rejection } from '../protocol/rejection.js';
export type { BirthOptions, RaiseOptions } from '../protocol/request-options.js';
export type { SignalOptions } from '../protocol/request.js';
export type { Snapshot } from '../protocol/snapshot.js';
export { payloadSettingsFrom, type PayloadSettings } from '../secrecy/payload-settings.js';
export { connect } from '../temporal/connection.js';
export { temporalClient } from '../temporal/temporal-client.js';
