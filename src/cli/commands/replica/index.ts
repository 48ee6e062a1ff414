import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { ReplicaOptions } from './options.js';

const DESCRIPTION = `keep a replica of the store in another PostgreSQL: set it up, and watch it until you stop the command

PostgreSQL replicates each row by logical replication, also while this command does not run. The command shows the lag, and adds
what replication does not bring: tables that migrations change or add. You can repeat it at any time.

While the replica does not read, the store's server keeps the log for it, without a limit unless max_slot_wal_keep_size sets one.
Remove a replica that you no longer need with --drop.`;

/** `reeve replica` A6 */
export function defineReplica(program: Command): void {
  program
    .command('replica')
    .summary('keep a replica of the store in another PostgreSQL')
    .description(DESCRIPTION)
    .option(
      '--to <address>',
      `the replica's database: postgresql://user:password@host:port/database; also REEVE_REPLICA_TO`,
    )
    .option(
      '--from <address>',
      `the address at which the replica's server reaches the store, if this machine uses another one`,
    )
    .option('--once', 'set it up, wait until it has caught up, and end')
    .option('--anew', `start the replica over: remove its rows, and copy them again`)
    .option('--status', 'show the status of the replica, or without --to of all replicas of the store; changes nothing')
    .option('--verify', 'compare all rows of both at one position; writers wait for a moment')
    .option('--promote', 'make the replica a store, with everything that was committed until now')
    .option('--stop-writes', 'with --promote: let the old store refuse rows, so that none is missing in the new one')
    .option('--without-store', 'with --promote: promote without the last changes, also while the store is unavailable')
    .option('--drop', `remove the replica: its rows, and what the store's server keeps for it`)
    .option('--json', 'as JSON; while it watches, one document a line')
    .addHelpText(
      'after',
      examples(
        [
          'reeve replica --to postgresql://reeve:secret@standby:5432/reeve',
          'set it up and watch it; Ctrl-C ends only the watching',
        ],
        [
          'REEVE_REPLICA_TO=postgresql://... reeve replica --status',
          'lag in seconds and rows; exit code 1 when it does not follow',
        ],
        ['reeve replica --to postgresql://... --verify', 'exit code 1 when a row differs'],
        ['reeve replica --to postgresql://... --promote --stop-writes', 'switch over without loss'],
        ['reeve replica --to postgresql://... --promote --without-store', 'the store is gone'],
        ['reeve replica --to postgresql://... --drop', 'the store no longer keeps its log for it'],
      ),
    )
    .action(run(replica));
}

async function replica(options: ReplicaOptions): Promise<number> {
  refuseRemote('replica', 'it works on the databases themselves, as their owner');
  // It has the code for PostgreSQL, for which other commands do not wait.
  return (await import('./do-replica.js')).doReplica(options);
}
