import type { temporal } from '@temporalio/proto';

type History = temporal.api.history.v1.IHistory;
type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/** The events that a workflow task leaves behind it: they follow its end directly. All others come from elsewhere. */
const LEFT_BY_TASKS = [
  'activityTaskScheduledEventAttributes',
  'activityTaskCancelRequestedEventAttributes',
  'timerStartedEventAttributes',
  'timerCanceledEventAttributes',
  'markerRecordedEventAttributes',
  'startChildWorkflowExecutionInitiatedEventAttributes',
  'signalExternalWorkflowExecutionInitiatedEventAttributes',
  'requestCancelExternalWorkflowExecutionInitiatedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
  'workflowPropertiesModifiedEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'workflowExecutionUpdateRejectedEventAttributes',
  'workflowExecutionUpdateCompletedEventAttributes',
  'workflowExecutionCompletedEventAttributes',
  'workflowExecutionFailedEventAttributes',
  'workflowExecutionCanceledEventAttributes',
  'workflowExecutionContinuedAsNewEventAttributes',
] as const satisfies readonly (keyof HistoryEvent)[];

/**
 * A history as far as the workflow has acted on it: up to the last task that was completed, and what that has left. A replay of the
 * rest would go on by itself, and tell what never happened. Nothing where no task was completed.
 */
export function whatHappened({ events }: History): History | undefined {
  const last = events?.findLastIndex((event) => event.workflowTaskCompletedEventAttributes) ?? -1;
  if (!events || last < 0) return undefined;
  let end = last + 1;
  while (events[end] && LEFT_BY_TASKS.some((name) => events[end]![name])) end++;
  return { events: events.slice(0, end) };
}
