import type { Concern } from '../../service/attention/attention-schema.js';
import { withApi } from '../api/with-api.js';
import { colours } from '../colours.js';
import { namesForPeople, type NamesForPeople } from '../names-for-people.js';
import { UsageError } from '../usage-error.js';
import { dim } from './columns.js';
import { needsOf, whyOf } from './needs.js';
import type { ListOptions } from './options.js';
import { printPage } from './print.js';
import { statesMeant } from './state-option.js';
import { keepKey, type TableColumn } from './table.js';
import { formatTime, type Clock } from './time.js';

interface NeedyEntitiesOptions extends ListOptions {
  readonly state?: string;
  readonly deleted?: boolean;
  readonly unsettled?: boolean;
  readonly error?: boolean;
  readonly since?: string;
  readonly for?: string;
}

/** `reeve entities --stuck`: the entities among what `reeve attention` lists. @throws UsageError for other filters */
export async function needyEntities(type: string | undefined, options: NeedyEntitiesOptions): Promise<number> {
  const { state, where, sort, dimension, deleted, unsettled, error, since, skipToken, utc } = options;
  const others = {
    where,
    sort,
    dimension: dimension[0],
    deleted,
    unsettled,
    error,
    since,
    for: options.for,
    'skip-token': skipToken,
  };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other) throw new UsageError(`--stuck cannot be combined with --${other}. Remove one of them.`);
  const { rows, names } = await withApi('either', async (api) => {
    const names = await namesForPeople(api);
    const { told } = await needsOf(api, options.top);
    const meant = state === undefined ? undefined : statesMeant(names, state, type, undefined);
    return { rows: needyAmong(told.items, type, meant), names };
  });
  const clock = { now: Date.now(), utc: utc === true };
  return printPage({ rows }, columns(clock, names), { ...options, none: 'There are no such entities.' });
}

/** The entities among what needs a person, of a type and in these states. */
export function needyAmong(items: readonly Concern[], type?: string, states?: readonly string[]): readonly Concern[] {
  return items.filter(
    ({ kind, name, state }) =>
      kind === 'entity' &&
      (type === undefined || name.startsWith(`${type}/`)) &&
      (states === undefined || (state !== null && states.includes(state))),
  );
}

function columns(clock: Clock, names: NamesForPeople): readonly TableColumn<Concern>[] {
  return [
    { title: 'SINCE', text: ({ since }) => formatTime(since, clock), paint: dim },
    { title: 'ENTITY', text: ({ name }) => name, cut: keepKey },
    { title: 'STATE', text: ({ name, state }) => names.state(name.split('/')[0]!, state ?? ''), optional: true },
    { title: 'WHY', text: ({ reason }) => reason, paint: (text) => colours.red(text) },
    { title: 'MESSAGE', text: whyOf, below: true },
    { title: 'COMMAND', text: ({ command }) => command, paint: dim, expendable: true },
  ];
}
