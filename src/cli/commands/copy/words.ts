import type { CopyStatus, Dropped, Promoted, Verification } from '../../../store/copy/index.js';
import { colours } from '../../colours.js';
import { counted } from '../../counted.js';
import { formatMilliseconds } from '../../list/time.js';

const { bold, dim, green, red, yellow } = colours;

const PAINTED: Readonly<Record<CopyStatus['state'], (text: string) => string>> = {
  ...{ following: green, copying: yellow, unread: red, lost: red, unreachable: red },
};

/** How a copy is, on one line. */
export function statusLine(status: CopyStatus): string {
  const { state, tables, problem } = status;
  const said = [
    ...(state === 'copying' && tables ? [tableWords(tables)] : []),
    ...lagWords(status),
    ...(state === 'unread' ? [heldWords(status)] : []),
    ...(problem === null ? [] : [problem]),
  ];
  return `${PAINTED[state](state.padEnd(11))} ${said.join('; ')}`;
}

/** How a copy is, in full. */
export function statusBlock(status: CopyStatus): string {
  const { name, store, copy, state, tables, failures, problem } = status;
  const rows: readonly (readonly [string, string])[] = [
    ['state', PAINTED[state](state)],
    ...lagWords(status).map((words) => ['lag', words] as const),
    ...(tables ? [['tables', tableWords(tables)] as const] : []),
    ...(status.held ? [['log', heldWords(status)] as const] : []),
    ...(failures ? [['failures', `${failures}: the log of PostgreSQL at ${copy} says why`] as const] : []),
    ...(problem === null ? [] : [['problem', yellow(problem)] as const]),
  ];
  return [`${bold(copy)}  ${dim(`copy of ${store}, ${name}`)}`, ...rows.map(([key, value]) => row(key, value))].join(
    '\n',
  );
}

/** What the store's server keeps for a copy, and what follows from that. */
export function heldWords({ held }: CopyStatus): string {
  if (!held) return '';
  const kept = `the store's server keeps ${formatBytes(held.bytes)} of its log for it`;
  if (held.limit !== null) return `${kept}, and ${formatBytes(held.limit)} at most (max_slot_wal_keep_size)`;
  return `${kept}, without a limit (max_slot_wal_keep_size = -1): while nobody reads it, the disk fills up`;
}

export function verificationWords({ store, copy, lsn, tables, problems, equal }: Verification): string {
  const total = tables.reduce((sum, { rows }) => sum + rows.store, 0);
  const head = `${counted(tables.length, 'table')} with ${counted(total, 'row')} compared at ${lsn} of the store's log: ${store}, ${copy}`;
  return [
    head,
    ...problems.map((problem) => `${red('different')}  ${problem}`),
    ...tables.filter((table) => !table.equal).flatMap(tableDifferences),
    equal ? green('No difference.') : red('The copy differs from the store.'),
  ].join('\n');
}

export function promotedWords({ store, copy, complete, allowAgain, leftBehind }: Promoted): string {
  return [
    `${bold(copy)} is a store of its own: set DATABASE_URL of workers and services to it.`,
    complete
      ? `It has everything that was committed at ${store} before the promotion.`
      : yellow(`It may lack what came last at ${store}: 'reeve store rebuild' makes rows again from the workflows.`),
    ...(allowAgain === null
      ? complete
        ? [`What is written to the old store from now on is not in it: --stop-writes would have prevented that.`]
        : []
      : [`The old store takes no rows any more. As its owner, this allows it again: ${allowAgain}`]),
    ...(leftBehind === null
      ? []
      : [
          yellow(
            `The old store did not answer. Where it comes back, end what it keeps for the copy: SELECT ` +
              `pg_drop_replication_slot('${leftBehind}'); DROP PUBLICATION ${leftBehind}`,
          ),
        ]),
  ].join('\n');
}

export function droppedWords({ atStore, atCopy, problem }: Dropped, place: string): string {
  return [
    ...(atStore.length === 0
      ? []
      : [
          `The store keeps nothing any more for the copy at ${place}: ${atStore.join(', ')} ${atStore.length === 1 ? 'is' : 'are'} gone.`,
        ]),
    ...(atCopy ? [`The database at ${place} is empty.`] : []),
    ...(problem === null ? [] : [yellow(`The copy itself was left as it is: ${problem}`)]),
  ].join('\n');
}

function lagWords({ lag }: CopyStatus): readonly string[] {
  if (!lag) return [];
  const rows = `${lag.more ? 'more than ' : ''}${counted(lag.rows, 'row')}`;
  return [`${rows}, ${formatMilliseconds(lag.seconds * 1_000)} behind`];
}

function tableWords({ ready, all }: NonNullable<CopyStatus['tables']>): string {
  return `${ready} of ${all} tables have all their rows`;
}

function tableDifferences({ table, rows, differences, problem }: Verification['tables'][number]): readonly string[] {
  if (problem !== null) return [`${red('different')}  ${table}: ${problem}`];
  return [
    `${red('different')}  ${table}: ${counted(rows.store, 'row')} in the store, ${rows.copy} in the copy`,
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
