import type { DeclarationProblem } from '../../definition/declaration-error.js';
import type { Value } from '../description/description.js';
import { heldBy } from '../description/fields.js';
import { isReference } from '../description/reference.js';
import { fieldOf, type Kind } from '../tree/kind.js';
import { nameOf, type Place, type Survey } from './place.js';
import type { Guide } from './references.js';

/**
 * Components that get events and do nothing with them, and components that are listened to and never send any: a leaf that has no
 * use for events, and forwards them to nobody. W-7
 */
export function eventProblems({ places }: Survey, guide: Guide): readonly DeclarationProblem[] {
  const ways = places.flatMap((place) => [...waysOf(guide, place, 'sendTo'), ...waysOf(guide, place, 'registerWith')]);
  const gets = new Set(ways.map(({ to }) => to));
  const forwards = new Set(ways.map(({ from }) => from));
  return ways.flatMap(({ name, at, from, to, path }) => {
    const problem = (what: string, remedy: string) => {
      const who = name === 'sendTo' ? to : from;
      return [
        {
          place: `${nameOf(at)}.${name}`,
          problem: `ref('${path}') names a ${who.description.kind}, which ${what}`,
          remedy,
        },
      ];
    };
    if (name === 'sendTo' && to.kind && !takesEvents(to.kind) && !forwards.has(to)) {
      return problem('takes no events', 'Send to a component that takes them, or forwards them.');
    }
    if (name === 'registerWith' && from.kind && !sendsEvents(from.kind) && !gets.has(from)) {
      return problem('sends no events', 'Register with a component that sends them, or forwards them.');
    }
    return [];
  });
}

/** One step of an event: from one component to another. */
interface Way {
  readonly name: 'sendTo' | 'registerWith';
  /** Which of the two it is written at. */
  readonly at: Place;
  readonly from: Place;
  readonly to: Place;
  readonly path: string;
}

function waysOf(guide: Guide, at: Place, name: Way['name']): readonly Way[] {
  const value: Value | undefined = at.description.attributes[name];
  if (!Array.isArray(value)) return [];
  return value.filter(isReference).flatMap(({ $ref: path }): readonly Way[] => {
    const found = guide.find(at, path);
    if (typeof found === 'string' || !('at' in found)) return [];
    return [
      name === 'sendTo' ? { name, at, from: at, to: found.at, path } : { name, at, from: found.at, to: at, path },
    ];
  });
}

/** Tells whether a component of this kind does something with events. Those that hold others forward them. */
function takesEvents(kind: Kind): boolean {
  const holds =
    kind.takesChildren ||
    kind.takesTemplates ||
    Object.keys(kind.attributes.shape).some((name) => heldBy(fieldOf(kind, name)!) === 'component');
  return holds || kind.event !== undefined || kind.keepsEvents === true || kind.handlers?.has('handle') === true;
}

function sendsEvents(kind: Kind): boolean {
  return takesEvents(kind) || kind.sendsEvents === true || (kind.handlers !== undefined && kind.handlers.size > 0);
}
