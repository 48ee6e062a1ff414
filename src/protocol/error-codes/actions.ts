import type { ErrorEntry } from './entry.js';

/** The codes with which an action fails, and with which an entity or operation ends badly. An action that fails is rolled back. */
export const ACTION_ERRORS = {
  aborted: {
    meaning: 'The action was aborted.',
    cause: 'An event that aborts the running action was accepted, such as one for `cancel`.',
    remedy: 'Nothing: the action of that event runs instead.',
  },
  action_changed: {
    meaning: 'An action, or the code of a component, asked for something else when it ran again.',
    cause:
      'Its code depends on something that differs between two runs, such as a variable outside, or new code was deployed in between.',
    remedy:
      'Make its requests depend only on its parameters, its context and earlier answers. Use `now()` for the time.',
  },
  action_ended: {
    meaning: 'An action used its context after it had ended.',
    cause: 'A promise that the action has started was not awaited.',
    remedy: 'Await everything that the action starts.',
  },
  attempts_exhausted: {
    meaning: 'The action has used up its attempts.',
    cause: 'It came back to the same state as often as `retry.attempts` permits, without an error.',
    remedy: 'Look at `reeve explain TYPE/KEY`. Fix the cause, and retry: `reeve retry TYPE/KEY`.',
  },
  deadlock: {
    meaning: 'Entities wait for each other, so none of them can continue.',
    cause: 'Each waits for a reservation or an event of the next one. The one that closes the circle gets this error.',
    remedy:
      'Nothing, if it is rare: its action is tried again. Otherwise reserve in one order, or all together with `reserveAll`.',
  },
  endless_code: {
    meaning: 'The code of an action did not end, or used up the memory of its thread.',
    cause: 'It has a loop without an end, or a list that grows without an end.',
    remedy: 'Fix the code, roll it out, and retry the entity.',
  },
  error_state: {
    meaning: 'The entity has come to rest in an error state, and no action has reported why.',
    cause: 'An action went to a state with `health: "error"` without an `error`.',
    remedy: 'Look at its transitions. Let the action give a reason: `goTo("Failed", { error: { code, message } })`.',
  },
  fixed_property_changed: {
    meaning: 'The action changed a property that is fixed.',
    cause: 'The declaration lists the property in `fixed`.',
    remedy: 'Do not change it, or remove it from `fixed`.',
  },
  infinite_loop: {
    meaning: 'Actions start each other without a pause.',
    cause: 'An action leads back to itself through states or events of entities, and none of them waits.',
    remedy: "Let one of them wait (`wait: '1s'`), or do not start the next one. The message names the last actions.",
  },
  input_too_large: {
    meaning: 'The input of a call is too large.',
    cause: 'It has more bytes of JSON than [the limits](../limits.md) permit.',
    remedy: 'Keep the data in a store of your own, and pass its address.',
  },
  invalid_collector: {
    meaning: 'An option of a collector is wrong.',
    cause: 'A count is not a whole number from 1.',
    remedy: 'Correct the option that the message names.',
  },
  key_reused: {
    meaning: 'An action used the idempotency key of an answered call for another input.',
    cause: 'An attempt makes the same call as an earlier attempt, with an input that has changed.',
    remedy:
      'End each piece of work by `nextRound()`, or take the input from what the entity holds. `reeve retry` runs it under new keys.',
  },
  lost: {
    meaning: 'An entity, or the workflow of a deployment, was terminated while something waited for it.',
    cause: 'Its workflow was terminated in Temporal, or an operator has marked it as lost.',
    remedy: 'Look at what waited for it, and repair or delete that. Do not terminate workflows of entities.',
  },
  meant_itself: {
    meaning: 'An action raised an event on its own entity, or read or reserved it.',
    cause: 'The key that was given is the key of the entity itself.',
    remedy: 'Go to a state with `goTo`, or use the properties of the context.',
  },
  no_answer_event: {
    meaning: 'The event cannot take an answer from outside.',
    cause: '`answerAddress` was given an event that is not declared with `answer: true`.',
    remedy: 'Declare the event with `answer: true`.',
  },
  no_next_round: {
    meaning: 'An action that an event starts has called `nextRound()`.',
    cause: 'Only an action that runs by itself in its state has rounds.',
    remedy: 'Use `goTo`.',
  },
  reservation_order: {
    meaning: 'An action reserved entities in an order that can lead to a deadlock.',
    cause: 'It holds a reservation that comes after the wanted one in key order.',
    remedy: 'Reserve all of them in one call of `reserveAll`, or in the order of their keys.',
  },
  several_answers: {
    meaning: 'Several calls of a collector were answered, where one answer was wanted.',
    cause: 'The collector has `several: "fail"`.',
    remedy: 'Use `several: "first"`, or make sure that only one resource answers.',
  },
  snapshot_too_large: {
    meaning: 'The action would leave the entity with more data than an entity can hold.',
    cause: 'Properties, subordinates or successors have grown beyond [the limits](../limits.md).',
    remedy: 'Keep large data in a resource, and its address in the properties.',
  },
  superseded: {
    meaning: 'The collector was decided without the answer of this call.',
    cause: 'Enough other calls were answered first.',
    remedy: 'Nothing: the call was canceled.',
  },
  too_few_answers: {
    meaning: 'Fewer calls of a collector were answered than it needs.',
    cause: 'Calls failed, or were not answered in time.',
    remedy: 'Look at the calls of the event: `reeve calls`. The action is tried again.',
  },
  too_many_components: {
    meaning: 'The action runs a tree of components that is too large.',
    cause: 'An action runs as many components as [the limits](../limits.md) permit.',
    remedy: 'Let a state deploy the tree (`deploys`).',
  },
  too_many_raised: {
    meaning: 'The action raised too many events at once.',
    cause: 'The requests that have not been accepted yet are limited in number and size.',
    remedy: 'Raise fewer at a time, and continue when these have been accepted.',
  },
  undeclared_raise: {
    meaning: 'The action raised an event that it does not declare.',
    cause: 'The declaration of the action has `raises` without this event.',
    remedy: 'Add the event to `raises` of the action.',
  },
  undeclared_target: {
    meaning: 'The action went to a state that it does not declare.',
    cause: 'The declaration of the action has `to` without this state.',
    remedy: 'Add the state to `to` of the action.',
  },
  unstorable_value: {
    meaning: 'A value cannot be stored or sent, since it is not JSON.',
    cause:
      'It has `undefined` in a list, a function, a class, `NaN`, a circle, or a text that PostgreSQL cannot store.',
    remedy: 'Change the value at the path that the message names.',
  },
  wait_timed_out: {
    meaning: 'The entity that the action waited for did not settle in time.',
    cause: 'It works for longer than `within`, or is stuck.',
    remedy: 'Run `reeve explain` on that entity. Make `within` longer if it only takes time.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
