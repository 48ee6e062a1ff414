import { LIMITS, parseCohorts, Rollout, type Cohorts, type CountActions } from '../../../rollout/index.js';
import { countActions } from '../../../store/index.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { withOwnStore } from '../../store-session.js';
import { UsageError } from '../../usage-error.js';
import { numberOf, type RolloutCommandOptions } from './options.js';
import { endWords, progressReporter } from './words.js';
import { whoAsks } from './who-asks.js';
import { withRouting } from './with-routing.js';

const A_SECOND_MS = 1_000;

/** Rolls a build out. Exit code 1 when it was rolled back or stopped. */
export async function rollOut(build: string | undefined, options: RolloutCommandOptions): Promise<number> {
  if (build === undefined) {
    throw new UsageError(`Name the build to roll out. 'reeve rollout status' lists the builds that workers serve.`);
  }
  const cohorts = cohortsOf(options.cohorts);
  const [perSecond, soak] = [numberOf('rate', options.rate, Number.MIN_VALUE), numberOf('soak', options.soak, 0)];
  const limits = {
    ...LIMITS,
    failing: numberOf('max-failing', options.maxFailing, 0),
    failedPercent: numberOf('max-failed', options.maxFailed, 0),
  };
  const roll = (count?: CountActions) =>
    withRouting(async ({ client, taskQueue, routing }) => {
      const report = options.json ? () => undefined : progressReporter(build);
      const rollout = new Rollout({
        client,
        routing,
        taskQueue,
        build,
        ...whoAsks(build),
        perSecond,
        limits,
        countActions: count,
        noRollback: !options.rollback,
        report,
      });
      const end = await rollout.run(cohorts, soak * A_SECOND_MS, options.wait);
      if (options.json) printJson({ build, ...end });
      else console.log(endWords(build, end, cohorts.at(-1)!));
      return end.kind === 'done' ? EXIT.done : EXIT.failed;
    });
  if (options.withoutStore) return roll();
  return withOwnStore((store) => roll((span, takenOver) => countActions(store.reader, span, takenOver)));
}

function cohortsOf(text: string): Cohorts {
  try {
    return parseCohorts(text);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new UsageError(`--cohorts: ${thrown.message}`);
    throw thrown;
  }
}
