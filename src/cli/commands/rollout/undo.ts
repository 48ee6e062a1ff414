import { Rollout, type Routing } from '../../../rollout/index.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { UsageError } from '../../usage-error.js';
import { numberOf, type UndoOptions } from './options.js';
import { endWords, progressReporter } from './words.js';
import { withRouting } from './with-routing.js';

/** Rolls a build back. Exit code 1 when something runs on it still. */
export async function undo(named: string | undefined, options: UndoOptions): Promise<number> {
  const perSecond = numberOf('rate', options.rate, Number.MIN_VALUE);
  return withRouting(async ({ client, taskQueue, routing }) => {
    const build = named ?? latest(await routing.read());
    if (build === undefined) throw new UsageError('No build has been rolled out, so there is nothing to roll back.');
    const report = options.json ? () => undefined : progressReporter(build);
    const rollout = new Rollout({ client, routing, taskQueue, build, perSecond, report });
    const end = await rollout.undo('an operator asked for it');
    if (options.json) printJson({ build, ...end });
    else console.log(endWords(build, end));
    return end.left === 0 ? EXIT.done : EXIT.failed;
  });
}

/** The build that is being rolled out, or was rolled out last. */
function latest(routing: Routing | undefined): string | undefined {
  const begun = (routing?.builds ?? []).filter(({ note }) => note !== undefined);
  const last = begun.toSorted((one, other) => other.note!.since - one.note!.since)[0];
  return routing?.ramp?.build ?? last?.build;
}
