import { auditTrail } from './audit-trail.js';
import { pendingCallbacks, calls } from './calls.js';
import { changes, feed, feedListeners } from './changes.js';
import type { RowOf } from './column.js';
import { components, deployments } from './deployments.js';
import { distributedOperations } from './distributed-operations.js';
import { entities } from './entities.js';
import { errorTexts } from './error-texts.js';
import { errors } from './errors.js';
import { eventOrigins, eventResults, events } from './events.js';
import { callCallers, cancelCallers, eventCallers } from './event-callers.js';
import { executions } from './executions.js';
import { exceptions } from './exceptions.js';
import { EVENT_LEVEL, OPERATION_LEVEL, TRANSITION_LEVEL } from './levels.js';
import { operationPlaces } from './operation-places.js';
import { operations } from './operations.js';
import { sentRequests } from './sent-requests.js';
import { rejectedEvents } from './rejected-events.js';
import { causes, rollup } from './rollup.js';
import { actionOutcomes, entityVersions, ownedTransitions, repeatedTransitions, transitions } from './transitions.js';

/** The views that readers can list. S5.1, S5.2, S5.5 */
export const ALL_VIEWS = [
  operations,
  events,
  transitions,
  calls,
  exceptions,
  errors,
  entities,
  pendingCallbacks,
  deployments,
  components,
  auditTrail,
  rejectedEvents,
  rollup(OPERATION_LEVEL),
  causes(OPERATION_LEVEL),
  rollup(EVENT_LEVEL),
  causes(EVENT_LEVEL),
  rollup(TRANSITION_LEVEL),
  causes(TRANSITION_LEVEL),
] as const;

/** Further views, which are not lists of their own. */
export const OTHER_VIEWS = [
  distributedOperations,
  errorTexts,
  eventCallers,
  callCallers,
  cancelCallers,
  executions,
  operationPlaces,
  sentRequests,
  ownedTransitions,
  repeatedTransitions,
  eventResults,
  eventOrigins,
  actionOutcomes,
  entityVersions,
  changes,
  feed,
  feedListeners,
] as const;
/** The view of transitions with their type and tenant. */
export const OWNED_TRANSITIONS = ownedTransitions.name;
/** The view of the texts of errors beyond their causes. */
export const ERROR_TEXTS = errorTexts.name;
/** The view of the results of events. */
export const EVENT_RESULTS = eventResults.name;
/** The view of the callers who have raised events. */
export const EVENT_CALLERS = eventCallers.name;
export const CALL_CALLERS = callCallers.name;
export const CANCEL_CALLERS = cancelCallers.name;
/** The view of the workflows to which rows lead. */
export const EXECUTIONS = executions.name;
/** Transitions by which something was done again. */
export const REPEATED_TRANSITIONS = repeatedTransitions.name;

type AnyView =
  | (typeof ALL_VIEWS)[number]
  | typeof actionOutcomes
  | typeof distributedOperations
  | typeof eventOrigins
  | typeof executions
  | typeof operationPlaces
  | typeof sentRequests
  | typeof entityVersions
  | typeof changes
  | typeof feed
  | typeof feedListeners;

/** The views as the query builder knows them. Dimensions are further columns: see `withDimensions`. */
export type StoreViews = { readonly [V in AnyView as V['name']]: RowOf<V['columns']> };
