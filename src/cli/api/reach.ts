import { didYouMean } from '../../definition/did-you-mean.js';
import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { ServedType } from '../../service/routes/types.js';
import { followReach, type ReachReader } from '../explanation/reach/follow-reach.js';
import type { ToldReach } from '../explanation/reach/reach-words.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { nameOf, readAllowedEvents, readEntity } from './entity.js';
import { Problem } from './problem.js';

/** The types that the caller may read, as they are declared. @throws Problem */
export async function readTypes(api: Api): Promise<readonly ServedType[]> {
  return ((await api.ask('GET', '/api/types')).body as { readonly items: readonly ServedType[] }).items;
}

/** Finds how far an event would reach. Nothing is raised. @throws UsageError when the type has no such event; Problem */
export async function readReach(api: Api, ref: EntityRef, event: string): Promise<ToldReach> {
  const { entity } = await readEntity(api, ref);
  const items = await readTypes(api);
  const type = items.find((each) => each.name === ref.type)!;
  const known = type.events.map(({ name }) => name);
  if (!known.includes(event)) {
    throw new UsageError(
      `${ref.type} has no event '${event}'.${didYouMean(event, known)} The events are: ${known.join(', ')}.`,
    );
  }
  const {
    allowed = false,
    behind,
    rejection,
  } = (await readAllowedEvents(api, ref)).find((each) => each.event === event) ?? {};
  return {
    ...{ entity: nameOf(ref), event, state: entity.state, allowed },
    ...(behind !== undefined && { behind }),
    ...(rejection && { rejection }),
    ...(await followReach({ types: items, ...readerOn(api) }, type, entity, event)),
  };
}

function readerOn(api: Api): Omit<ReachReader, 'types'> {
  const unless =
    (...statuses: readonly number[]) =>
    (thrown: unknown) => {
      if (!(thrown instanceof Problem) || !statuses.includes(thrown.status)) throw thrown;
      return undefined;
    };
  return {
    entity: async (id) => {
      const found = await readEntity(api, parseEntityId(id)!).catch(unless(404));
      return found && !found.gone ? found.entity : undefined;
    },
    list: <Row>(path: string) =>
      api.ask('GET', path).then(({ body }) => body as { readonly value: readonly Row[] }, unless(403, 503)),
  };
}
