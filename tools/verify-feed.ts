import { DefaultLogger, Runtime } from '@temporalio/worker';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { Random } from '../src/simulation/index.js';
import { feedUnderKills } from './feed/trial.js';

const HELP = `npm run verify-feed -- [--changes N] [--seed N]

64 writers raise events, and 20 listeners hear of them over HTTP. Meanwhile the listeners are killed all the time and go on after what
they have kept, and PostgreSQL is killed twice, all with SIGKILL. Each listener has to hear of every change once or more, in order for
each entity, and of nothing that did not happen. A6

  --changes N  how many changes (default: 100000)
  --seed N     other moments (default: 1)

Exit codes: 0 nothing is wrong; 1 something is; 2 the command was not right.`;

Runtime.install({ logger: new DefaultLogger('ERROR') });
process.exit(await main());

async function main(): Promise<number> {
  let changes: number;
  let seed: number;
  try {
    const { values } = parseArgs({
      options: {
        changes: { type: 'string', default: '100000' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    [changes, seed] = [Number(values.changes), Number(values.seed)];
    if (!Number.isInteger(changes) || changes < 1 || !Number.isInteger(seed)) {
      throw new TypeError('changes and seed are whole numbers, and there is at least one change');
    }
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const random = new Random(seed);
  const problems = await feedUnderKills({
    ...{ changes, writers: 64, listeners: 20, kills: 2 },
    chance: () => random.next(),
    report: (line) => console.log(pc.dim(line)),
  });
  for (const problem of problems) console.log(pc.red(problem));
  console.log(
    problems.length === 0 ? pc.green('every listener has heard of everything, in order') : pc.red('something is wrong'),
  );
  return problems.length === 0 ? 0 : 1;
}
