import type { HistoryEvent } from './history.js';

/*
 * What a hosted service bills ("actions") for a run, as far as its history tells: not for queries, rejected updates and
 * heartbeats. https://docs.temporal.io/cloud/actions
 */

/** Billed once each. */
const ONE = [
  'workflowExecutionContinuedAsNewEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'timerStartedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
] as const;
/** Its own start is billed with it. */
const CHILD = 2;

export function billedUnits(events: readonly HistoryEvent[]): number {
  const localActivityTasks = new Set<string>();
  let units = 0;
  for (const event of events) {
    const started = event.workflowExecutionStartedEventAttributes;
    if (started && !started.parentWorkflowExecution && !started.continuedExecutionRunId) units++;
    if (ONE.some((attributes) => event[attributes])) units++;
    if (event.startChildWorkflowExecutionInitiatedEventAttributes) units += CHILD;
    units += event.activityTaskStartedEventAttributes?.attempt ?? 0;
    const marker = event.markerRecordedEventAttributes;
    if (marker) localActivityTasks.add(String(marker.workflowTaskCompletedEventId));
  }
  return units + localActivityTasks.size;
}
