/*
 * Stands between the SDK and workflow code: see `kernel/run/workflow-task.ts`. It is part of every bundle.
 */
import { defaultPayloadConverter, setCurrentDetails, type WorkflowInterceptors } from '@temporalio/workflow';
import { type HistoryPlace, TaskGate } from '../kernel/index.js';
import { AHEAD_OF_HISTORY } from '../protocol/names.js';
import { restoreBuiltIns } from './frozen-built-ins.js';
import { isOwnWorkflow } from './own-workflow.js';
import { refuseSignals } from './refused-signals.js';
import { runOfThis, type TaskInfo } from './run.js';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Command = Parameters<NonNullable<Internals['concludeActivation']>>[0]['commands'][number];

/** The SDK's name for a read that comes without any other work. */
const READ_BY_ITSELF = 'legacy_query';
/** The SDK's name for the question of Temporal's UI what a workflow is about. */
const ASKS_FOR_DETAILS = '__temporal_workflow_metadata';

export const interceptors = (): WorkflowInterceptors => (isOwnWorkflow() ? BUILT_INS_ALONE : gated());

/** For a workflow of the project's own: it shares the built-ins with the others, and nothing else. */
const BUILT_INS_ALONE: WorkflowInterceptors = {
  internals: [
    {
      activate: (input, next) => {
        restoreBuiltIns();
        return next(input);
      },
      concludeActivation: (input, next) => {
        restoreBuiltIns();
        return next(input);
      },
    },
  ],
};

function gated(): WorkflowInterceptors {
  const run = runOfThis();
  const gate = new TaskGate();
  const mark = new Mark();
  let reads = false;
  let wasReplayed = false;
  return {
    inbound: [
      {
        validateUpdate: (input, next) => run.task.judge(() => next(input)),
        handleUpdate: (input, next) => {
          run.task.accept();
          return next(input);
        },
      },
    ],
    internals: [
      {
        activate: (input, next) => {
          restoreBuiltIns();
          run.endless.markAgain();
          const { activation } = input;
          const jobs = activation.jobs ?? [];
          refuseSignals(jobs);
          const place = placeOf(activation);
          reads = jobs.some(({ queryWorkflow }) => queryWorkflow);
          if (reads) {
            const byItself = jobs.some(({ queryWorkflow }) => queryWorkflow?.queryId === READ_BY_ITSELF);
            if (byItself && gate.mayBeUnfinished(place.events)) throw new Error(AHEAD_OF_HISTORY);
            if (run.details && jobs.some(({ queryWorkflow }) => queryWorkflow?.queryType === ASKS_FOR_DETAILS))
              setCurrentDetails(run.details());
            return next(input);
          }
          if (gate.isAhead(place)) throw new Error(AHEAD_OF_HISTORY);
          gate.enter(place, {
            took: jobs.some(leavesEvent),
            answers: jobs.filter(isInlineAnswer).length,
            replayed: activation.isReplaying === true,
          });
          run.length.take(jobs);
          run.clock.enter();
          if (activation.timestamp) run.task.enter(infoOf(activation), !jobs.every(({ doUpdate }) => doUpdate));
          const isResumed = wasReplayed && !activation.isReplaying;
          wasReplayed = activation.isReplaying === true;
          if (isResumed) run.whenResumed?.();
          return next(input);
        },
        concludeActivation: (input, next) => {
          restoreBuiltIns();
          // Reads are not in history, so they are not counted.
          if (reads) return next(gate.mayBeRead ? input : { commands: input.commands.filter(isNoAnswerToATask) });
          run.length.send(input.commands);
          const inline = input.commands.filter(({ scheduleLocalActivity }) => scheduleLocalActivity).length;
          const marks = gate.leave(asksForSomething(input.commands), inline);
          return next(marks ? { commands: [...input.commands, mark.next()] } : input);
        },
      },
    ],
  };
}

function placeOf({ timestamp, historyLength, historySizeBytes }: Activation): HistoryPlace {
  return {
    time: `${String(timestamp?.seconds)}.${timestamp?.nanos ?? 0}`,
    events: historyLength ?? 0,
    bytes: Number(historySizeBytes ?? 0),
  };
}

function infoOf({ timestamp, continueAsNewSuggested }: Activation): TaskInfo {
  const time = Number(timestamp?.seconds ?? 0) * 1_000 + Math.floor((timestamp?.nanos ?? 0) / 1e6);
  return { time, suggestsNewRun: continueAsNewSuggested === true };
}

/**
 * Tells whether a job leaves an event of its own later: an update leaves one with its answer, unless it is refused, and a local
 * activity one with its marker.
 */
function leavesEvent(job: Job): boolean {
  return !job.doUpdate && !isInlineAnswer(job);
}

function isInlineAnswer(job: Job): boolean {
  return job.resolveActivity?.isLocal === true;
}

/** Tells whether a command may stay when reads have to wait. A read that has a task of its own is always answered. */
function isNoAnswerToATask({ respondToQuery }: Command): boolean {
  return !respondToQuery || respondToQuery.queryId === READ_BY_ITSELF;
}

/**
 * Tells whether a task with these commands leaves an event of its own. A timer that is cancelled in the task in which it begins leaves
 * none.
 */
function asksForSomething(commands: readonly Command[]): boolean {
  const begun = commands.flatMap(({ startTimer }) => (startTimer ? [startTimer.seq] : []));
  const cancelled = commands.flatMap(({ cancelTimer }) => (cancelTimer ? [cancelTimer.seq] : []));
  return commands.some(({ startTimer, cancelTimer, updateResponse }) => {
    if (startTimer) return !cancelled.includes(startTimer.seq);
    if (cancelTimer) return !begun.includes(cancelTimer.seq);
    return !updateResponse?.rejected;
  });
}

/** A mark is a timer that never ends: one mark begins it, the next mark cancels it. */
class Mark {
  /** A number far from those of workflow code, whose timers the SDK counts from 1. */
  static readonly #SEQ = 4_000_000_000;
  static readonly #SECONDS = 100 * 365 * 24 * 3_600;
  #begun = 0;
  #runs = false;

  next(): Command {
    this.#runs = !this.#runs;
    if (!this.#runs) return { cancelTimer: { seq: Mark.#SEQ + this.#begun } };
    this.#begun++;
    return {
      startTimer: { seq: Mark.#SEQ + this.#begun, startToFireTimeout: { seconds: Mark.#SECONDS as never, nanos: 0 } },
      userMetadata: { summary: defaultPayloadConverter.toPayload('keeps tasks apart') },
    };
  }
}
