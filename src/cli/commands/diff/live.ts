import type { AnyEntity } from '../../../definition/entity.js';
import type { Change } from '../../../definition/evolution/change.js';
import type { Model } from '../../../definition/evolution/model.js';
import type { StoreReader } from '../../../store/index.js';
import { Unreachable } from '../../unreachable.js';
import { withSession } from '../../session.js';
import { withOwnStore } from '../../store-session.js';
import type { TriedMigrations } from './trial.js';

/** How many live entities a change touches, and how often its event was raised lately. */
export interface Liveness {
  readonly entities: number;
  /** Some of their keys, the first ones. */
  readonly keys: readonly string[];
  /** In 30 days; none where no event is concerned, or only the store could tell and is away. */
  readonly raised?: number;
}

export interface Live {
  /** `temporal`: the store is unavailable. What Temporal lists is a moment late, and knows no events. */
  readonly source: 'store' | 'temporal';
  /** By change. */
  readonly touched: ReadonlyMap<Change, Liveness>;
  /** The outcome of the migrations; none where they could not be tried. */
  readonly tried?: readonly TriedMigrations[];
}

const SHOWN_KEYS = 5;
const DAYS_MS = 30 * 86_400_000;

/**
 * Finds what the changes mean for what lives. Reads only.
 * @param entities the declarations whose migrations are tried; none where only a file is known
 */
export async function findLive(
  changes: readonly Change[],
  models: { readonly old: Model; readonly next: Model },
  entities: readonly AnyEntity[] | undefined,
): Promise<Live> {
  try {
    return await withOwnStore(({ reader }) => findInStore(reader, changes, models, entities));
  } catch (thrown) {
    if (!(thrown instanceof Unreachable)) throw thrown;
    return fromTemporal(changes);
  }
}

/** The same from one store. */
export async function findInStore(
  reader: StoreReader,
  changes: readonly Change[],
  models: { readonly old: Model; readonly next: Model },
  entities: readonly AnyEntity[] | undefined,
): Promise<Live> {
  const { countLive, countRaised } = await import('../../../store/index.js');
  const { tryMigrations } = await import('./trial.js');
  const since = new Date(Date.now() - DAYS_MS);
  const touched = new Map<Change, Liveness>();
  for (const change of changes) {
    if (!change.touches) continue;
    const { type, states, event } = change.touches;
    const { count, keys } = await countLive(reader, { type, states }, SHOWN_KEYS);
    const raised = event === undefined ? undefined : await countRaised(reader, type, event, since);
    touched.set(change, { entities: count, keys, ...(raised !== undefined && { raised }) });
  }
  const tried = entities && (await tryMigrations(reader, models, entities));
  return { source: 'store', touched, ...(tried && { tried }) };
}

function fromTemporal(changes: readonly Change[]): Promise<Live> {
  return withSession(async ({ client }) => {
    const { LiveReader, liveQuery } = await import('../../../client/live/live-reader.js');
    const { SEARCH_ATTRIBUTES } = await import('../../../protocol/names.js');
    const reader = new LiveReader(client);
    const touched = new Map<Change, Liveness>();
    for (const change of changes) {
      if (!change.touches) continue;
      const { type, states } = change.touches;
      const where = states ? [`${SEARCH_ATTRIBUTES.state} IN (${states.map((state) => `"${state}"`).join(', ')})`] : [];
      const { count } = await client.workflow.count(liveQuery([type], where));
      const { rows } = await reader.entities([type], where, { rows: SHOWN_KEYS });
      touched.set(change, { entities: count, keys: rows.map(({ key }) => key) });
    }
    return { source: 'temporal', touched };
  });
}
