import type { ErrorEntry } from './entry.js';

/** The codes that the handlers of components meet. */
export const COMPONENT_ERRORS = {
  abnormal: {
    meaning: 'The deployment has ended in a way that is not normal.',
    cause: 'One of its components failed, or a terminator ended it.',
    remedy: 'Look at the component that the message names, fix the cause, and deploy it again.',
  },
  attribute_wrong: {
    meaning: 'An attribute of a component has a value that its schema does not take.',
    cause: 'A reference led to such a value, or an event changed the attribute.',
    remedy: 'Correct the attribute that the message names.',
  },
  condition_ended: {
    meaning: 'The condition ended before it had an answer.',
    cause: 'Its component was terminated or failed while it was asked.',
    remedy: 'Look at the end of the component: `reeve deployments get NAME`.',
  },
  host_unreachable: {
    meaning: 'No worker on the host has taken the call in time.',
    cause: 'No worker serves the task queue of that host, or all of them are busy.',
    remedy: 'Start a worker on the host.',
  },
  not_evaluated: {
    meaning: 'The component cannot be asked as a condition.',
    cause: 'It is not a condition, is not up, or is being asked already.',
    remedy: 'Name a condition that is up, and ask it once at a time.',
  },
  not_supported: {
    meaning: 'The components cannot do this where they run.',
    cause: 'A deployment cannot wait for an answer from outside, and an action cannot detach components.',
    remedy: 'Run components with such calls in an action. Let a state deploy those that are to outlive the action.',
  },
  not_up: {
    meaning: 'The tree that was launched did not come up.',
    cause: 'One of its components failed while it started. The message has its description.',
    remedy: 'Look at the tree: `reeve deployments get NAME`.',
  },
  reference_failed: {
    meaning: 'A reference leads nowhere.',
    cause: 'The component or attribute that `ref(...)` names is not there now.',
    remedy: 'Correct the path that the message names.',
  },
  undeployed: {
    meaning: 'The deployment has failed before it was up.',
    cause: 'One of its components failed while it started.',
    remedy: 'Look at the tree: `reeve deployments get NAME`. Fix the cause, then deploy it again or retry the entity.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
