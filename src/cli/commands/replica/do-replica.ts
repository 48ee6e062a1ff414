import {
  dropReplica,
  promoteReplica,
  lookAtReplica,
  readReplicas,
  verifyReplica,
  type ReplicaStatus,
} from '../../../store/replica/index.js';
import { EXIT } from '../../exit.js';
import { printJson, printJsonList } from '../../json.js';
import { Unreachable } from '../../unreachable.js';
import { keep } from './keep.js';
import { about, deedOf, withReplica, withStore, withTarget, type ReplicaOptions } from './options.js';
import { droppedWords, promotedWords, statusBlock, verificationWords } from './words.js';

/** Does what the options ask for. @returns the exit code */
export async function doReplica(options: ReplicaOptions): Promise<number> {
  switch (deedOf(options)) {
    case 'status':
      return options.to || process.env['REEVE_REPLICA_TO'] ? showOne(options) : showAll(options);
    case 'verify':
      return verify(options);
    case 'promote':
      return promote(options);
    case 'drop':
      return drop(options);
    default:
      return withReplica(options, (both) => keep(both, options));
  }
}

function showAll({ json }: ReplicaOptions): Promise<number> {
  return withStore(async (store) => {
    const found = await readReplicas(store);
    if (json) printJsonList(found);
    else if (found.length === 0) console.log(`The store at ${store.place} has no replicas.`);
    else console.log(found.map(statusBlock).join('\n\n'));
    return Math.max(EXIT.done, ...found.map(exitOf));
  });
}

function showOne(options: ReplicaOptions): Promise<number> {
  return withReplica(options, async (both) => {
    const status = await lookAtReplica(both);
    if (options.json) printJson(status);
    else console.log(statusBlock(status));
    return exitOf(status);
  });
}

function exitOf({ state }: ReplicaStatus): number {
  if (state === 'unreachable') return EXIT.unreachable;
  return state === 'following' || state === 'copying' ? EXIT.done : EXIT.failed;
}

function verify(options: ReplicaOptions): Promise<number> {
  return withReplica(options, async (both) => {
    const verification = await verifyReplica(both);
    if (options.json) printJson(verification);
    else console.log(verificationWords(verification));
    return verification.equal ? EXIT.done : EXIT.failed;
  });
}

async function promote(options: ReplicaOptions): Promise<number> {
  const { stopWrites, withoutStore } = options;
  const settings = { ...(stopWrites && { stopWrites }), ...(withoutStore && { withoutStore }) };
  const more = await about();
  const promoted = await withTarget(options, (target) =>
    withStore((store) => promoteReplica({ store, target, ...more }, settings)).catch((thrown: unknown) => {
      // The stack that knew where the store is does not run any more.
      if (!withoutStore || !(thrown instanceof Unreachable)) throw thrown;
      return promoteReplica({ store: undefined, target, ...more }, settings);
    }),
  );
  if (options.json) printJson(promoted);
  else console.log(promotedWords(promoted));
  return EXIT.done;
}

function drop(options: ReplicaOptions): Promise<number> {
  return withTarget(options, (target) =>
    withStore(async (store) => {
      const dropped = await dropReplica(store, target);
      if (options.json) printJson(dropped);
      else console.log(droppedWords(dropped, target.place));
      return dropped.problem === null ? EXIT.done : EXIT.unreachable;
    }),
  );
}
