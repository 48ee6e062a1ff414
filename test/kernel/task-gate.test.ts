import { expect, it } from 'vitest';
import { TaskGate, type HistoryPlace } from '../../src/kernel/index.js';

const place = (events: number, time: string): HistoryPlace => ({ time, events, bytes: events });
const came = { took: true, answers: 0 };

it('refuses a read that brings a task of another worker, also where that worker was read before (L7, workflow-task.1)', () => {
  const gate = new TaskGate();
  gate.enter(place(5, '1'), { ...came, replayed: true });
  // All that is shown is in history.
  expect(gate.mayBeUnfinished(5)).toBe(false);
  gate.enter(place(15, '2'), { ...came, replayed: false });
  expect(gate.mayBeUnfinished(15)).toBe(true);
});

it('answers reads beside the tasks that it does itself (workflow-task.1)', () => {
  const gate = new TaskGate();
  gate.enter(place(3, '1'), { ...came, replayed: false });
  // Everything that the task has left in history comes with the read.
  expect(gate.mayBeUnfinished(6)).toBe(false);
  gate.enter(place(9, '2'), { ...came, replayed: false });
  expect(gate.mayBeUnfinished(9)).toBe(false);
});
