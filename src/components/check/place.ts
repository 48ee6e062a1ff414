import type { DeclarationProblem } from '../../definition/declaration-error.js';
import { extend, isDescription, type Description } from '../description/description.js';
import type { Kind, Kinds } from '../tree/kind.js';
import { messageOf } from '../../definition/thrown.js';

/*
 * The places of a description at which components will be, so far as that can be known before anything starts.
 */

export interface Place {
  /** From the root on; the root's is ''. */
  readonly path: string;
  readonly description: Description;
  /** None when it is not known. */
  readonly kind: Kind | undefined;
  readonly parent: Place | undefined;
  /** The attribute of the parent that holds it, when it is no child from the beginning. */
  readonly heldBy: string | undefined;
  /** Its children, in the order of their declaration. */
  readonly children: ReadonlyMap<string, Place>;
  /** The places that its attributes hold. */
  readonly held: ReadonlyMap<string, Place>;
  /** All that a component of one's own consists of. */
  readonly deployed: Place | undefined;
  /** Tells whether it can have children that are not seen here. */
  readonly isOpen: boolean;
  /** Tells whether it ends up under a parent that cannot be known. */
  readonly isAdrift: boolean;
}

/** A place while its insides are being looked for. */
type Growing = Omit<Place, 'children' | 'held' | 'deployed' | 'isOpen'> & {
  readonly children: Map<string, Place>;
  readonly held: Map<string, Place>;
  deployed: Place | undefined;
  isOpen: boolean;
};

/** How a place is named to people. */
export function nameOf({ path, description }: Place): string {
  return path === '' ? description.kind : path;
}

/** All places of a description, each before those below it. */
export class Survey {
  readonly root: Place;
  readonly places: Place[] = [];
  readonly problems: DeclarationProblem[] = [];
  readonly #kinds: Kinds;

  constructor(kinds: Kinds, description: Description) {
    this.#kinds = kinds;
    this.root = this.#place(description, { path: '', parent: undefined, heldBy: undefined, isAdrift: false }, []);
  }

  #place(
    description: Description,
    at: Pick<Place, 'path' | 'parent' | 'heldBy' | 'isAdrift'>,
    deploying: readonly string[],
  ): Place {
    const kind = this.#kinds.get(description.kind);
    const insides = { children: new Map<string, Place>(), held: new Map<string, Place>(), deployed: undefined };
    const place: Growing = { ...at, description, kind, ...insides, isOpen: kind === undefined };
    this.places.push(place);
    if (!kind) {
      const problem = `no kind '${description.kind}' is known`;
      this.problems.push({ place: nameOf(place), problem, remedy: 'Name its component to kindsOf().' });
      return place;
    }
    for (const [name, value] of Object.entries(description.attributes)) {
      if (!isDescription(value)) continue;
      // Anyone who starts what an attribute of a component of one's own holds refers to it: that can be anybody below.
      const isAdrift = at.isAdrift || kind.handlers !== undefined || kind.startsElsewhere === true;
      const its = { path: below(place, name), parent: place, heldBy: name, isAdrift };
      place.held.set(name, this.#place(value, its, deploying));
    }
    const inside = { parent: place, heldBy: undefined, isAdrift: at.isAdrift };
    if (kind.deploys) place.deployed = this.#deployed(place, kind, inside, deploying);
    else {
      for (const [name, child] of description.children) {
        place.children.set(name, this.#place(child, { ...inside, path: below(place, name) }, deploying));
      }
    }
    place.isOpen = place.held.size > 0 || (kind.deploys !== undefined && place.deployed === undefined);
    return place;
  }

  /** Finds what a component consists of, with the children that were added to it. */
  #deployed(
    place: Place,
    kind: Kind,
    inside: Pick<Place, 'parent' | 'heldBy' | 'isAdrift'>,
    deploying: readonly string[],
  ): Place | undefined {
    if (deploying.includes(kind.name)) {
      // A component that is held by an attribute is started later, if ever: it has been looked at already.
      const isLater = heldSince(place, kind.name);
      if (!isLater) this.#mistake(place, 'it deploys itself', 'Let an attribute hold it, as in ifThen({ then: ... }).');
      return undefined;
    }
    try {
      const deployed: unknown = kind.deploys!();
      if (isDescription(deployed)) {
        const all = extend(deployed, { children: Object.fromEntries(place.description.children) });
        return this.#place(all, { ...inside, path: below(place, 'running') }, [...deploying, kind.name]);
      }
      this.#mistake(
        place,
        'the value that it deploys is not a description',
        'Return a component, as in () => sequence({ ... }).',
      );
    } catch (thrown) {
      const message = messageOf(thrown);
      const remedy = 'Make it return a component, and do nothing else.';
      this.#mistake(place, `its 'deploys' throws: ${message.replace(/\.$/, '')}`, remedy);
    }
    return undefined;
  }

  #mistake(place: Place, problem: string, remedy: string): void {
    this.problems.push({ place: nameOf(place), problem, remedy });
  }
}

function below({ path }: Pick<Place, 'path'>, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/** Tells whether an attribute holds what lies between a place and the nearest one of a kind further out. */
function heldSince(place: Place, kind: string): boolean {
  for (let at: Place | undefined = place; at; at = at.parent) {
    if (at !== place && at.description.kind === kind) return false;
    if (at.heldBy !== undefined) return true;
  }
  return false;
}
