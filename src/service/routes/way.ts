import { z } from '@hono/zod-openapi';
import { splitText } from '../../definition/key-text.js';
import type { ServiceContext } from '../context.js';
import type { Catalogue } from '../lists/catalogue.js';
import type { List } from '../lists/list-answer.js';
import { namesIn } from '../lists/one-row.js';
import { Visible } from '../lists/visible.js';
import type { EntityModel, Navigation, Served } from '../odata/index.js';
import { numberText, plainText } from './parameters.js';

/** A way from the rows of a list, and where these rows are served. */
export interface Way {
  readonly list: List;
  readonly way: Navigation;
  readonly served: Served;
  readonly tag: string;
}

/** The list of which a collection is a part. */
export function listOf({ store, modules }: Catalogue, model: EntityModel): List {
  const lists = [store, ...modules].flatMap((root) => root.lists);
  return lists.find((list) => list.model === model) ?? { name: model.name, root: store.path, model };
}

/** Tells what a caller may see of a list, and the values in the path that name one of its rows. */
export function askedOf(
  context: ServiceContext,
  list: Pick<List, 'name'>,
  { dimensions }: Catalogue,
  served: Served,
): { readonly visible: Visible; readonly values: readonly string[] } {
  const values = namesIn(served).map((each) => context.req.param(each)!);
  return { visible: Visible.to(context.var.guard, list.name, dimensions), values };
}

/** A request that is sent to several entities under one key has several operations. */
export function mayBeSeveral({ table }: EntityModel): { readonly problems?: readonly [409] } {
  return table === 'operations' ? { problems: [409] } : {};
}

/** The name in a context for what belongs to one row alone: `Ship('a')/boats`. */
export function aboutMembers({ name, model }: List, values: readonly string[], way: Navigation): string {
  const [key = ''] = values;
  const parts = model.keyParts && splitText(key);
  const written = parts?.map((part, index) => {
    const property = model.keyParts?.names[index] ?? '';
    return `${property}=${model.properties[property]?.kind === 'integer' ? part : quoted(part)}`;
  });
  return `${name}(${written?.join(',') ?? quoted(key)})/${way.name}`;
}

function quoted(text: string): string {
  return `'${encodeURIComponent(text.replaceAll("'", "''"))}'`;
}

/** The parameters of the path under which a row is served. */
export function parametersOf({ properties }: EntityModel, served: Served): z.ZodObject {
  const shape = namesIn(served).map((name, index) => {
    const kind = properties[served.by[index] ?? '']?.kind;
    return [name, kind === 'integer' ? numberText : plainText(LONGEST)] as const;
  });
  return z.object(Object.fromEntries(shape));
}

/** The most characters of the id of an operation. */
const LONGEST = 900;
