import { quoted } from '../../../protocol/odata-text.js';
import type { ServedType } from '../../../service/routes/types.js';
import { NAMED } from './reach.js';

/** So many entities of a type are looked at for what depends on them. */
const MOST = 50;

/** The things that depend on the entities that an event ends, and get no event themselves. */
export interface Around {
  /** The entities that link to one of them and stay. */
  readonly left: readonly { readonly type: string; readonly entities: readonly string[]; readonly more: number }[];
  /** The answers from outside that one of them awaits. */
  readonly answers: readonly { readonly entity: string; readonly of: string }[];
  /** The operations over partitions that run on one of them, or on one that is left. */
  readonly distributed: readonly string[];
  /** Tells whether some of that could not be asked for. */
  readonly partly: boolean;
}

/** Reads a page of a list; nothing where it could not be asked for. */
export type ListReader = <Row>(
  path: string,
) => Promise<{ readonly value: readonly Row[]; readonly '@odata.count'?: number } | undefined>;

/** Finds what depends on entities that are ended. `reached` are the types whose entities get events. S6.3 */
export async function lookAround(
  list: ListReader,
  types: readonly ServedType[],
  ended: readonly string[],
  reached: ReadonlySet<string>,
): Promise<Around> {
  const keys = new Map<string, string[]>();
  for (const id of ended) {
    const [type, key] = [id.slice(0, id.indexOf('/')), id.slice(id.indexOf('/') + 1)];
    keys.set(type, [...(keys.get(type) ?? []), key]);
  }
  const asked = types.flatMap((type) => {
    const path = reached.has(type.name) ? undefined : pathOfLinks(type, keys);
    return path === undefined ? [] : [{ type: type.name, path }];
  });
  const [links, answers, running] = await Promise.all([
    Promise.all(asked.map(async ({ type, path }) => ({ type, page: await list<{ readonly key: string }>(path) }))),
    list<Answer>(pathOfAnswers(keys)),
    list<Running>('/api/distributed?rows=1000'),
  ]);
  const left = links.flatMap(({ type, page }) => {
    const entities = (page?.value ?? []).map(({ key }) => `${type}/${key}`).filter((id) => !ended.includes(id));
    const more = Math.max(0, (page?.['@odata.count'] ?? 0) - (page?.value.length ?? 0));
    return entities.length === 0 ? [] : [{ type, entities, more }];
  });
  const targets = new Set(
    [...ended, ...left.flatMap(({ entities }) => entities)].map((id) => id.slice(id.indexOf('/') + 1)),
  );
  return {
    left,
    answers: (answers?.value ?? []).map(({ entity_type: type, entity_key: key, call_name: call, event }) => ({
      ...{ entity: `${type}/${key}`, of: call ?? event ?? '' },
    })),
    distributed: (running?.value ?? [])
      .filter(({ state, target }) => state !== 'ended' && targets.has(target))
      .map(({ name }) => name),
    partly: !answers || !running || links.some(({ page }) => !page),
  };
}

interface Answer {
  readonly entity_type: string;
  readonly entity_key: string;
  readonly call_name: string | null;
  readonly event: string | null;
}

interface Running {
  readonly name: string;
  readonly target: string;
  readonly state: string;
}

function pathOfLinks({ path, links }: ServedType, keys: ReadonlyMap<string, readonly string[]>): string | undefined {
  const conditions = links.flatMap(({ name, to, many }) => {
    const list = quotedOf(keys.get(to) ?? []);
    if (list === '') return [];
    return [many ? `links/${name}/any(k:k in (${list}))` : `links/${name} in (${list})`];
  });
  if (conditions.length === 0) return undefined;
  return `${path}?$filter=${encodeURIComponent(conditions.join(' or '))}&$select=key&$orderby=key&$top=${NAMED}&$count=true`;
}

function pathOfAnswers(keys: ReadonlyMap<string, readonly string[]>): string {
  const each = [...keys].map(
    ([type, those]) => `(entity_type eq ${quoted(type)} and entity_key in (${quotedOf(those)}))`,
  );
  return `/api/pending_callbacks?$filter=${encodeURIComponent(each.join(' or '))}&$top=${NAMED}`;
}

function quotedOf(keys: readonly string[]): string {
  return keys.slice(0, MOST).map(quoted).join(',');
}
