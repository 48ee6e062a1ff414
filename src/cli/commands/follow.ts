import type { Command } from 'commander';
import { followEntity, type EntityReading } from '../api/entity.js';
import { withApi } from '../api/with-api.js';
import { parseTarget } from '../arguments.js';
import { colours as pc } from '../colours.js';
import { examples } from '../examples.js';
import { EXIT } from '../exit.js';
import { printJsonLine } from '../json.js';
import { meantBy } from '../key-by-parts.js';
import { formatFullTime } from '../list/time.js';
import { namesForPeople } from '../names-for-people.js';
import { describeState } from '../state-words.js';
import { run } from '../run.js';

interface FollowOptions {
  readonly until?: string;
  readonly utc?: boolean;
  readonly json?: boolean;
}

/** `reeve follow LogicalServer/orders` A6, S6.1 */
export function defineFollow(program: Command): void {
  program
    .command('follow')
    .description('show the changes of an entity as they happen, until it is deleted or you stop the command')
    .argument('<entity>', 'type and key, like LogicalServer/orders')
    .option('--until <state>', 'stop when it has settled in that state')
    .option('--utc', 'times in UTC')
    .option('--json', 'each change as one JSON document a line')
    .addHelpText(
      'after',
      examples(
        ['reeve follow LogicalServer/orders', 'a line for each change, until Ctrl-C'],
        ['reeve follow LogicalServer/orders --until Ready', 'for scripts: exit code 1 if it is deleted first'],
        [
          'reeve follow LogicalServer/orders --json | jq .state',
          'its state after each change; each document has the whole entity',
        ],
      ),
    )
    .action(run(followChanges));
}

async function followChanges(target: string, options: FollowOptions): Promise<number> {
  const written = parseTarget(target);
  return withApi('workflows', async (api) => {
    const names = await namesForPeople(api);
    const until = options.until === undefined ? undefined : names.statesCalled(options.until, written.type);
    let shown: string | undefined;
    for await (const reading of followEntity(api, await meantBy(api, written))) {
      const { entity, gone } = reading;
      if (options.json) printJsonLine({ ...entity, gone });
      else {
        const line = formatChange({ entity: names.entity(entity), gone });
        // Other changes do not show in this line.
        if (line !== shown) console.log(`${pc.dim(formatTime(entity.reported_time, options))}  ${line}`);
        shown = line;
      }
      if (until?.includes(entity.state) && (entity.settled || gone)) return EXIT.done;
    }
    return until === undefined ? EXIT.done : EXIT.failed;
  });
}

function formatChange({ entity, gone }: EntityReading): string {
  const settled = gone ? '  gone' : entity.settled ? '  settled' : '';
  return `${String(entity.version).padStart(4)}  ${describeState(entity, pc)}${pc.dim(settled)}`;
}

function formatTime(at: string, { utc = false }: FollowOptions): string {
  return formatFullTime(at, { now: Date.now(), utc });
}
