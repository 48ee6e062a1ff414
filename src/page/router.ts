import { computed, signal } from '@preact/signals';
import { placeOf } from './parts/entity-place.js';
import { leavePlace } from './scroll.js';

/*
 * The view that the page shows stands behind the `#` of the address, so that each view can be shared as a link, and none of it is sent to
 * a server.
 */

/** A view, by the parts of its address, and what it is asked for. */
export interface Place {
  readonly parts: readonly string[];
  readonly options: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  leavePlace();
  hash.value = location.hash;
});

export const place = computed((): Place => {
  const [path = '', options = ''] = hash.value.replace(/^#\/?/, '').split('?');
  return { parts: path.split('/').filter(Boolean).map(decoded), options: new URLSearchParams(options) };
});

/** Makes the address of a view. */
export function linkTo(parts: readonly string[], options: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(options).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const query = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join('/')}${query && `?${query}`}`;
}

/** The type and the key of an id, `LogicalServer/orders`: a key can have slashes of its own. */
export function partsOfId(id: string): readonly [type: string, key: string] {
  const slash = id.indexOf('/');
  return [id.slice(0, slash), id.slice(slash + 1)];
}

/** The address of an entity by its id, or of the operation over partitions that an id names. */
export function linkToEntity(id: string): string {
  return linkTo(placeOf(...partsOfId(id)));
}

export function linkToOperation(id: string, on?: string): string {
  return linkTo(['operations', id], { on });
}

/** Goes to another view. `replacing`: the view before is not one to come back to, as when a filter changes. */
export function go(link: string, { replacing = false } = {}): void {
  if (replacing) history.replaceState(history.state, '', link);
  else {
    history.pushState(null, '', link);
    leavePlace();
  }
  hash.value = location.hash;
}

/** Changes what the present view is asked for, such as a filter. */
export function ask(change: Readonly<Record<string, string | undefined>>): void {
  const { parts, options } = place.peek();
  go(linkTo(parts, { ...Object.fromEntries(options), ...change }), { replacing: true });
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
