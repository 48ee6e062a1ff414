import type { Change } from './change.js';
import { inPresentStates, paired, same, stored, type Versions } from './context.js';
import type { EntityModel } from './model.js';

const LISTS = ['states', 'events', 'actions', 'subscriptions', 'timers', 'links', 'subordinates'] as const;
/** Their changes are found by what they are made of, or say nothing themselves. */
const ELSEWHERE: readonly (keyof EntityModel)[] = [
  ...['name', 'properties', 'accepts', 'acceptsMembers', 'renamed', 'migrations', 'backTo', 'secret'],
] as (keyof EntityModel)[];

type EventModel = EntityModel['events'][number];

/** Finds what differs between two versions of a type where no comparison has found anything. compare.3 */
export function unnoticedChanges(versions: Versions, found: readonly Change[]): readonly Change[] {
  const { old, next } = versions;
  const isNoticed = (place: string) => found.some((each) => each.place === place || each.place.startsWith(`${place}.`));
  const members = (Object.keys({ ...old, ...next }) as (keyof EntityModel)[]).filter(
    (name) => !LISTS.some((list) => list === name) && !ELSEWHERE.includes(name) && !same(old[name], next[name]),
  );
  const items = LISTS.flatMap((list) => {
    const both = paired<{ readonly name: string }>(old[list], next[list], renamesOf(next, list)).both;
    const now = <T>(item: T): T => (list === 'events' ? (inPresentStates(item as EventModel, versions) as T) : item);
    const names = next[list].map(({ name }) => name);
    const isOrdered = same(
      both.map(([, { name }]) => name),
      names.filter((name) => both.some(([, other]) => other.name === name)),
    );
    return [
      ...both.filter(([one, other]) => !same(now(one), other)).map(([, { name }]) => `${list}.${name}`),
      ...(list === 'subscriptions' && !isOrdered ? [list] : []),
    ];
  });
  return [...members, ...items]
    .map((member) => `${next.name}.${member}`)
    .filter((place) => !isNoticed(place))
    .map((place) =>
      stored(versions, {
        place,
        sentence: `This differs. Reeve cannot determine the effect on running entities.`,
        remedy: 'Compare the two models here yourself. Write the model again when the change is correct.',
        touches: { type: next.name },
      }),
    );
}

function renamesOf({ renamed }: EntityModel, list: string): Readonly<Record<string, string>> {
  return (renamed as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>)[list] ?? {};
}
