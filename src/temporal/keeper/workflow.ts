import { scheduleActivity, scheduleLocalActivity } from '@temporalio/workflow';
import { FIND_LOSSES_ACTIVITY, TELL_LOSSES_ACTIVITY } from '../../protocol/names.js';
import { goOn } from '../go-on.js';
import { runOfThis } from '../run.js';
import { untilHolds } from '../until-holds.js';
import { advance, firstProgress, type Findings, type KeeperProgress, type UntoldLoss } from './progress.js';

/** The question to the service: a search that stays cheap, since it is bounded in time and by what is known already. */
export interface LossQuestion {
  readonly types: readonly string[];
  readonly since: number;
  readonly known: readonly string[];
}

/** The answer, with the pause before the next question in milliseconds, as the worker is set. */
export interface LossAnswer extends Findings {
  readonly pauseMs: number;
}

/**
 * How many questions and batches one run has at most. So its history stays short, and a worker that takes it over replays
 * little.
 */
const LONGEST_RUN = 300;
/** How many losses one activity tells. With more, others would wait for long when its worker dies. */
const BATCH = 50;
/** The longest pause before a loss is told again that could not be told, in milliseconds. */
const AGAIN_MS = 5_000;

/**
 * The keeper: one workflow for each namespace and task queue. It finds entities that did not end by themselves, and tells their
 * watchers. While all is at rest, it costs one question every few seconds. Who wakes it has it ask at once, in a new run. S4.4
 */
export async function keeperWorkflow(types: readonly string[], input: KeeperProgress | undefined): Promise<never> {
  const run = runOfThis();
  const { clock } = run;
  let progress = input ?? firstProgress(clock.now());
  const mayGoOn = () => run.isWoken && run.isOldEnough;
  for (let done = 0; done < LONGEST_RUN && !mayGoOn(); done++) {
    const askedAt = clock.now();
    const answer = await find({ types, since: progress.since, known: progress.known.map(({ run }) => run) });
    const losses: readonly UntoldLoss[] = [...progress.untold, ...answer.found.map((loss) => ({ ...loss, tries: 0 }))];
    const untold: UntoldLoss[] = [];
    for (let first = 0; first < losses.length; first += BATCH) {
      untold.push(...(await tell(losses.slice(first, first + BATCH))));
      done++;
    }
    progress = advance(progress, answer, untold, askedAt);
    const pauseMs = progress.untold.length > 0 ? Math.min(answer.pauseMs, AGAIN_MS) : answer.pauseMs;
    if (!answer.more) await clock.until(untilHolds('until the next question'), mayGoOn, pauseMs);
  }
  return goOn(progress);
}

/** A local activity, so that a question that finds nothing leaves almost nothing in history. */
function find(question: LossQuestion): Promise<LossAnswer> {
  return scheduleLocalActivity<LossAnswer>(FIND_LOSSES_ACTIVITY, [question], {
    startToCloseTimeout: '20s',
    retry: { initialInterval: '1s', maximumInterval: '5s' },
  });
}

function tell(losses: readonly UntoldLoss[]): Promise<readonly UntoldLoss[]> {
  return scheduleActivity<readonly UntoldLoss[]>(TELL_LOSSES_ACTIVITY, [losses], {
    startToCloseTimeout: '5m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '1s', maximumInterval: '5s' },
    summary: `tell of ${losses.length} losses`,
  });
}
