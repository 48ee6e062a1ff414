import type { Command } from 'commander';
import { refuseRemote } from '../../api/remote-settings.js';
import { examples } from '../../examples.js';
import { run } from '../../run.js';
import type { ReplicaOptions } from './options.js';

const DESCRIPTION = `keep a replica of the store in another PostgreSQL: set it up, and watch it until you stop the command

${[
  'Logical replication of PostgreSQL copies each row, whether this command runs or not. The command shows the lag. It also copies tables',
  'that a migration of the store has added or changed: run it again after a migration.',
].join(' ')}

${[
  "While the replica does not fetch changes, the store's server keeps the WAL for it. max_slot_wal_keep_size of PostgreSQL limits how much. Use",
  '--drop to remove a replica that you no longer need.',
].join(' ')}`;

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
      `the address at which the replica's server reaches the store, if this machine uses a different one`,
    )
    .option('--once', 'set it up, wait until it has caught up, and end')
    .option('--anew', 'remove all rows of the replica, and copy them again')
    .option('--status', 'show the status of the replica; without --to, of all replicas of the store')
    .option('--verify', 'compare all rows of the store and the replica; writers wait for a moment')
    .option(
      '--promote',
      'make the replica the store, after it has received everything that the old store has committed',
    )
    .option('--stop-writes', 'with --promote: make the old store read-only first, so that no row is lost')
    .option('--without-store', 'with --promote: do not wait for the store; its last changes may be lost')
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
          'the lag in seconds and rows; exit code 1 if replication has stopped',
        ],
        ['reeve replica --to postgresql://... --verify', 'exit code 1 if a row differs'],
        ['reeve replica --to postgresql://... --promote --stop-writes', 'a planned switch, without loss'],
        ['reeve replica --to postgresql://... --promote --without-store', 'if the store is lost'],
        ['reeve replica --to postgresql://... --drop', 'the store no longer keeps WAL for this replica'],
      ),
    )
    .action(run(replica));
}

async function replica(options: ReplicaOptions): Promise<number> {
  refuseRemote('replica', 'it works on the databases themselves, as their owner');
  // It has the code for PostgreSQL, for which other commands do not wait.
  return (await import('./do-replica.js')).doReplica(options);
}
