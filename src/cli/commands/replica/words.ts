import type { ReplicaStatus, Dropped, Promoted, Verification } from '../../../store/replica/index.js';
import { colours } from '../../colours.js';
import { counted } from '../../counted.js';
import { formatMilliseconds } from '../../explanation/time-words.js';

const { bold, dim, green, red, yellow } = colours;

const PAINTED: Readonly<Record<ReplicaStatus['state'], (text: string) => string>> = {
  ...{ following: green, copying: yellow, unread: red, lost: red, unreachable: red },
};

/** How a replica is, on one line. */
export function statusLine(status: ReplicaStatus): string {
  const { state, tables, problem } = status;
  const said = [
    ...(state === 'copying' && tables ? [tableWords(tables)] : []),
    ...lagWords(status),
    ...(state === 'unread' ? [heldWords(status)] : []),
    ...(problem === null ? [] : [problem]),
  ];
  return `${PAINTED[state](state.padEnd(11))} ${said.join('; ')}`;
}

/** How a replica is, in full. */
export function statusBlock(status: ReplicaStatus): string {
  const { name, store, replica, state, tables, failures, problem } = status;
  const rows: readonly (readonly [string, string])[] = [
    ['state', PAINTED[state](state)],
    ...lagWords(status).map((words) => ['lag', words] as const),
    ...(tables ? [['tables', tableWords(tables)] as const] : []),
    ...(status.held ? [['log', heldWords(status)] as const] : []),
    ...(failures ? [['failures', `${failures}: the log of PostgreSQL at ${replica} shows why`] as const] : []),
    ...(problem === null ? [] : [['problem', yellow(problem)] as const]),
  ];
  return [
    `${bold(replica)}  ${dim(`replica of ${store}, ${name}`)}`,
    ...rows.map(([key, value]) => row(key, value)),
  ].join('\n');
}

/** Tells what the store's server keeps for a replica, and what follows from that. */
export function heldWords({ held }: ReplicaStatus): string {
  if (!held) return '';
  const kept = `the store's server keeps ${formatBytes(held.bytes)} of its log for it`;
  if (held.limit !== null) return `${kept}, and ${formatBytes(held.limit)} at most (max_slot_wal_keep_size)`;
  return `${kept}, without a limit (max_slot_wal_keep_size = -1): while the replica does not read it, the disk fills up`;
}

export function verificationWords({ store, replica, lsn, tables, problems, equal }: Verification): string {
  const total = tables.reduce((sum, { rows }) => sum + rows.store, 0);
  const head = `${counted(tables.length, 'table')} with ${counted(total, 'row')} compared at ${lsn} of the store's log: ${store}, ${replica}`;
  return [
    head,
    ...problems.map((problem) => `${red('different')}  ${problem}`),
    ...tables.filter((table) => !table.equal).flatMap(tableDifferences),
    equal ? green('No difference.') : red('The replica differs from the store.'),
  ].join('\n');
}

export function promotedWords({ store, replica, complete, allowAgain, leftBehind }: Promoted): string {
  return [
    `${bold(replica)} is now an independent store: set DATABASE_URL of workers and services to it.`,
    complete
      ? `It has everything that was committed at ${store} before the promotion.`
      : yellow(`It may lack the last changes of ${store}. 'reeve store rebuild' makes rows again from the workflows.`),
    ...(allowAgain === null
      ? complete
        ? [`Rows that are written to the old store from now on are not in it. --stop-writes would have prevented that.`]
        : []
      : [`The old store refuses rows. To allow them again, run as its owner: ${allowAgain}`]),
    ...(leftBehind === null
      ? []
      : [
          yellow(
            `The old store did not answer. When it is back, remove what it keeps for the replica: SELECT ` +
              `pg_drop_replication_slot('${leftBehind}'); DROP PUBLICATION ${leftBehind}`,
          ),
        ]),
  ].join('\n');
}

export function droppedWords({ atStore, atReplica, problem }: Dropped, place: string): string {
  return [
    ...(atStore.length === 0
      ? []
      : [
          `The store keeps nothing for the replica at ${place} any more: ${atStore.join(', ')} ${atStore.length === 1 ? 'is' : 'are'} removed.`,
        ]),
    ...(atReplica ? [`The database at ${place} is empty.`] : []),
    ...(problem === null ? [] : [yellow(`The replica itself was not changed: ${problem}`)]),
  ].join('\n');
}

function lagWords({ lag }: ReplicaStatus): readonly string[] {
  if (!lag) return [];
  const rows = `${lag.more ? 'more than ' : ''}${counted(lag.rows, 'row')}`;
  return [`${rows}, ${formatMilliseconds(lag.behind_ms)} behind`];
}

function tableWords({ ready, all }: NonNullable<ReplicaStatus['tables']>): string {
  return `${ready} of ${all} tables have all their rows`;
}

function tableDifferences({ table, rows, differences, problem }: Verification['tables'][number]): readonly string[] {
  if (problem !== null) return [`${red('different')}  ${table}: ${problem}`];
  return [
    `${red('different')}  ${table}: ${counted(rows.store, 'row')} in the store, ${rows.replica} in the replica`,
    ...differences.map(({ key, how }) => row(how, key)),
  ];
}

function row(name: string, value: string): string {
  return `  ${dim(name.padEnd(9))} ${value}`;
}

/** A size: `12 kB`, `3.4 GB`. */
function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const size = bytes / 1024 ** power;
  return `${size.toFixed(size < 10 && power > 0 ? 1 : 0)} ${units[power]}`;
}
