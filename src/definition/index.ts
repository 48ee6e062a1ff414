export type {
  Action,
  ActionContext,
  RaiseOutcome,
  ReportedError,
  ResourceContext,
  SuccessorView,
  Transition,
} from './action-context.js';
export { Aborted, CallFailed, Defect, GivenUp, ReservationEnded, WaitRefused, WaitTimedOut } from './action-errors.js';
export { implementActions, type AnyImplementation, type EntityImplementation } from './actions.js';
export { DeclarationError, type DeclarationProblem } from './declaration-error.js';
export type { Duration } from './duration.js';
export {
  defineEntity,
  type AnyEntity,
  type ConstructInput,
  type EventOf,
  type LinksOf,
  type ParamsInput,
  type ParamsOf,
  type PropertiesOf,
  type StateOf,
  type SubordinatesOf,
} from './entity.js';
export type { EntityView, ReadOptions, Reservable, ReservedView, ReserveOptions } from './entity-view.js';
export { link, links, type Link } from './link.js';
export { all, and, any, atLeast, none, not, or, type Predicate } from './predicate.js';
export { alreadyDone, alreadyInProgress, rejection } from './rejection.js';
export { defineResource, type Call } from './resource.js';
export { knownRoles, OPERATOR, type EntityRoles } from './roles.js';
export { deleted, initial, stable, terminal, unstable } from './state.js';
export type { OneShotTimer, PeriodicTimer } from './timer.js';
