import type { ErrorEntry } from './entry.js';

/** The codes with which an event is rejected. Nothing has changed then. S2.2 */
export const EVENT_ERRORS = {
  absent: {
    status: 404,
    meaning: 'The entity, operation or row does not exist, or you may not see it.',
    cause: 'The key or id is wrong, it was never created, or it belongs to another tenant.',
    remedy: 'Check the key with `reeve entities TYPE`, or create the entity first.',
  },
  already_done: {
    meaning: 'The work of the event has been done before.',
    cause: 'The declaration answers the event with `alreadyDone()` in this state.',
    remedy: 'Read the entity. Do nothing if its state is the one that you want.',
  },
  already_exists: {
    meaning: 'The entity that was to be created exists.',
    cause: 'Another request has created it, or the same request was sent with another request id.',
    remedy: 'Choose another key, or raise an event on the entity that exists.',
  },
  already_in_progress: {
    meaning: 'The work of the event is under way.',
    cause:
      'An action runs and the event is declared not to wait for it, or the declaration answers with `alreadyInProgress()` in this state.',
    remedy:
      'Follow the operation that the answer names. Raise the event again when that has ended, if it is still needed.',
    hint: 'Follow the operation that runs, and raise the event again when it has ended.',
  },
  another_tenant: {
    status: 404,
    meaning: 'The entity belongs to another tenant.',
    cause: 'An entity or a caller of one tenant has raised an event on an entity of another one.',
    remedy: 'Use the credentials of the tenant that owns the entity. Over HTTP, such an entity seems not to exist.',
    hint: 'Use the credentials of the tenant that owns the entity.',
  },
  callback_closed: {
    status: 410,
    meaning: 'The answer from outside comes too late: nothing waits for it at this address.',
    cause: 'The call was answered, timed out, was revoked, or its action was aborted; or the entity was deleted.',
    remedy: 'Drop the answer. Look at the entity if its effect is still wanted.',
    hint: 'Drop the answer: nothing waits for it any more.',
  },
  constraint_violated: {
    status: 400,
    meaning: 'The properties break the constraint or the schema of the declaration.',
    cause: 'A creation has given such properties, or an action has left them. An action that does so is rolled back.',
    remedy:
      'Give other properties. If an action has left them, fix its code; `issues` and the message name the properties.',
  },
  event_too_large: {
    status: 413,
    meaning: 'The parameters of the event are too large.',
    cause: 'An event may have as many bytes of JSON as [the limits](../limits.md) say.',
    remedy: 'Keep the data in a store of your own, and pass its address.',
  },
  gone: {
    status: 410,
    meaning: 'The entity was deleted, or the deployment has ended.',
    cause: 'Another event has deleted it before yours arrived.',
    remedy: 'Create it again if it is still needed. `reeve transitions TYPE/KEY` shows the event that deleted it.',
    hint: 'Create it again if it is still needed.',
  },
  invalid_key: {
    status: 400,
    meaning: 'The key does not fit the schema of keys of the entity type.',
    cause: 'A part is missing, is empty, has a character that its schema excludes, or is not one of its values.',
    remedy: 'Correct the parts that `issues` names. `reeve types --json` has the schema of the key.',
  },
  invalid_parameters: {
    status: 400,
    meaning: 'The parameters do not fit their schema.',
    cause:
      'A member is missing, unknown, or of another type. Actions get this code as a defect when they raise such an event.',
    remedy: 'Correct the members that `issues` names. `reeve types --json` has the schema of each event.',
  },
  link_target_absent: {
    meaning: 'A link names an entity that has to exist, and does not.',
    cause: 'The link is declared with `mustExist`, and its target was never created or has been deleted.',
    remedy: 'Create the target first, or correct the link. An action that set such a link is tried again.',
    hint: 'Create the target first, or correct the link.',
  },
  no_such_successor: {
    meaning: 'The entity waits for no successor of this name.',
    cause: 'The name is wrong, or the successor has settled or was marked as lost before.',
    remedy: 'Look at the successors of the entity: `reeve get TYPE/KEY`.',
    hint: "'reeve get TYPE/KEY' lists the successors for which it waits.",
  },
  not_allowed: {
    status: 403,
    meaning: 'You do not have a role that may do this.',
    cause: 'The event, or the entity type, permits other roles than your key or token has.',
    remedy: 'Use a key with one of the roles that the message names: `reeve keys create NAME --role ROLE`.',
    hint: 'Use credentials with a role that may do this; `reeve keys create NAME --role ROLE` makes a key.',
  },
  not_allowed_now: {
    meaning: 'The guard of the event does not hold.',
    cause:
      'The event is valid in this state, but its guard asks for a property, parameter or link that is different now.',
    remedy: 'Read the entity, change what the guard asks for, and raise the event again.',
  },
  not_cancelable: {
    meaning: 'The entity does not answer a request to cancel.',
    cause: 'Its declaration names no event for `cancel`.',
    remedy: "Wait until the operation ends, or declare `cancel: 'EVENT'` for the entity type.",
    hint: 'Wait until the operation ends.',
  },
  not_exhausted: {
    meaning: 'There is nothing to retry.',
    cause: 'No action of the entity has used up its attempts. The next attempt comes by itself.',
    remedy: 'Run `reeve explain TYPE/KEY` to see the next attempt.',
  },
  not_public: {
    status: 404,
    meaning: 'The event is internal, so callers cannot raise it.',
    cause: 'The declaration has `internal: true` for the event. Only entities raise it.',
    remedy: 'Raise one of the events that the message lists.',
  },
  not_valid: {
    meaning: 'The event is not valid in the state of the entity.',
    cause: 'The event is not declared `in` this state, and no `otherwise` has another answer.',
    remedy: 'Raise one of the events in `validNow`, or wait for another state.',
  },
  request_conflict: {
    status: 422,
    meaning: 'The request id was used for something else.',
    cause:
      'Another event, other parameters or another target was sent with the same `Idempotency-Key` or `--request-id`.',
    remedy: 'Use a new id for each new request, and the same one only to repeat a request.',
  },
  request_repeated: {
    meaning: 'The request that was to create the entity has run before, so nothing was started again.',
    cause: 'A repeated request arrived after the entity that it created was deleted.',
    remedy: 'Use a new request id to create the entity again.',
    hint: 'Use a new request id to create it again.',
  },
  reservation_ended: {
    meaning: 'The reservation under which the event was raised has ended.',
    cause: 'The lease was over, the holder released it, or an operator has marked the holder as lost.',
    remedy: 'Reserve the entity again. Make the lease longer than the work under it.',
    hint: 'Reserve the entity again, for longer.',
  },
  terminal: {
    meaning: 'The entity has ended, and takes no events.',
    cause: 'It is in a state that is declared with `terminal()`.',
    remedy: 'Create another entity. One that has ended stays in its state.',
    hint: 'Create another entity.',
  },
  try_again: {
    status: 503,
    meaning: 'The request cannot be decided now.',
    cause:
      'Only the store has older request ids, and it is unavailable; too many events wait for the entity; or the operation has not begun.',
    remedy: 'Repeat the request in a moment with the same request id. Nothing runs twice.',
  },
  unknown_event: {
    status: 404,
    meaning: 'The entity type has no such event.',
    cause: 'The name is wrong, or the service has an older declaration.',
    remedy: 'Use one of the events that the message lists.',
  },
  version_conflict: {
    status: 412,
    meaning: 'The entity has changed since you read it.',
    cause: 'The request has `If-Match` (or `--if-match`) with another version than the entity has now.',
    remedy: 'Read the entity, and decide again.',
  },
  withdrawn: {
    meaning: 'The entity that had raised the event has withdrawn it before it began.',
    cause: 'Its action was aborted, or stopped waiting because of a deadlock or a time limit.',
    remedy: 'Nothing: the action is tried again and raises the event then, if it is still needed.',
    hint: 'Nothing is to be done: the event is raised again if it is still needed.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
