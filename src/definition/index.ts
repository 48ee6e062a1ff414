export type {
  Action,
  ActionContext,
  ActionInput,
  RaiseOutcome,
  ReportedError,
  TransitionError,
  ResourceContext,
  SourceOf,
  SuccessorView,
  TargetOf,
  Transition,
} from './action-context.js';
export {
  Aborted,
  CallFailed,
  CollectFailed,
  Defect,
  GivenUp,
  LinkTargetAbsent,
  ReservationEnded,
  WaitRefused,
  WaitTimedOut,
} from './action-errors.js';
export { affinity, type Affinity, type CallOptions } from './affinity.js';
export { answerAddress, type AnswerAddress } from './answer-address.js';
export {
  implementActions,
  type AnyImplementation,
  type Deployer,
  type Deploys,
  type EntityImplementation,
} from './actions.js';
export type { Busy, BusyByState } from './busy.js';
export { linked, parameter, property, type Condition, type Operand } from './condition.js';
export type { Guard } from './guard.js';
export type {
  CollectedAnswer,
  CollectedResult,
  CollectibleCall,
  Collection,
  CollectOptions,
  CollectRule,
} from './collect.js';
export { DeclarationError, type DeclarationProblem } from './declaration-error.js';
export { displayEvent, displayNamesOf, displayState, type DisplayNames } from './display-name.js';
export type { Duration } from './duration.js';
export { endRecord, type EndRecord } from './end-record.js';
export { defineEntity } from './define-entity.js';
export type {
  ActionOf,
  ActionShape,
  AnswerEvent,
  AnyEntity,
  ConstructInput,
  DraftOf,
  EntityDefinition,
  EventOf,
  EventShape,
  LinksOf,
  NeededEntity,
  ParamsInput,
  ParamsOf,
  PropertiesOf,
  StateOf,
  SubordinatesOf,
  SubscriptionShape,
} from './entity.js';
export type { AnyParams, EventArguments } from './event-arguments.js';
export type { EntityView, ReadOptions, Reservable, ReservedView, ReserveOptions } from './entity-view.js';
export { keyOf, keyPartsOf, refTo } from './key.js';
export type { AnyKeyParts, KeyOf, KeyPartsOf, KeySchema } from './key-schema.js';
export { link, links, type Link, type LinkValue, type LinkOptions } from './link.js';
export { lowestSchema, type Migration, type Renames, type StoredEntity } from './migration.js';
export { all, and, any, atLeast, none, not, or, type SuccessorPattern } from './successor-pattern.js';
export type { Predicate, SuccessorQuality } from './predicate.js';
export { alreadyDone, alreadyInProgress, rejection, type DeclaredRejection } from './rejection.js';
export {
  defineResource,
  type Call,
  type CallInput,
  type CallOutput,
  type CallShape,
  type CallMode,
  type DefinedResource,
  type Resource,
} from './resource.js';
export { knownRoles, OPERATOR } from './roles.js';
export type { EntityRoles } from './entity-roles.js';
export {
  deleted,
  initial,
  stable,
  terminal,
  unstable,
  type Health,
  type Retry,
  type StableOptions,
  type State,
  type TerminalOptions,
  type UnstableOptions,
} from './state.js';
export type { OneShotTimer, PeriodicTimer } from './timer.js';
