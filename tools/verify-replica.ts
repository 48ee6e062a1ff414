import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pc from 'picocolors';
import { Random } from '../src/simulation/index.js';
import { replicaUnderKills } from './replica/trial.js';

const HELP = `npm run verify-replica -- [--kills N] [--seed N]

Keeps a replica of a store with 'reeve replica' while rows are written all the time, and kills, with SIGKILL and in turns, the command,
the store's PostgreSQL and the replica's. Then it compares both at one position, promotes the replica and uses it as a store. A6

  --kills N  how many kills (default: 20)
  --seed N   other moments (default: 1)

Exit codes: 0 nothing is wrong; 1 something is; 2 the command was not right.`;

process.exitCode = await main();

async function main(): Promise<number> {
  let kills: number;
  let seed: number;
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string', default: '20' },
        seed: { type: 'string', default: '1' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(HELP);
      return 0;
    }
    [kills, seed] = [Number(values.kills), Number(values.seed)];
    if (!Number.isInteger(kills) || kills < 0 || !Number.isInteger(seed)) {
      throw new TypeError('kills and seed are whole numbers');
    }
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'reeve-replica-'));
  try {
    const report = (line: string) => console.log(pc.dim(line));
    const problems = await replicaUnderKills({ folder, kills, random: new Random(seed), report });
    for (const problem of problems) console.log(pc.red(problem));
    console.log(
      problems.length === 0 ? pc.green(`${kills} kills: the replica is the store`) : pc.red('something is wrong'),
    );
    return problems.length === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
