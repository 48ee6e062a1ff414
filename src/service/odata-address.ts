import { getPath } from 'hono/utils/url';
import { joinTexts } from '../definition/key-text.js';
import type { Catalogue, ListRoot } from './lists/catalogue.js';
import type { EntityModel } from './odata/index.js';
import { keyValues, type KeyPart } from './odata-key.js';

/*
 * Turns OData's addresses into the paths of our routes: `LogicalServer('orders')/control_plane.v1.delete` becomes
 * `LogicalServer/orders/delete`, and `entities(type='Alias',key='a')` becomes `entities/Alias/a`. Parentheses are read so only
 * where a name stands. A key that looks like this remains a key. S6.2
 */

/** Says what is wrong with an address, for the person who wrote it. */
interface Malformed {
  readonly segment: string;
  readonly problem: string;
}

/** The path of a route, or what is wrong with the key that stands in parentheses. */
type Address = { readonly path: string } | { readonly malformed: Malformed };

const KEYED = /^([\p{L}_][\p{L}\p{Nd}_]*)\((.*)\)$/su;
const OPENED = /^[\p{L}_][\p{L}\p{Nd}_]*\(/u;

/**
 * Translates an address.
 * @param path percent-encoded, as it came
 */
export function addressOf(path: string, { store, modules }: Catalogue): Address {
  const root = [...modules, store].find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (!root) return { path };
  const segments = path.slice(root.path.length + 1).split('/');
  // Some clients take the address of the service for a folder, and end it with a slash.
  if (segments.length === 1 && segments[0] === '') return { path: root.path };
  const taken: string[] = [];
  /** How many segments are keys before a name comes again. */
  let keys = 0;
  for (const [index, segment] of segments.entries()) {
    const text = keys > 0 ? undefined : decoded(segment);
    if (text === undefined || !OPENED.test(text)) {
      taken.push(keys > 0 ? segment : unqualified(segment, root));
      keys = keys > 0 ? keys - 1 : keysOf(root, index, segment).length;
      continue;
    }
    const [, name, inner = ''] = KEYED.exec(text) ?? [];
    if (name === undefined) return { malformed: { segment: text, problem: 'its parenthesis is not closed' } };
    const values = keyOfParts(inner, root, index, name) ?? keyValues(inner, keysOf(root, index, name));
    if (typeof values === 'string') return { malformed: { segment: text, problem: values } };
    taken.push(name, ...values.map((value) => encodeURIComponent(value)));
  }
  return { path: `${root.path}/${taken.join('/')}` };
}

/** The path by which a route is found. Where the address is malformed, it is the path of the request itself. */
export function routePath(request: Request, catalogue: Catalogue): string {
  const { pathname } = new URL(request.url);
  const address = addressOf(pathname, catalogue);
  if (!('path' in address) || address.path === pathname) return getPath(request);
  return getPath(new Request(`http://localhost${address.path}`));
}

/** The value of a key of several parts, where the parts are written one by one. Gives `undefined` where the key is one text. */
function keyOfParts(
  inner: string,
  root: ListRoot,
  index: number,
  name: string,
): readonly string[] | string | undefined {
  const model = modelAt(root, index, name);
  if (!model?.keyParts || /^(key=)?'/.test(inner)) return undefined;
  const parts = model.keyParts.names.map((part) => keyPart(model, part));
  const values = keyValues(inner, parts);
  if (typeof values === 'string') return values;
  return [joinTexts(values.map((value, place) => (parts[place]?.isNumber ? String(Number(value)) : value)))];
}

/** The parts of the key of what stands at a place. Below the first place, each key has one part, of any name and kind. */
function keysOf(root: ListRoot, index: number, name: string): readonly KeyPart[] {
  const model = modelAt(root, index, name);
  return model?.served?.by.map((part) => keyPart(model, part)) ?? [{}];
}

function keyPart({ properties }: EntityModel, name: string): KeyPart {
  return { name, isNumber: properties[name]?.kind === 'integer' };
}

function modelAt({ lists }: ListRoot, index: number, name: string): EntityModel | undefined {
  return index === 0 ? lists.find((each) => each.name === name)?.model : undefined;
}

/** The name without the namespace: an action by its full name is an event by its own. */
function unqualified(segment: string, { namespace }: ListRoot): string {
  return segment.startsWith(`${namespace}.`) ? segment.slice(namespace.length + 1) : segment;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
