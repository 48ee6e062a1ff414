import { followReplica, type Replica, type ReplicaStatus } from '../../../store/replica/index.js';
import { EXIT } from '../../exit.js';
import { printJsonLine } from '../../json.js';
import type { ReplicaOptions } from './options.js';
import { heldWords, statusLine } from './words.js';

/** Where no person looks at the screen, an unchanged state is told no more often. */
const REPEAT_EVERY_MS = 10_000;
/** With `--once`, a replica has caught up when it is behind by less: a busy store is never quite still. */
const CAUGHT_UP_MS = 1_000;

/** Keeps a replica, and shows how it is. */
export async function keep(replica: Replica, { once, anew, json }: ReplicaOptions): Promise<number> {
  const show = json ? (status: ReplicaStatus) => printJsonLine(status) : shownToPeople(replica);
  for await (const status of followReplica(replica, { ...(anew && { anew }) })) {
    show(status);
    if (once && status.state === 'following' && status.lag && status.lag.behind_ms < CAUGHT_UP_MS) break;
  }
  return EXIT.done;
}

function shownToPeople({ store, target }: Replica): (status: ReplicaStatus) => void {
  const screen = process.stdout.isTTY;
  let state: string | undefined;
  let shownAt = 0;
  return (status) => {
    if (state === undefined) {
      console.log(`${target.place} is a replica of the store at ${store.place}, also while this command does not run.`);
      if (status.held)
        console.log(`For the replica, ${heldWords(status)}. 'reeve replica --to ... --drop' removes it.`);
    }
    const changed = state !== status.state;
    if (screen) process.stdout.write(`${changed && state !== undefined ? '\n' : '\r'}\x1b[K${statusLine(status)}`);
    else if (changed || Date.now() - shownAt >= REPEAT_EVERY_MS) {
      console.log(`${new Date().toISOString()}  ${statusLine(status)}`);
      shownAt = Date.now();
    }
    state = status.state;
  };
}
