import {
  dropCopy,
  promoteCopy,
  lookAtCopy,
  readCopies,
  verifyCopy,
  type CopyStatus,
} from '../../../store/copy/index.js';
import { EXIT } from '../../exit.js';
import { printJson, printJsonList } from '../../json.js';
import { Unreachable } from '../../unreachable.js';
import { keep } from './keep.js';
import { about, deedOf, withCopy, withStore, withTarget, type CopyOptions } from './options.js';
import { droppedWords, promotedWords, statusBlock, verificationWords } from './words.js';

/** Does what the options ask for. @returns the exit code */
export async function doCopy(options: CopyOptions): Promise<number> {
  switch (deedOf(options)) {
    case 'status':
      return options.to || process.env['REEVE_COPY_TO'] ? showOne(options) : showAll(options);
    case 'verify':
      return verify(options);
    case 'promote':
      return promote(options);
    case 'drop':
      return drop(options);
    default:
      return withCopy(options, (both) => keep(both, options));
  }
}

function showAll({ json }: CopyOptions): Promise<number> {
  return withStore(async (store) => {
    const found = await readCopies(store);
    if (json) printJsonList(found);
    else if (found.length === 0) console.log(`The store at ${store.place} has no copies.`);
    else console.log(found.map(statusBlock).join('\n\n'));
    return Math.max(EXIT.done, ...found.map(exitOf));
  });
}

function showOne(options: CopyOptions): Promise<number> {
  return withCopy(options, async (both) => {
    const status = await lookAtCopy(both);
    if (options.json) printJson(status);
    else console.log(statusBlock(status));
    return exitOf(status);
  });
}

function exitOf({ state }: CopyStatus): number {
  if (state === 'unreachable') return EXIT.unreachable;
  return state === 'following' || state === 'copying' ? EXIT.done : EXIT.failed;
}

function verify(options: CopyOptions): Promise<number> {
  return withCopy(options, async (both) => {
    const verification = await verifyCopy(both);
    if (options.json) printJson(verification);
    else console.log(verificationWords(verification));
    return verification.equal ? EXIT.done : EXIT.failed;
  });
}

async function promote(options: CopyOptions): Promise<number> {
  const { stopWrites, withoutStore } = options;
  const settings = { ...(stopWrites && { stopWrites }), ...(withoutStore && { withoutStore }) };
  const more = await about();
  const promoted = await withTarget(options, (target) =>
    withStore((store) => promoteCopy({ store, target, ...more }, settings)).catch((thrown: unknown) => {
      // The stack that knew where the store is does not run any more.
      if (!withoutStore || !(thrown instanceof Unreachable)) throw thrown;
      return promoteCopy({ store: undefined, target, ...more }, settings);
    }),
  );
  if (options.json) printJson(promoted);
  else console.log(promotedWords(promoted));
  return EXIT.done;
}

function drop(options: CopyOptions): Promise<number> {
  return withTarget(options, (target) =>
    withStore(async (store) => {
      const dropped = await dropCopy(store, target);
      if (options.json) printJson(dropped);
      else console.log(droppedWords(dropped, target.place));
      return dropped.problem === null ? EXIT.done : EXIT.unreachable;
    }),
  );
}
