import type { DeclarationProblem } from '../../definition/declaration-error.js';
import { isDescription, type Value } from '../description/description.js';
import { isReference, routeOf } from '../description/reference.js';
import { keepsReference } from '../tree/attribute.js';
import { fieldOf, givenOrDefault } from '../tree/kind.js';
import { nameOf, type Place, type Survey } from './place.js';

/** Where a reference leads before anything runs: to a component, to a value, or nowhere; `unknown` when that cannot be told. */
export type Found = { readonly at: Place } | Held | 'unknown' | { readonly nowhere: string };
/** A value, with the attribute that holds it. */
interface Held {
  readonly value: Place;
  readonly name: string;
}

/** The names that only appear while the tree runs: `running`, `running_0` (Retry), `open_3` (OnEvent). */
const APPEARS = /^running$|_\d+$/;

/** Says where references lead. W-6 */
export class Guide {
  /** Attributes that somebody sets, and children that a `run` gives to others. */
  readonly #appear: ReadonlySet<string>;
  /** Tells whether the names of some of them are not known. */
  readonly #anyMayAppear: boolean;

  constructor({ places }: Survey) {
    const names = places.flatMap(({ description: { kind, attributes }, path }) => {
      if (kind === 'Attribute') return [attributes['name'] ?? ''];
      return kind === 'Run' && 'parent' in attributes ? [attributes['asName'] ?? path.split('/').at(-1)!] : [];
    });
    this.#appear = new Set(names.filter((name) => typeof name === 'string'));
    this.#anyMayAppear = names.some((name) => typeof name !== 'string');
  }

  find(from: Place, path: string): Found {
    const route = routeOf(path);
    if (!route) return { nowhere: 'it is no path' };
    if (route.absolute) return 'unknown';
    if (route.fromRoot) return this.#down(outermost(from), route.names);
    let start = from;
    for (let up = 0; up < route.up; up++) {
      if (start.isAdrift) return 'unknown';
      if (!start.parent) return { nowhere: `it leads out of ${nameOf(start)}, which is the outermost` };
      start = start.parent;
    }
    const [first, ...others] = route.names;
    if (first === undefined) return { at: start };
    if (route.strict) return this.#down(start, route.names);
    for (let level: Place | undefined = start; level; level = level.parent) {
      const here = this.#here(level, first);
      if (here) return typeof here === 'object' && 'at' in here ? this.#down(here.at, others) : here;
      if (level.isAdrift) return 'unknown';
    }
    return { nowhere: `no component up to ${nameOf(outermost(start))} has '${first}'` };
  }

  /** Finds what has this name at a component: a child, or an attribute. */
  #here(level: Place, name: string): { readonly at: Place } | Held | 'unknown' | undefined {
    const child = childNamed(level, name);
    if (child) return { at: child };
    if (hasValue(level, name)) return { value: level, name };
    return this.#mayAppear(level, name) ? 'unknown' : undefined;
  }

  #down(from: Place, names: readonly string[]): Found {
    let at = from;
    for (const name of names) {
      const here = this.#here(at, name) ?? this.#through(at, name);
      if (here === undefined) return { nowhere: `${nameOf(at)} has no '${name}'` };
      if (here === 'unknown' || 'value' in here) return here;
      at = here.at;
    }
    return { at };
  }

  /** A value of what a component of one's own consists of. */
  #through({ deployed }: Place, name: string): Held | undefined {
    return deployed && hasValue(deployed, name) ? { value: deployed, name } : undefined;
  }

  /** The attributes over which an attribute leads back to itself; nothing where one of them may be set meanwhile. W-6 */
  circle(start: Place, name: string): readonly string[] | undefined {
    const follow = (place: Place, its: string, passed: readonly string[]): readonly string[] | undefined => {
      if (this.#mayBeSet(place, its)) return undefined;
      for (const path of referencesIn(place.description.attributes[its] ?? null)) {
        const found = this.find(place, path);
        if (typeof found === 'string' || !('value' in found)) continue;
        const way = [...passed, `${nameOf(found.value)}.${found.name}`];
        if (found.value === start && found.name === name) return way;
        const further = passed.includes(way.at(-1)!) ? undefined : follow(found.value, found.name, way);
        if (further) return further;
      }
      return undefined;
    };
    return follow(start, name, []);
  }

  #mayBeSet({ kind }: Place, name: string): boolean {
    return this.#anyMayAppear || this.#appear.has(name) || (kind?.handlers !== undefined && kind.handlers.size > 0);
  }

  #mayAppear({ kind, isOpen }: Place, name: string): boolean {
    if (!kind || this.#anyMayAppear || this.#appear.has(name)) return true;
    // It has the attribute, and somebody may set that: a component of one's own, or the kind itself.
    if (fieldOf(kind, name) || (name === 'output' && kind.handlers?.has('work'))) return true;
    return isOpen && APPEARS.test(name);
  }
}

function hasValue({ kind, description: { attributes } }: Place, name: string): boolean {
  return givenOrDefault(kind, attributes, name) !== undefined;
}

function childNamed({ children, deployed }: Place, name: string): Place | undefined {
  if (deployed) return name === 'running' ? deployed : childNamed(deployed, name);
  return children.get(name);
}

function outermost(place: Place): Place {
  return place.parent ? outermost(place.parent) : place;
}

/** The references that lead nowhere, or to something else than is wanted there. */
export function referenceProblems(guide: Guide, place: Place): readonly DeclarationProblem[] {
  return Object.entries(place.description.attributes).flatMap(([name, value]) => {
    const field = place.kind && fieldOf(place.kind, name);
    if (place.kind?.mayLeadNowhere && field && keepsReference(field)) return [];
    const isList = name === 'sendTo' || name === 'registerWith';
    const wants = isList || (field && keepsReference(field)) ? 'component' : 'value';
    const circle = wants === 'value' ? guide.circle(place, name) : undefined;
    if (circle) {
      const problem = `it leads back to itself: ${circle.join(', ')}`;
      return [{ place: `${nameOf(place)}.${name}`, problem, remedy: 'Give one of these attributes a value.' }];
    }
    return referencesIn(value).flatMap((path) => {
      const wrong =
        wrongWay(guide, place, path, wants) ?? (isList && isReference(value) && notListed(guide, place, path));
      return wrong ? [{ place: `${nameOf(place)}.${name}`, ...wrong }] : [];
    });
  });
}

/** One component where a list of them is wanted. A list may be somewhere else, as the value of an attribute. */
function notListed(guide: Guide, place: Place, path: string) {
  const found = guide.find(place, path);
  if (typeof found === 'string' || 'nowhere' in found) return undefined;
  return { problem: `ref('${path}') is one component, and a list is wanted`, remedy: `Write [ref('${path}')].` };
}

function wrongWay(guide: Guide, place: Place, path: string, wants: 'component' | 'value') {
  if (!routeOf(path)) {
    return { problem: `ref('${path}') is no path`, remedy: "Write ref('../name') or ref('/deployment/x')." };
  }
  const found = guide.find(place, path);
  if (found === 'unknown') return undefined;
  if ('nowhere' in found) {
    const nearer = nearest(guide, place, path);
    if (nearer !== undefined) {
      const remedy = `Write ref('${nearer}').`;
      return { problem: `ref('${path}') leads nowhere: ${found.nowhere}`, remedy };
    }
    const remedy = "Each '..' leads to one parent; the name after it is looked for there, and then further out.";
    return { problem: `ref('${path}') leads nowhere: ${found.nowhere}`, remedy };
  }
  if ('value' in found) {
    if (wants === 'value') return undefined;
    return { problem: `ref('${path}') names a value, and no component`, remedy: 'Name a component.' };
  }
  if (wants === 'component') return undefined;
  const remedy = `Name one of its attributes, as in ref('${path}/output').`;
  return { problem: `ref('${path}') names a component, and no value`, remedy };
}

/** The same reference with fewer steps up, where that leads somewhere. */
function nearest(guide: Guide, place: Place, path: string): string | undefined {
  for (let shorter = path; shorter.startsWith('../');) {
    shorter = shorter.slice(3);
    const found = guide.find(place, shorter);
    if (typeof found === 'object' && !('nowhere' in found)) return shorter;
  }
  return undefined;
}

/** The paths of all references in a value. What a description in it refers to is its own matter. */
function referencesIn(value: Value): readonly string[] {
  if (typeof value !== 'object' || value === null || isDescription(value)) return [];
  if (isReference(value)) return [value.$ref];
  return Object.values(value).flatMap((each: Value) => referencesIn(each));
}
