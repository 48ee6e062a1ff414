import { getClient } from '@temporalio/activity';
import type { InjectedSinks } from '@temporalio/worker';
import { nextTick } from '../definition/calendar/next-tick.js';
import { toMilliseconds, type Duration } from '../definition/duration.js';
import type { TickQuestion } from '../kernel/index.js';
import {
  CONFIRM_ACTIVITY,
  FIND_LOSSES_ACTIVITY,
  KEEP_ACTIVITY,
  LAST_LIFE_ACTIVITY,
  NEXT_TICKS_ACTIVITY,
  RECALL_ACTIVITY,
  TELL_LOSSES_ACTIVITY,
  type EntityRef,
} from '../protocol/names.js';
import { NOTHING_KNOWN } from '../protocol/past-request.js';
import type { RecordNames } from '../protocol/record-names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { Resumption } from '../protocol/resumption.js';
import { findLosses } from './keeper/find-losses.js';
import type { UntoldLoss } from './keeper/progress.js';
import { tellLosses } from './keeper/tell-losses.js';
import type { LossAnswer, LossQuestion } from './keeper/workflow.js';
import { readLastLife } from './last-life.js';
import type { RecordSinks } from './record-driver.js';
import type { RecordKeeper, RequestQuestion } from './record-keeper.js';
import type { Witness } from './witness.js';

/** Makes the activities that entities, operations and the keeper need themselves. */
export function ownActivities(records: RecordKeeper | undefined, lossesEvery: Duration) {
  return {
    [LAST_LIFE_ACTIVITY]: (of: EntityRef) => readLastLife(getClient(), of),
    [NEXT_TICKS_ACTIVITY]: async (questions: readonly TickQuestion[]) =>
      questions.map(({ after, ...calendar }) => nextTick(calendar, after)),
    [CONFIRM_ACTIVITY]: async (names: RecordNames) => (await records?.confirm(names)) ?? [],
    [RECALL_ACTIVITY]: async (question: RequestQuestion) => (await records?.recall(question)) ?? NOTHING_KNOWN,
    [KEEP_ACTIVITY]: async (kept: readonly StoreRecord[]) => records?.keep(kept),
    [FIND_LOSSES_ACTIVITY]: async (question: LossQuestion): Promise<LossAnswer> => ({
      ...(await findLosses(getClient(), question)),
      pauseMs: toMilliseconds(lossesEvery),
    }),
    [TELL_LOSSES_ACTIVITY]: (losses: readonly UntoldLoss[]) => tellLosses(getClient(), losses),
  };
}

/** Makes the way of records out of the sandbox to the store. */
export function recordSinks(
  records: RecordKeeper | undefined,
  witness: Witness | undefined,
): InjectedSinks<RecordSinks> {
  const offer = (_: unknown, offered: readonly StoreRecord[]) => {
    records?.offer(offered);
    witness?.note(offered);
  };
  const resume = (_: unknown, resumption: Resumption) => records?.resume(resumption);
  return {
    reeve: { offer: { fn: offer, callDuringReplay: false }, resume: { fn: resume, callDuringReplay: false } },
  };
}

/** A store that hears nothing, since a replay tells it everything again. */
const UNHEARD = { fn: () => undefined, callDuringReplay: false };
export const NO_STORE: InjectedSinks<RecordSinks> = { reeve: { offer: UNHEARD, resume: UNHEARD } };
