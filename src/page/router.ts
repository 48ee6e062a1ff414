import { computed, signal } from '@preact/signals';

/*
 * What the page shows stands behind the `#` of the address, so that each view can be shared as a link, and none of it is sent to
 * a server.
 */

/** A view, by the parts of its address, and what it is asked for. */
export interface Place {
  readonly parts: readonly string[];
  readonly options: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => (hash.value = location.hash));

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

/** The address of an entity by its id, `LogicalServer/orders`: a key can have slashes of its own. */
export function linkToEntity(id: string): string {
  const slash = id.indexOf('/');
  return linkTo(['entities', id.slice(0, slash), id.slice(slash + 1)]);
}

export function linkToOperation(id: string, on?: string): string {
  return linkTo(['operations', id], { on });
}

/** Goes to another view. `replacing`: the view before is not one to come back to, as when a filter changes. */
export function go(link: string, { replacing = false } = {}): void {
  if (replacing) history.replaceState(null, '', link);
  else history.pushState(null, '', link);
  hash.value = location.hash;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
