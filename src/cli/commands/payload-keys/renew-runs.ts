import { setTimeout as delay } from 'node:timers/promises';
import { Fleet, renewRuns, Waker } from '../../../rollout/index.js';
import { colours as pc } from '../../colours.js';
import { counted } from '../../counted.js';
import { EXIT } from '../../exit.js';
import { progressLine } from '../../progress-line.js';
import { numberOf } from '../rollout/options.js';
import { withRouting } from '../rollout/with-routing.js';

export interface RenewOptions {
  readonly rate: string;
  readonly wait: boolean;
}

/** After so many milliseconds, each process that has the file uses the key to which it was rotated. */
const KEY_TAKEN_WITHIN_MS = 1_000;

/** Exit code 1 when runs from before are left. */
export async function renewAll({ rate, wait }: RenewOptions): Promise<number> {
  const perSecond = numberOf('rate', rate, Number.MIN_VALUE);
  return withRouting(async ({ client, taskQueue, routing }) => {
    await delay(KEY_TAKEN_WITHIN_MS);
    const before = Date.now();
    const show = progressLine();
    const left = await renewRuns(before, {
      fleet: new Fleet(client, routing.deployment, taskQueue),
      waker: new Waker(client, perSecond),
      waits: wait,
      report: ({ left: now, woken }) =>
        show(`${counted(now, 'run')} from before, ${counted(woken, 'workflow')} signaled`),
    });
    const time = new Date(before).toISOString();
    if (left === 0) {
      console.log(
        `${pc.green(`Everything that runs began after ${time}.`)} You can destroy the keys from which you had rotated by then, once you no ` +
          `longer need older histories: reeve payload-keys destroy ID.`,
      );
      return EXIT.done;
    }
    console.log(
      `${pc.yellow(`${counted(left, 'run')} from before ${time} ${left === 1 ? 'is' : 'are'} left:`)} actions run there, or reservations are ` +
        `held. Run it again: reeve payload-keys renew.`,
    );
    return EXIT.failed;
  });
}
