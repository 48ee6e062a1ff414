import type { ErrorEntry } from './entry.js';

/** The codes of `reeve replica`. */
export const REPLICA_ERRORS = {
  being_promoted: {
    meaning: 'The replica is being promoted.',
    cause: 'A promotion was begun and has not ended.',
    remedy: 'Finish it: `reeve replica --to ... --promote`.',
  },
  busy: {
    meaning: 'Another command is changing the replica.',
    cause: 'Two `reeve replica` commands run on the same replica.',
    remedy: 'Try again when the other one has ended.',
  },
  dropped: {
    meaning: 'The replica was dropped or promoted while it was followed.',
    cause: 'Another command has done that.',
    remedy: 'Look at `reeve replica --status`.',
    hint: "'reeve replica --status' lists the replicas.",
  },
  no_free_slot: {
    meaning: 'The server of the store has no free replication slot.',
    cause: '`max_replication_slots` is used up.',
    remedy: 'Set it higher and restart the server, or drop a replica that you no longer need: `reeve replica --drop`.',
  },
  no_replica: {
    meaning: 'The database is not a replica of this store.',
    cause: 'The address is wrong, or the replica was promoted or dropped.',
    remedy: 'Look at `reeve replica --status`.',
    hint: "'reeve replica --status' lists the replicas.",
  },
  no_replication_workers: {
    meaning: 'The server of the replica has no workers for replication.',
    cause: '`max_logical_replication_workers` is 0.',
    remedy: 'Set it on that server and restart the server.',
  },
  no_wal_senders: {
    meaning: 'The server of the store cannot send changes.',
    cause: '`max_wal_senders` is 0.',
    remedy: 'Set it on that server and restart the server.',
  },
  not_caught_up: {
    meaning: 'The replica did not catch up with the store in time.',
    cause: 'The store writes a lot, the connection is slow, or the replica is broken.',
    remedy: 'Look at the lag: `reeve replica --status`. Try again later.',
  },
  postgres_too_old: {
    meaning: 'The server is too old.',
    cause: 'A replica needs PostgreSQL 16 or newer on both sides.',
    remedy: 'Upgrade the server.',
    hint: 'Upgrade the server.',
  },
  replica_is_standby: {
    meaning: 'The database of the replica is a standby, which cannot be written to.',
    cause: 'The address leads to a standby.',
    remedy: 'Name its primary.',
    hint: 'Name its primary.',
  },
  replica_of_another_store: {
    meaning: 'The database is the replica of another store.',
    cause: 'The address is wrong, or the store was restored as another one.',
    remedy: 'Name another database.',
  },
  replica_unreachable: {
    meaning: 'The database of the replica cannot be reached.',
    cause: 'The server is down, or the address or the password is wrong.',
    remedy: 'Correct the address, or try again when the server is back.',
    hint: 'Correct the address, or try again when the server is back.',
  },
  role_cannot_stop_writes: {
    meaning: 'The role may not stop writes to the store.',
    cause: 'Only the owner of the database may.',
    remedy: 'Stop workers and services instead, and promote without `--stop-writes`.',
  },
  role_cannot_subscribe: {
    meaning: 'The role may not create a subscription.',
    cause: 'It lacks `pg_create_subscription`, or `CREATE` on the database.',
    remedy: 'Run the `GRANT` of the message.',
  },
  role_lacks_replication: {
    meaning: 'The role may not replicate.',
    cause: 'It lacks the attribute `REPLICATION`.',
    remedy: 'Run the `ALTER ROLE` of the message.',
  },
  same_database: {
    meaning: 'The replica would be the store itself.',
    cause: 'Both addresses lead to one database.',
    remedy: 'Name another database.',
  },
  slot_lost: {
    meaning: 'The store no longer has the changes that the replica needs.',
    cause: 'The slot or publication was dropped, or was unread for longer than `max_slot_wal_keep_size` allows.',
    remedy: 'Copy all rows again: `reeve replica --to ... --anew`.',
  },
  still_copying: {
    meaning: 'The replica does not have all rows yet.',
    cause: 'It is being copied for the first time.',
    remedy: 'Try again when `reeve replica --status` shows `following`.',
  },
  store_is_replica: {
    meaning: 'The store is itself a replica.',
    cause: 'The address leads to a replica that was not promoted.',
    remedy: 'Replicate its store, or promote this one first.',
  },
  store_is_standby: {
    meaning: 'The store is a standby, which cannot publish.',
    cause: 'The address leads to a standby.',
    remedy: 'Name its primary.',
  },
  store_unknown: {
    meaning: 'The command has no address of the store.',
    cause: 'Neither `DATABASE_URL` nor the replica itself names it.',
    remedy: 'Set `DATABASE_URL`, or promote with `--without-store`.',
    hint: 'Set DATABASE_URL to the store, or promote with --without-store.',
  },
  store_unreachable: {
    meaning: 'The store cannot be reached.',
    cause: 'The server is down, or the address or the password is wrong. The replica may reach it at another address.',
    remedy: 'Correct the address (`--from` for the replica), or try again when the server is back.',
    hint: 'Correct the address, or try again when the server is back.',
  },
  target_not_empty: {
    meaning: 'The database that is to become a replica has something in it.',
    cause: 'A replica begins in an empty database.',
    remedy: 'Name an empty database. It is created if it does not exist.',
  },
  version_differs: {
    meaning: 'The store, the replica and the command have different versions.',
    cause: 'Migrations are missing, or the command is older than the store.',
    remedy: 'Run `reeve store migrate`, or `reeve replica` of the version that the workers have.',
  },
  wal_level_too_low: {
    meaning: 'The server of the store does not log enough to replicate.',
    cause: '`wal_level` is not `logical`.',
    remedy: 'Run `ALTER SYSTEM SET wal_level = logical` on that server and restart the server.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
