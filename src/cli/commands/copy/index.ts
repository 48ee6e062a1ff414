import type { Command } from 'commander';
import {
  dropCopy,
  promoteCopy,
  lookAtCopy,
  readCopies,
  verifyCopy,
  type CopyStatus,
} from '../../../store/copy/index.js';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { EXIT } from '../../exit.js';
import { printJson, printJsonList } from '../../json.js';
import { run } from '../../run.js';
import { Unreachable } from '../../unreachable.js';
import { keep } from './keep.js';
import { about, deedOf, withCopy, withStore, withTarget, type CopyOptions } from './options.js';
import { droppedWords, promotedWords, statusBlock, verificationWords } from './words.js';

const DESCRIPTION = `keep a second store: set up and watch a copy of the store in another PostgreSQL, until you stop it

PostgreSQL brings each row by logical replication, also while this command does not run; the command shows the lag, and mends
what replication alone does not: tables that migrations change or add. Repeating it does no harm, whatever was killed.

While nobody reads it, the store's server keeps its log for the copy: without a limit unless max_slot_wal_keep_size sets one.
End a copy that is no longer needed with --drop.`;

/** `reeve copy` A6 */
export function defineCopy(program: Command): void {
  program
    .command('copy')
    .summary('keep a second store: a copy of the store in another PostgreSQL')
    .description(DESCRIPTION)
    .option('--to <address>', `the copy's database: postgresql://user:password@host:port/database; also REEVE_COPY_TO`)
    .option(
      '--from <address>',
      `the store's database, where the copy's server reaches it by another address than this machine`,
    )
    .option('--once', 'set it up, wait until it has caught up, and end')
    .option('--anew', `begin the copy again: its rows are removed and copied once more`)
    .option('--status', 'show how the copy is, or without --to all copies of the store; changes nothing')
    .option('--verify', 'compare each row of both, as they are at one position; writers wait for a moment')
    .option('--promote', 'make a store of the copy, with all that was committed until now')
    .option('--stop-writes', 'with --promote: the old store takes no rows any more, so that the new one lacks none')
    .option('--without-store', 'with --promote: do without the last changes, also while the store is away')
    .option('--drop', `end the copy on both sides: its rows, and what the store's server keeps for it`)
    .option('--json', 'as JSON; while it watches, a document on a line of its own each time')
    .addHelpText(
      'after',
      examples(
        [
          'reeve copy --to postgresql://reeve:secret@standby:5432/reeve',
          'set up and watched; Ctrl-C ends the watching alone',
        ],
        [
          'REEVE_COPY_TO=postgresql://... reeve copy --status',
          'lag in seconds and rows; exit code 1 when it does not follow',
        ],
        ['reeve copy --to postgresql://... --verify', 'exit code 1 when a row differs'],
        ['reeve copy --to postgresql://... --promote --stop-writes', 'change over, and lose nothing'],
        ['reeve copy --to postgresql://... --promote --without-store', 'the store is gone'],
        ['reeve copy --to postgresql://... --drop', 'the store keeps no log for it any more'],
      ),
    )
    .action(run(copy));
}

async function copy(options: CopyOptions): Promise<number> {
  refuseRemote('copy', 'it works on the databases themselves, as their owner');
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
