import type { ServedType } from '../../../service/routes/types.js';
import { lookAround, type Around, type ListReader } from './around.js';
import { isReached, linkingIn, reachOf, successorsIn, type Reach, type Reached, type ReachedType } from './reach.js';

/** So many levels are followed below the entity, so many entities there, and so many of these are read at once. */
const [LEVELS, FOLLOWED, AT_ONCE] = [3, 100, 8];

/** The entities of another type that an event reaches, with those that link to the entity. */
export interface ToldType extends Pick<ReachedType, 'type' | 'events' | 'successors'> {
  /** The entities that link to it and are not among its successors; nothing where the store could not be asked. */
  readonly linking: readonly string[] | null;
  /** How many more link to it. */
  readonly more: number;
}

/** How far the end of an entity reaches in turn. */
export interface ToldStep extends Pick<Reach, 'undeclared'> {
  /** `LogicalDatabase/orders.a` */
  readonly entity: string;
  readonly event: string;
  readonly types: readonly ToldType[];
}

/** How far an event on an entity reaches, with what it ends in turn. */
export interface FarReach extends Omit<Reach, 'types'>, Around {
  readonly types: readonly ToldType[];
  /** How far those that are ended reach in turn, level by level. */
  readonly then: readonly ToldStep[];
  /** Tells whether more are ended than were followed. */
  readonly further: boolean;
}

/** Reads what a reach needs. */
export interface ReachReader {
  /** The declarations of the types that may be read. */
  readonly types: readonly ServedType[];
  /** An entity by its id; nothing where it does not exist. */
  entity(id: string): Promise<Reached | undefined>;
  readonly list: ListReader;
}

/** Finds how far an event would reach: the entities that it reaches, and those that are ended, level by level. S6.3 */
export async function followReach(
  reader: ReachReader,
  type: ServedType,
  entity: Reached,
  event: string,
): Promise<FarReach> {
  const { types, ...reach } = reachOf(typeIn(reader), type, entity, event);
  const told = await toldTypes(reader, types);
  const { seen, ...followed } = await follow(reader, entity.id, told);
  const reached = new Set([...told, ...followed.then.flatMap((step) => step.types)].map((each) => each.type));
  const ended = reach.ends ? [...seen] : [...seen].slice(1);
  const around = ended.length > 0 ? await lookAround(reader.list, reader.types, ended, reached) : NOTHING;
  return { ...reach, types: told, ...followed, ...around };
}

const NOTHING: Around = { left: [], answers: [], distributed: [], partly: false };

function typeIn({ types }: ReachReader): (name: string) => ServedType | undefined {
  return (name) => types.find((each) => each.name === name);
}

/** Follows the entities that are ended, as far as their types may be read. */
async function follow(
  reader: ReachReader,
  root: string,
  types: readonly ToldType[],
): Promise<Pick<FarReach, 'then' | 'further'> & { readonly seen: ReadonlySet<string> }> {
  const seen = new Set([root]);
  const then: ToldStep[] = [];
  let ended = endedBy(types, seen);
  for (let level = 1; ended.length > 0; level++) {
    if (level > LEVELS) return { seen, then, further: true };
    const followed = ended.slice(0, FOLLOWED - (seen.size - 1));
    for (const { id } of followed) seen.add(id);
    const steps: ToldStep[] = [];
    for (let first = 0; first < followed.length; first += AT_ONCE) {
      const some = followed.slice(first, first + AT_ONCE).map((each) => step(reader, each));
      steps.push(...(await Promise.all(some)).flat());
    }
    then.push(...steps);
    if (followed.length < ended.length) return { seen, then, further: true };
    ended = endedBy(
      steps.flatMap((each) => each.types),
      seen,
    );
  }
  return { seen, then, further: false };
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
async function step(reader: ReachReader, { id, event }: Ended): Promise<readonly ToldStep[]> {
  const typeOf = typeIn(reader);
  const type = typeOf(id.slice(0, id.indexOf('/')));
  const entity = type && (await reader.entity(id));
  if (!entity) return [];
  const { types, undeclared } = reachOf(typeOf, type, entity, event);
  const told = await toldTypes(reader, types);
  return told.length + undeclared.length === 0 ? [] : [{ entity: id, event, types: told, undeclared }];
}

async function toldTypes(reader: ReachReader, types: readonly ReachedType[]): Promise<readonly ToldType[]> {
  return (await Promise.all(types.map((each) => told(reader, each)))).flat();
}

/** Reads which entities of a type are reached; nothing where none is. */
async function told(reader: ReachReader, reached: ReachedType): Promise<readonly ToldType[]> {
  const { type, events, existing, linking: path } = reached;
  const [known, linked] = await Promise.all(
    [existing, path].map((each) => (each === undefined ? each : reader.list<{ readonly key: string }>(each))),
  );
  const successors = known ? successorsIn(reached, known) : reached.successors;
  const { entities, more } = linkingIn(reached, linked ?? { value: [] });
  const linking = path !== undefined && !linked ? null : entities;
  return isReached(reached, successors, linking) ? [{ type, events, successors, linking, more }] : [];
}
