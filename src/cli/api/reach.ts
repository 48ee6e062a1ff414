import { didYouMean } from '../../definition/did-you-mean.js';
import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { ServedType } from '../../service/routes/types.js';
import { isReached, linkingIn, reachOf, successorsIn, type ReachedType } from '../explanation/reach/reach.js';
import type { ToldReach, ToldStep, ToldType } from '../explanation/reach/reach-words.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { nameOf, readAllowedEvents, readEntity } from './entity.js';
import { Problem } from './problem.js';

/** So many levels are followed below the entity, so many entities there, and so many of these are read at once. */
const [LEVELS, FOLLOWED, AT_ONCE] = [3, 100, 8];

/** Finds how far an event would reach. Nothing is raised. @throws UsageError when the type has no such event; Problem */
export async function readReach(api: Api, ref: EntityRef, event: string): Promise<ToldReach> {
  const { entity } = await readEntity(api, ref);
  const { items } = (await api.ask('GET', '/api/types')).body as { readonly items: readonly ServedType[] };
  const typeOf = (name: string) => items.find((each) => each.name === name);
  const type = typeOf(ref.type)!;
  const known = type.events.map(({ name }) => name);
  if (!known.includes(event)) {
    throw new UsageError(
      `${ref.type} has no event '${event}'.${didYouMean(event, known)} The events are: ${known.join(', ')}.`,
    );
  }
  const { types, ...reach } = reachOf(typeOf, type, entity, event);
  const {
    allowed = false,
    behind,
    rejection,
  } = (await readAllowedEvents(api, ref)).find((each) => each.event === event) ?? {};
  const told = await toldTypes(api, types);
  return {
    ...{ entity: nameOf(ref), event, state: entity.state, allowed },
    ...(behind !== undefined && { behind }),
    ...(rejection && { rejection }),
    ...{ ...reach, types: told },
    ...(await follow(api, typeOf, nameOf(ref), told)),
  };
}

/** Follows the entities that are ended, level by level, as far as their types may be read. */
async function follow(
  api: Api,
  typeOf: (name: string) => ServedType | undefined,
  root: string,
  types: readonly ToldType[],
): Promise<Pick<ToldReach, 'then' | 'further'>> {
  const seen = new Set([root]);
  const then: ToldStep[] = [];
  let ended = endedBy(types, seen);
  for (let level = 1; ended.length > 0; level++) {
    if (level > LEVELS) return { then, further: true };
    const followed = ended.slice(0, FOLLOWED - (seen.size - 1));
    for (const { id } of followed) seen.add(id);
    const steps: ToldStep[] = [];
    for (let first = 0; first < followed.length; first += AT_ONCE) {
      const some = followed.slice(first, first + AT_ONCE).map((each) => step(api, typeOf, each));
      steps.push(...(await Promise.all(some)).flat());
    }
    then.push(...steps);
    if (followed.length < ended.length) return { then, further: true };
    ended = endedBy(
      steps.flatMap((each) => each.types),
      seen,
    );
  }
  return { then, further: false };
}

interface Ended {
  readonly id: string;
  readonly event: string;
}

function endedBy(types: readonly ToldType[], seen: ReadonlySet<string>): readonly Ended[] {
  const ended = types.flatMap(({ events, successors, linking }) => {
    const event = events.find(({ ends }) => ends)?.event;
    return event === undefined ? [] : [...successors, ...(linking ?? [])].map((id) => ({ id, event }));
  });
  const byId = new Map(ended.filter(({ id }) => !seen.has(id)).map((each) => [each.id, each]));
  return [...byId.values()];
}

/** Finds how far the end of an entity reaches; nothing where it reaches nothing, or cannot be read by now. */
async function step(
  api: Api,
  typeOf: (name: string) => ServedType | undefined,
  { id, event }: Ended,
): Promise<readonly ToldStep[]> {
  const ref = parseEntityId(id)!;
  const type = typeOf(ref.type);
  if (!type) return [];
  try {
    const { entity, gone } = await readEntity(api, ref);
    if (gone) return [];
    const { types, undeclared } = reachOf(typeOf, type, entity, event);
    const told = await toldTypes(api, types);
    return told.length + undeclared.length === 0 ? [] : [{ entity: id, event, types: told, undeclared }];
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.status !== 404) throw thrown;
    return [];
  }
}

async function toldTypes(api: Api, types: readonly ReachedType[]): Promise<readonly ToldType[]> {
  return (await Promise.all(types.map((each) => told(api, each)))).flat();
}

/** Reads which entities of a type are reached; nothing where none is. */
async function told(api: Api, reached: ReachedType): Promise<readonly ToldType[]> {
  const { type, events, existing, linking: path } = reached;
  const [known, linked] = await Promise.all([list(api, existing), list(api, path)]);
  const successors = known ? successorsIn(reached, known) : reached.successors;
  const { entities, more } = linkingIn(reached, linked ?? { value: [] });
  const linking = path !== undefined && !linked ? null : entities;
  return isReached(reached, successors, linking) ? [{ type, events, successors, linking, more }] : [];
}

/** @returns nothing where there is nothing to ask, or the store could not be asked */
async function list(api: Api, path: string | undefined): Promise<Parameters<typeof linkingIn>[1] | undefined> {
  if (path === undefined) return undefined;
  try {
    return (await api.ask('GET', path)).body as Parameters<typeof linkingIn>[1];
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.status !== 503) throw thrown;
    return undefined;
  }
}
