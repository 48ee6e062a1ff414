import { Rollout, type Routing } from '../../../rollout/index.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { UsageError } from '../../usage-error.js';
import { numberOf, type UndoOptions } from './options.js';
import { endWords, progressReporter } from './words.js';
import { whoAsks } from './who-asks.js';
import { withRouting } from './with-routing.js';

/** Rolls a build back. Exit code 1 when something runs on it still. */
export async function undo(named: string | undefined, options: UndoOptions): Promise<number> {
  const perSecond = numberOf('rate', options.rate, Number.MIN_VALUE);
  return withRouting(async ({ client, taskQueue, routing }) => {
    const build = buildToLeave(named, await routing.read());
    const report = options.json ? () => undefined : progressReporter(build);
    const rollout = new Rollout({ client, routing, taskQueue, build, perSecond, report, ...whoAsks(build) });
    const end = await rollout.undo('an operator asked for it');
    if (options.json) printJson({ build, ...end });
    else console.log(endWords(build, end));
    return end.left === 0 ? EXIT.done : EXIT.failed;
  });
}

/** Gives the build that is named, or that is being rolled out, or was rolled out last. @throws UsageError where there is none */
export function buildToLeave(named: string | undefined, routing: Routing | undefined): string {
  const build = named ?? latest(routing);
  if (build === undefined) throw new UsageError('No build has been rolled out, so there is nothing to roll back.');
  const builds = (routing?.builds ?? []).map((each) => each.build);
  if (builds.includes(build)) return build;
  const names = builds.length === 0 ? 'No worker has reported its build.' : `The builds are: ${builds.join(', ')}.`;
  throw new UsageError(`There is no build '${build}'. ${names}`);
}

function latest(routing: Routing | undefined): string | undefined {
  const begun = (routing?.builds ?? []).filter(({ note }) => note !== undefined);
  const last = begun.toSorted((one, other) => other.note!.since - one.note!.since)[0];
  return routing?.ramp?.build ?? last?.build;
}
