import type { LiveEntity } from '../../client/live/live-reader.js';
import { quoted } from '../../client/live/quoted.js';
import { entityId, SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import { refuseRemote } from '../api/remote-settings.js';
import { displayNamesOf } from '../../definition/display-name.js';
import { findDeclaration, loadDefinitions } from '../definitions.js';
import { NamesForPeople } from '../names-for-people.js';
import { withSession } from '../session.js';
import { UsageError } from '../usage-error.js';
import { dim, paintState } from './columns.js';
import { liveRows, printLive } from './live.js';
import type { ListOptions } from './options.js';
import { statesMeant } from './state-option.js';
import { keepKey, type TableColumn } from './table.js';

interface LiveEntitiesOptions extends ListOptions {
  readonly state?: string;
  readonly unsettled?: boolean;
  readonly error?: boolean;
  readonly since?: string;
  readonly for?: string;
  readonly stuck?: boolean;
  readonly deleted?: boolean;
}

/**
 * `reeve entities --live`: the entities of a type, or of all types of the project. @throws UsageError for options that only the
 * store can answer
 */
export async function liveEntities(type: string | undefined, options: LiveEntitiesOptions): Promise<number> {
  const { state, unsettled, error, since, stuck, where, sort, dimension, deleted, skipToken } = options;
  const others = {
    where,
    sort,
    dimension: dimension[0],
    error,
    since,
    for: options.for,
    stuck,
    deleted,
    'skip-token': skipToken,
  };
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other) throw new UsageError(`Temporal cannot filter by --${other}. Remove --live, or --${other}.`);
  refuseRemote(
    'entities --live',
    'it asks Temporal directly. The lists of the service do that while the store is unavailable',
  );
  const declared = type === undefined ? await loadDefinitions() : [await findDeclaration(type)];
  const types = declared.map(({ name }) => name);
  const names = new NamesForPeople(new Map(declared.map((entity) => [entity.name, displayNamesOf(entity)])));
  const states = [...new Set(declared.flatMap((entity) => Object.keys(entity.states)))];
  const meant = state === undefined ? [] : statesMeant(names, state, type, states);
  const conditions = [
    ...(meant.length > 0 ? [`${SEARCH_ATTRIBUTES.state} IN (${meant.map(quoted).join(', ')})`] : []),
    ...(unsettled ? [`${SEARCH_ATTRIBUTES.settled} = false`] : []),
  ];
  return withSession(async ({ client, link }) => {
    const { LiveReader } = await import('../../client/live/live-reader.js');
    const found = await liveRows(options.top, (page) => new LiveReader(client).entities(types, conditions, page));
    const executionOf = (row: LiveEntity) => link(entityId(row));
    return printLive(found, columns(names), executionOf, { ...options, none: 'There are no such entities.' });
  });
}

function columns(names: NamesForPeople): readonly TableColumn<LiveEntity>[] {
  return [
    { title: 'ENTITY', text: entityId, cut: keepKey },
    {
      title: 'STATE',
      text: ({ type, state }) => names.state(type, state),
      paint: (text, { health }) => paintState(text, health === 'error'),
    },
    { title: 'HEALTH', text: ({ health }) => health, paint: (text) => paintState(text, text === 'error') },
    {
      title: 'SETTLED',
      text: ({ settled }) => (settled ? 'yes' : 'no'),
      paint: (text, { settled }) => (settled ? dim(text) : text),
    },
    { title: 'OPERATION', text: ({ operation }) => operation ?? '', paint: dim, optional: true },
  ];
}
