import type { Description } from '../description/description.js';
import { fieldOf, type Endless, type Kinds, type Outlook } from '../tree/kind.js';
import { nameOf, Survey, type Place } from './place.js';

/**
 * Returns why a tree never ends by itself unless something in it fails; nothing when it ends, or when that depends on what cannot be known
 * before: references, events, code of one's own, components that end others. An action cannot wait for such a tree. W1
 */
export function endlessness(kinds: Kinds, description: Description): Endless | undefined {
  const survey = new Survey(kinds, description);
  return endsOthers(survey) ? undefined : endlessAt(survey.root);
}

/** Tells whether something in the tree ends other components of it, whichever these are. */
export function endsOthers({ places }: Survey): boolean {
  return places.some(({ description: { kind, attributes } }) => kind === 'Terminator' && 'kill' in attributes);
}

/** The same of one place. */
export function endlessAt(place: Place): Endless | undefined {
  const { kind, description, children, held, deployed } = place;
  if (!kind) return undefined;
  const outlook: Outlook = {
    value: (name) => {
      const given = description.attributes[name];
      if (given !== undefined) return given;
      return kind.defaults?.[name] ?? fieldOf(kind, name)?.safeParse(undefined).data;
    },
    held: (name) => {
      const its = held.get(name);
      return its && endlessAt(its);
    },
    children: (deployed ? [deployed] : [...children.values()]).map(endlessAt),
  };
  const why = kind.isCondition
    ? 'it is a condition: it is evaluated and ended by another component'
    : kind.endless?.(outlook);
  return typeof why === 'string' ? { place: nameOf(place), why } : why;
}
