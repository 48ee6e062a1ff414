import { getPath } from 'hono/utils/url';
import { joinTexts } from '../definition/key-text.js';
import type { Catalogue, ListRoot } from './lists/catalogue.js';
import type { EntityModel } from './odata/index.js';
import { keyValues, type KeyPart } from './odata-key.js';

/*
 * OData's addresses as those of the routes: `LogicalServer('orders')/control_plane.v1.delete` is `LogicalServer/orders/delete`,
 * `entities(type='Alias',key='a')` is `entities/Alias/a`. Only what stands where a name stands is read so: a key that looks
 * like it is a key. S6.2
 */

/** What is wrong with an address, for whoever wrote it. */
interface Malformed {
  readonly segment: string;
  readonly problem: string;
}

/** The path of a route, or what is wrong with the key that stands in parentheses. */
type Address = { readonly path: string } | { readonly malformed: Malformed };

const KEYED = /^([\p{L}_][\p{L}\p{Nd}_]*)\((.*)\)$/su;
const OPENED = /^[\p{L}_][\p{L}\p{Nd}_]*\(/u;

/** @param path percent-encoded, as it came */
export function addressOf(path: string, { store, modules }: Catalogue): Address {
  const root = [...modules, store].find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (!root) return { path };
  const segments = path.slice(root.path.length + 1).split('/');
  // A client that takes the address of the service for a folder.
  if (segments.length === 1 && segments[0] === '') return { path: root.path };
  const taken: string[] = [];
  /** How many segments have to come before there is a name again. */
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

/** The path by which a route is found; that of the request where nothing is at what it says. */
export function routePath(request: Request, catalogue: Catalogue): string {
  const { pathname } = new URL(request.url);
  const address = addressOf(pathname, catalogue);
  if (!('path' in address) || address.path === pathname) return getPath(request);
  return getPath(new Request(`http://localhost${address.path}`));
}

/** The one value of a key of several parts, where it is written part by part; else it is written as one text. */
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

/** What makes up the key of what stands at a place; below the first one, each has one part, of any name and kind. */
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

/** An action by its full name is that of the event. */
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
