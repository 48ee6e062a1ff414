import { didYouMean } from '../../definition/did-you-mean.js';
import type { EntityRef } from '../../protocol/names.js';
import type { ServedType } from '../../service/routes/types.js';
import { linkingIn, reachOf, type ReachedType } from '../explanation/reach/reach.js';
import type { ToldReach, ToldType } from '../explanation/reach/reach-words.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { nameOf, readAllowedEvents, readEntity } from './entity.js';
import { Problem } from './problem.js';

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
  return {
    ...{ entity: nameOf(ref), event, state: entity.state, allowed },
    ...(behind !== undefined && { behind }),
    ...(rejection && { rejection }),
    ...reach,
    types: await Promise.all(types.map((each) => withLinking(api, each))),
  };
}

async function withLinking(api: Api, reached: ReachedType): Promise<ToldType> {
  const { linking: path, ...known } = reached;
  if (path === undefined) return { ...known, linking: [], more: 0 };
  try {
    const { body } = await api.ask('GET', path);
    const { entities, more } = linkingIn(reached, body as Parameters<typeof linkingIn>[1]);
    return { ...known, linking: entities, more };
  } catch (thrown) {
    if (!(thrown instanceof Problem) || thrown.status !== 503) throw thrown;
    return { ...known, linking: null, more: 0 };
  }
}
