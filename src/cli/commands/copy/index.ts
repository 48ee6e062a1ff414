import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { CopyOptions } from './options.js';

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
    .option('--without-store', 'with --promote: promote without the last changes, also while the store is unavailable')
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
  // It has the code for PostgreSQL, for which other commands do not wait.
  return (await import('./do-copy.js')).doCopy(options);
}
