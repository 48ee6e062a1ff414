import type { HistoryEvent } from './history.js';

/*
 * Counts what a hosted service bills for a run ("actions"), as far as the history tells. Queries, rejected updates and heartbeats
 * are not in it. https://docs.temporal.io/cloud/actions
 */

/** Each of these events is billed once. */
const ONE = [
  'workflowExecutionContinuedAsNewEventAttributes',
  'workflowExecutionSignaledEventAttributes',
  'workflowExecutionUpdateAcceptedEventAttributes',
  'timerStartedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
] as const;
/** The units for a child workflow: its own start is billed with it. */
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
