import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, it } from 'vitest';
import { billedUnits } from '../../tools/bench/billing.js';
import { commitTimes, firstTaskEnd, type HistoryEvent } from '../../tools/bench/history.js';

const at = (seconds: number): HistoryEvent => ({ eventTime: msToTs(seconds * 1_000) });
const taskEnd = (seconds: number): HistoryEvent => ({ ...at(seconds), workflowTaskCompletedEventAttributes: {} });
const answer = (seconds: number): HistoryEvent => ({ ...at(seconds), activityTaskCompletedEventAttributes: {} });
const marker = (task: number) =>
  ({ markerRecordedEventAttributes: { workflowTaskCompletedEventId: task } }) as unknown as HistoryEvent;

describe('times in a history', () => {
  it('are those of the task after each activity, and of the first one', () => {
    const events = [taskEnd(1), answer(2), taskEnd(3), answer(4), taskEnd(5), answer(6)];
    expect(commitTimes(events)).toEqual([3_000, 5_000]);
    expect(firstTaskEnd(events)).toBe(1_000);
    expect(firstTaskEnd([])).toBeUndefined();
  });
});

describe('billed units', () => {
  it('count what is billed once each, and a child twice', () => {
    const events: readonly HistoryEvent[] = [
      { workflowExecutionStartedEventAttributes: {} },
      { workflowTaskCompletedEventAttributes: {} },
      { workflowExecutionUpdateAcceptedEventAttributes: {} },
      { workflowExecutionUpdateCompletedEventAttributes: {} },
      { upsertWorkflowSearchAttributesEventAttributes: {} },
      { timerStartedEventAttributes: {} },
      { timerCanceledEventAttributes: {} },
      { workflowExecutionSignaledEventAttributes: {} },
      { startChildWorkflowExecutionInitiatedEventAttributes: {} },
      { workflowExecutionContinuedAsNewEventAttributes: {} },
    ];
    expect(billedUnits(events)).toBe(8);
  });

  it('do not count the start of a child or of a new run again', () => {
    expect(billedUnits([{ workflowExecutionStartedEventAttributes: { parentWorkflowExecution: {} } }])).toBe(0);
    expect(billedUnits([{ workflowExecutionStartedEventAttributes: { continuedExecutionRunId: 'a' } }])).toBe(0);
  });

  it('count each attempt of an activity, and the local activities of a task once', () => {
    expect(billedUnits([{ activityTaskStartedEventAttributes: { attempt: 3 } }])).toBe(3);
    expect(billedUnits([marker(4), marker(4), marker(9)])).toBe(2);
  });
});
