import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../src/simulation/random.js';
import { runningPid } from '../../src/stack/postgres.js';
import type { Mortals } from '../mortals.js';
import type { ComponentProcess } from './settings.js';

/** For how long a worker stands still, and how long all of them run in between, in milliseconds. */
const FROZEN_MS = [100, 3_000] as const;
const BETWEEN_MS = [100, 3_000] as const;
/** After so many of these PostgreSQL is killed. */
const FREEZES_BEFORE_KILL = 4;

interface Disturbed {
  readonly mortals: Mortals<ComponentProcess>;
  /** The names of workers that run trees. */
  readonly workers: readonly string[];
  /** The folder of the stack. */
  readonly home: string;
  readonly random: Random;
}

/**
 * Freezes one of the workers again and again: Temporal gives up tasks that it holds, and the others take what has piled up. Kills
 * PostgreSQL now and then, so that entities have to keep their records. `end` gives what was done.
 */
export function disturb({ mortals, workers, home, random }: Disturbed): { end(): Promise<string> } {
  let isOver = false;
  let freezes = 0;
  let kills = 0;
  const someOf = ([least, most]: readonly [number, number]) => least + random.below(most - least);
  const run = async () => {
    while (!isOver) {
      await delay(someOf(BETWEEN_MS));
      await mortals.freeze(random.pick(workers), someOf(FROZEN_MS));
      freezes++;
      if (freezes % FREEZES_BEFORE_KILL !== 0) continue;
      // It may still come up after the kill before.
      const pid = await runningPid(join(home, 'postgres'));
      if (pid === undefined) continue;
      process.kill(pid, 'SIGKILL');
      kills++;
    }
  };
  const running = run();
  return {
    async end() {
      isOver = true;
      await running;
      return `a worker that runs trees stood still ${freezes} times, and PostgreSQL was killed ${kills} times`;
    },
  };
}
