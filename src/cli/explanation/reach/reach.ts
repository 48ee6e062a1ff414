import { quoted } from '../../../protocol/odata-text.js';
import type { ServedType } from '../../../service/routes/types.js';
import { isDestructive } from './destructive.js';
import { raisedBy } from './raised.js';

/** So many entities that link to one are named. The others are counted. */
export const NAMED = 20;

/** An entity on which an event may be raised: the part that tells how far that reaches. */
interface Reached {
  /** `LogicalServer/orders` */
  readonly id: string;
  readonly type: string;
  readonly key: string;
  readonly state: string;
  readonly successors: readonly { readonly entity: string }[];
}

/** The events that entities of another type may get. */
export interface ReachedType {
  readonly type: string;
  readonly events: readonly {
    readonly event: string;
    /** Tells whether the event ends the entity that gets it. */
    readonly ends: boolean;
  }[];
  /** The successors of this type. */
  readonly successors: readonly string[];
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
  const successors = [...new Set(entity.successors.map((each) => each.entity))];
  return {
    ends: isDestructive(type, event),
    types: [...events].map(([name, raised]) => {
      const on = typeOf(name);
      const linking = on && pathOfLinking(on, entity);
      return {
        type: name,
        events: raised.map((each) => ({ event: each, ends: on !== undefined && isDestructive(on, each) })),
        successors: successors.filter((id) => typeIn(id) === name),
        ...(linking !== undefined && { linking }),
      };
    }),
    undeclared,
    others: undeclared.length === 0 ? [] : successors.filter((id) => !events.has(typeIn(id))),
  };
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

/** The entities that a list of `linking` has: by name those that are no successors, and how many more there are. */
export function linkingIn(
  { type, successors }: ReachedType,
  page: { readonly value: readonly { readonly key: string }[]; readonly '@odata.count'?: number },
): { readonly entities: readonly string[]; readonly more: number } {
  const found = page.value.map(({ key }) => `${type}/${key}`);
  const more = Math.max(0, (page['@odata.count'] ?? 0) - found.length);
  return { entities: found.filter((id) => !successors.includes(id)), more };
}
