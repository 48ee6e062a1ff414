import type { AnyEntity } from '../../definition/entity.js';
import { keySchemas } from '../../definition/key-schema.js';
import { entityId, parseEntityId } from '../../protocol/names.js';
import { readList, type ListedRow } from '../api/list.js';
import { keyPartsOfType, pathOfType } from '../api/type-paths.js';
import { withApi } from '../api/with-api.js';
import { findProject, loadDefinitions } from '../definitions.js';
import { nextParts, writeByParts } from '../key-by-parts.js';
import type { Suggestion } from './suggestion.js';

/** How many rows of the store are suggested at most. */
const MOST = 50;

type Values = (given: readonly string[], current: string) => Promise<readonly Suggestion[]>;

/** The sources of values, by the name of the argument or option. */
const VALUES: Readonly<Record<string, Values>> = {
  ...{ type, entity, 'new-entity': newEntity, successor: entity, event, operation },
  ...{ state, until: state, component, deployment },
};

/** The possible values of an argument or an option; none where they are not known. */
export async function valuesOf(name: string, given: readonly string[], current = ''): Promise<readonly Suggestion[]> {
  return (await VALUES[name]?.(given, current)) ?? [];
}

async function type(): Promise<readonly Suggestion[]> {
  return (await loadDefinitions()).map(({ name, description }) => ({
    value: name,
    ...(description !== undefined && { about: description }),
  }));
}

/** First the types, then the parts of the key of an entity that is to be created. */
async function newEntity(_given: readonly string[], current: string): Promise<readonly Suggestion[]> {
  const slash = current.indexOf('/');
  if (slash === -1)
    return (await loadDefinitions()).map(({ name, description: about }) => ({
      value: `${name}/`,
      ...(about !== undefined && { about }),
    }));
  const [name, begun] = [current.slice(0, slash), current.slice(slash + 1)];
  const of = await givenType([name]);
  return nextParts(Object.keys((of && keySchemas(of)) ?? {}), begun).map((value) => ({ value: `${name}/${value}` }));
}

/** First the types, then the entities of the type that has been typed. */
async function entity(_given: readonly string[], current: string): Promise<readonly Suggestion[]> {
  const [of = '', begun = ''] = current.split('/');
  if (!current.includes('/')) return (await loadDefinitions()).map(({ name }) => ({ value: `${name}/` }));
  return withApi('store', async (api) => {
    const query = { view: 'entities', conditions: [], order: 'key', top: MOST } as const;
    const { rows } = await readList<ListedRow<'entities'>>(api, await pathOfType(api, of), query);
    const names = begun.includes('=') ? await keyPartsOfType(api, of) : undefined;
    return rows.map(({ type, key: text, state: about }) => ({
      value: entityId({ type, key: names ? writeByParts(names, text) : text }),
      about,
    }));
  });
}

/** The events of the entity, or of the type, that has been given. */
async function event(given: readonly string[]): Promise<readonly Suggestion[]> {
  const of = await givenType(given);
  const events = Object.entries(of?.events ?? {}).filter(([, declared]) => !declared.internal);
  return events.map(([value, { displayName }]) => ({
    value,
    ...(displayName !== undefined && { about: displayName }),
  }));
}

async function state(given: readonly string[]): Promise<readonly Suggestion[]> {
  const of = await givenType(given);
  const types = of ? [of] : await loadDefinitions();
  const states = new Map(types.flatMap((each) => Object.entries(each.states)));
  return [...states].map(([value, { displayName }]) => ({
    value,
    ...(displayName !== undefined && { about: displayName }),
  }));
}

async function operation(): Promise<readonly Suggestion[]> {
  return withApi('store', async (api) => {
    const query = { view: 'operations', conditions: [], order: 'operation_id desc', top: MOST } as const;
    const { rows } = await readList<ListedRow<'operations'>>(api, '/api/operations', query);
    return rows.map(({ operation_id: id, name, outcome }) => ({
      value: String(id),
      about: `${name}: ${outcome ?? 'running'}`,
    }));
  });
}

async function component(): Promise<readonly Suggestion[]> {
  return (await (await findProject()).components()).map(({ kind }) => ({ value: kind.name }));
}

async function deployment(): Promise<readonly Suggestion[]> {
  return withApi('store', async (api) => {
    const query = { view: 'deployments', conditions: [], order: 'start_time desc', top: MOST } as const;
    const { rows } = await readList<ListedRow<'deployments'>>(api, '/api/deployments', query);
    return rows.map(({ name, component: of, phase }) => ({ value: name, about: `${of}: ${phase}` }));
  });
}

async function givenType([first = '']: readonly string[]): Promise<AnyEntity | undefined> {
  const name = parseEntityId(first)?.type ?? first;
  return (await loadDefinitions()).find((candidate) => candidate.name === name);
}
