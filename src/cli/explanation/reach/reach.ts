import { quoted } from '../../../protocol/odata-text.js';
import type { ServedType } from '../../../service/routes/types.js';
import { isDestructive } from './destructive.js';
import { raisedBy } from './raised.js';

/** So many entities that link to one are named. The others are counted. */
export const NAMED = 20;

/** An entity on which an event may be raised: the part that tells how far that reaches. */
export interface Reached {
  /** `LogicalServer/orders` */
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly state: string;
  readonly successors: readonly {
    readonly entity: string;
    /** The state in which it was last; `null` before its first report. */
    readonly state: string | null;
    /** The code with which it rejected its event. */
    readonly rejected: string | null;
  }[];
}

/** The events that entities of another type may get. */
export interface ReachedType {
  readonly type: string;
  readonly events: readonly {
    readonly event: string;
    /** Tells whether the event ends the entity that gets it. */
    readonly ends: boolean;
    /** Tells whether the event creates an entity, whose key the declaration does not tell. */
    readonly creates: boolean;
  }[];
  /** The successors of this type that are not known to have ended. */
  readonly successors: readonly string[];
  /** Those of them that rejected their event: they may never have existed. */
  readonly doubtful: readonly string[];
  /** The path of a list of the doubtful ones that exist; nothing where there are none. */
  readonly existing?: string;
  /** Tells whether others were successors of this type, and have ended. */
  readonly hadOthers: boolean;
  /** The path of a list of those entities of this type that link to the entity; nothing where the type declares no such link. */
  readonly linking?: string;
}

/** How far an event reaches, as the declaration says. */
export interface Reach {
  /** Tells whether the event ends the entity. */
  readonly ends: boolean;
  readonly types: readonly ReachedType[];
  /** The actions whose declaration does not say what they raise. */
  readonly undeclared: readonly string[];
  /** The other successors, which may be affected where actions do not declare what they raise. */
  readonly others: readonly string[];
}

/** Finds the events that others may get because of an event on an entity in its state, with its successors of now. S6.3 */
export function reachOf(
  typeOf: (name: string) => ServedType | undefined,
  type: ServedType,
  entity: Reached,
  event: string,
): Reach {
  const { events, undeclared } = raisedBy(type, entity.state, event);
  const all = entity.successors.map((each) => each.entity);
  const present = entity.successors.filter((each) => !hasEnded(typeOf(typeIn(each.entity)), each));
  const successors = [...new Set(present.map((each) => each.entity))];
  const rejected = new Set(present.filter((each) => each.rejected !== null).map((each) => each.entity));
  return {
    ends: isDestructive(type, event),
    types: [...events].map(([name, raised]) => {
      const on = typeOf(name);
      const linking = on && pathOfLinking(on, entity);
      const own = successors.filter((id) => typeIn(id) === name);
      const doubtful = own.filter((id) => rejected.has(id));
      return {
        type: name,
        events: raised.map((each) => ({
          event: each,
          ends: on !== undefined && isDestructive(on, each),
          creates: on !== undefined && creates(on, each),
        })),
        ...{ successors: own, doubtful },
        ...(on && doubtful.length > 0 && { existing: pathOfExisting(on, doubtful) }),
        hadOthers: all.some((id) => typeIn(id) === name && !own.includes(id)),
        ...(linking !== undefined && { linking }),
      };
    }),
    undeclared,
    others: undeclared.length === 0 ? [] : successors.filter((id) => !events.has(typeIn(id))),
  };
}

function creates({ states, actions }: ServedType, event: string): boolean {
  const initial = states.filter((state) => state.initial).map(({ name }) => name);
  return actions.some(({ on, in: sources }) => on === event && sources.some((state) => initial.includes(state)));
}

/** Tells whether a successor is known to be deleted, or never to have existed. */
function hasEnded(type: ServedType | undefined, { state, rejected }: Reached['successors'][number]): boolean {
  if (rejected === 'absent' || rejected === 'gone') return true;
  return type?.states.find(({ name }) => name === state)?.ending === 'deleted';
}

function typeIn(id: string): string {
  return id.slice(0, id.indexOf('/'));
}

function pathOfLinking({ path, links }: ServedType, { type, key }: Reached): string | undefined {
  const conditions = links
    .filter(({ to }) => to === type)
    .map(({ name, many }) => (many ? `links/${name}/any(k:k eq ${quoted(key)})` : `links/${name} eq ${quoted(key)}`));
  if (conditions.length === 0) return undefined;
  const filter = encodeURIComponent(conditions.join(' or '));
  return `${path}?$filter=${filter}&$select=key&$orderby=key&$top=${NAMED}&$count=true`;
}

function pathOfExisting({ name, path }: ServedType, ids: readonly string[]): string {
  const keys = ids.map((id) => quoted(id.slice(name.length + 1))).join(',');
  return `${path}?$filter=${encodeURIComponent(`key in (${keys})`)}&$select=key&$top=${ids.length}`;
}

/** The successors that exist, as a list of `existing` says. */
export function successorsIn(
  { type, successors, doubtful }: ReachedType,
  page: { readonly value: readonly { readonly key: string }[] },
): readonly string[] {
  const found = page.value.map(({ key }) => `${type}/${key}`);
  return successors.filter((id) => !doubtful.includes(id) || found.includes(id));
}

/** Tells whether a type is reached at all, once its successors and those that link to it are known. */
export function isReached(
  { events, hadOthers, linking: path, doubtful }: ReachedType,
  successors: readonly string[],
  linking: readonly string[] | null,
): boolean {
  const wasSought = hadOthers || path !== undefined || doubtful.length > 0;
  return events.some(({ creates: isNew }) => isNew) || successors.length > 0 || linking?.length !== 0 || !wasSought;
}

/** The entities that a list of `linking` has: by name those that are no successors, and how many more there are. */
export function linkingIn(
  { type, successors }: ReachedType,
  page: { readonly value: readonly { readonly key: string }[]; readonly '@odata.count'?: number },
): { readonly entities: readonly string[]; readonly more: number } {
  const found = page.value.map(({ key }) => `${type}/${key}`);
  const more = Math.max(0, (page['@odata.count'] ?? 0) - found.length);
  return { entities: found.filter((id) => !successors.includes(id)), more };
}
