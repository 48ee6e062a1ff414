import type { Command } from 'commander';
import type { Api } from '../api/api.js';
import { describedTypes } from '../api/described-types.js';
import { readList, type ListedRow } from '../api/list.js';
import { pathOfType } from '../api/type-paths.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { examples } from '../examples.js';
import { liveEntities } from '../list/live-entities.js';
import { MOST, needsOf, whyOf } from '../list/needs.js';
import { needyAmong, needyEntities } from '../list/needy-entities.js';
import { dim, paintState } from '../list/columns.js';
import { dimensionConditions, equalAny, forCondition, sinceCondition } from '../list/condition.js';
import { withListOptions, type ListOptions } from '../list/options.js';
import { printPage } from '../list/print.js';
import { statesMeant } from '../list/state-option.js';
import { namesForPeople, type NamesForPeople } from '../names-for-people.js';
import { keepKey, type TableColumn } from '../list/table.js';
import { formatTime, type Clock } from '../list/time.js';
import { run } from '../run.js';

interface EntitiesOptions extends ListOptions {
  readonly state?: string;
  readonly unsettled?: boolean;
  readonly error?: boolean;
  readonly since?: string;
  readonly for?: string;
  readonly stuck?: boolean;
  readonly deleted?: boolean;
  readonly live?: boolean;
}

/** A row of the list. When it was written is known in the list of all types only. */
type ListedEntity = Omit<ListedRow<'entities'>, 'written_time'>;

/** `reeve entities LogicalServer` S5.2 */
export function defineEntities(program: Command): void {
  const command = program
    .command('entities')
    .alias('list')
    .description('list entities from the store')
    .argument('[type]', 'like LogicalServer; all types without it')
    .option('--state <state>', 'in that state only')
    .option('--unsettled', 'only those that have not come to rest in a stable state')
    .option(
      '--stuck',
      'only those that need a person, error states included, with the reason; can be combined with type, --state and --top',
    )
    .option('--error', 'only those in an error state')
    .option('--since <time>', 'only those that entered their state since then: 30m, 2h, 7d, or a time')
    .option('--for <duration>', 'only those that have been in their state for at least so long: 30m, 2h, 7d')
    .option('--deleted', 'deleted ones too')
    .option(
      '--live',
      'from Temporal, even while the store is unavailable; can be combined with type, --state and --unsettled',
    );
  withListOptions(command)
    .addHelpText(
      'after',
      examples(
        ['reeve entities', 'all that are not deleted'],
        ['reeve entities LogicalServer --state Ready', 'of one type, in one state'],
        ['reeve entities --error --for 1h', 'all that have been in an error state for an hour or longer, and why'],
        ['reeve entities --error --since 1h', 'all that have come into an error state in the last hour'],
        [`reeve entities LogicalServer --where "properties/administrator ne null"`, 'by a declared property'],
        ['reeve entities --stuck', 'all that need you, and why'],
        ['reeve entities LogicalServer --live --unsettled', 'without the store'],
        [`reeve entities --json | jq -r '.items[].entity'`, 'for scripts'],
      ),
    )
    .action(run(entities));
}

async function entities(type: string | undefined, options: EntitiesOptions): Promise<number> {
  if (options.live) return liveEntities(type, options);
  if (options.stuck) return needyEntities(type, options);
  const now = Date.now();
  const { page, names, why } = await withApi('store', async (api) => {
    const path = type === undefined ? '/api/entities' : await pathOfType(api, type);
    const names = await namesForPeople(api);
    // Of all types together, it may also be one that no type declares any more.
    const declared = options.state && type !== undefined ? (await describedTypes(api)).get(type)?.states : undefined;
    const page = await readList<ListedEntity>(api, path, {
      view: 'entities',
      ...options,
      order: options.sort ?? 'type,key',
      conditions: [
        ...equalAny('state', options.state && statesMeant(names, options.state, type, declared)),
        ...(options.unsettled ? ['settled eq false'] : []),
        ...(options.error ? [`health eq 'error'`] : []),
        ...sinceCondition('state_entry_time', options.since, now),
        ...forCondition('state_entry_time', options.for, now),
        ...dimensionConditions(options.dimension, api.dimensions),
      ],
    });
    return { page, names, why: options.error && !options.json ? await whyByName(api) : undefined };
  });
  const clock = { now, utc: options.utc === true };
  const shown = why ? errorColumns(clock, names, why) : columns(clock, names);
  return printPage(page, shown, { ...options, none: 'There are no such entities.' });
}

/** Tells whether an entity is stuck. While the store is unavailable, this is not known. */
function isStuck({ stuck_since: since }: Partial<ListedEntity>): boolean {
  return typeof since === 'string';
}

function entityColumns(names: NamesForPeople): readonly TableColumn<ListedEntity>[] {
  return [
    { title: 'ENTITY', text: ({ type, key }) => `${type}/${key}`, cut: keepKey },
    {
      title: 'STATE',
      text: ({ type, state }) => names.state(type, state),
      paint: (text, { health }) => paintState(text, health === 'error'),
    },
  ];
}

/** The columns of entities in an error state: since when, and why. */
function errorColumns(
  clock: Clock,
  names: NamesForPeople,
  why: ReadonlyMap<string, string>,
): readonly TableColumn<ListedEntity>[] {
  return [
    ...entityColumns(names),
    { title: 'SINCE', text: ({ state_entry_time: time }) => formatTime(time, clock), paint: dim },
    {
      title: 'ERROR',
      text: ({ type, key }) => why.get(`${type}/${key}`) ?? '',
      paint: (text) => colours.red(text),
      optional: true,
      below: true,
    },
    { title: 'OPERATION', text: ({ operation }) => operation ?? '', paint: dim, optional: true, expendable: true },
  ];
}

/** The errors of entities by their names, as `reeve attention` lists them: also of those that an operation has led to their state. */
async function whyByName(api: Api): Promise<ReadonlyMap<string, string>> {
  const { told } = await needsOf(api, MOST);
  return new Map(needyAmong(told.items).map((concern) => [concern.name, whyOf(concern)]));
}

function columns(clock: Clock, names: NamesForPeople): readonly TableColumn<ListedEntity>[] {
  return [
    ...entityColumns(names),
    {
      title: 'HEALTH',
      text: ({ health }) => health,
      paint: (text, { health }) => paintState(text, health === 'error'),
      expendable: true,
    },
    {
      title: 'SETTLED',
      text: (row) => (row.deleted ? 'deleted' : isStuck(row) ? 'stuck' : row.settled ? 'yes' : 'no'),
      paint: (text, row) => (isStuck(row) ? paintState(text, true) : row.settled ? dim(text) : text),
    },
    { title: 'VERSION', text: ({ version }) => String(version), align: 'right' },
    { title: 'AS OF', text: ({ reported_time: time }) => formatTime(time, clock), paint: dim },
    { title: 'OPERATION', text: ({ operation }) => operation ?? '', paint: dim, optional: true, expendable: true },
  ];
}
