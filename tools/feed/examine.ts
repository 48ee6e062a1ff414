import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../../src/store/index.js';
import { patiently } from '../replay/patience.js';
import type { Rig } from '../replay/rig.js';
import { WAITS } from './line.js';
import type { Listeners } from './listeners.js';

/** How long the feed and its listeners have to come to the end, in milliseconds, and the time between two looks. */
const END_MS = 300_000;
const LOOK_MS = 500;

interface Examined {
  readonly rig: Rig;
  readonly store: Store;
  readonly listeners: Listeners;
  readonly writers: number;
}

/** Waits until everything was heard, and compares it with what has happened. Gives what is wrong. */
export async function examine({ rig, store, listeners, writers }: Examined): Promise<readonly string[]> {
  const versions = new Map<string, number>();
  for (let index = 0; index < writers; index++) {
    const key = `c${index}`;
    const { snapshot } = await patiently(`read Counter/${key}`, () => rig.reeve.read({ type: 'Counter', key }));
    versions.set(snapshot.life, snapshot.version);
  }
  const problems: string[] = [];
  for (let index = 0; index < listeners.count; index++) {
    const heard = await untilHeard(listeners, index, versions);
    problems.push(...wrongIn(heard, versions).map((problem) => `listener ${index}: ${problem}`));
  }
  const actions = await sql<{ life: string; version: number; action: string | null }>`
    select life, version, case when kind = 'waits' then ${WAITS} else action_name end as action from reeve.changes`.execute(
    store.reader,
  );
  const known = new Set(actions.rows.map(({ life, version, action }) => `${life} ${version} ${action ?? '-'}`));
  for (let index = 0; index < listeners.count; index++) {
    const other = (await listeners.heard(index)).find(
      ({ life, version, action }) => !known.has(`${life} ${version} ${action}`),
    );
    if (other) problems.push(`listener ${index} has heard what did not happen: ${JSON.stringify(other)}`);
  }
  return problems;
}

async function untilHeard(listeners: Listeners, index: number, versions: ReadonlyMap<string, number>) {
  for (const until = Date.now() + END_MS; ;) {
    const heard = await listeners.heard(index);
    const last = new Map<string, number>();
    for (const { life, version } of heard) last.set(life, Math.max(version, last.get(life) ?? 0));
    if ([...versions].every(([life, version]) => (last.get(life) ?? 0) >= version) || Date.now() > until) return heard;
    await delay(LOOK_MS);
  }
}

/** Each change once or more, in the order of its entity, none missing, and none that did not happen. */
function wrongIn(
  heard: Awaited<ReturnType<Listeners['heard']>>,
  versions: ReadonlyMap<string, number>,
): readonly string[] {
  const problems: string[] = [];
  const reached = new Map<string, number>();
  for (const { life, version, action } of heard) {
    const before = reached.get(life) ?? 0;
    if (action === WAITS && version > before) problems.push(`${life} waits in version ${version} before it is there`);
    else if (version > before + 1) problems.push(`after version ${before} of ${life} came ${version}`);
    reached.set(life, Math.max(before, version));
  }
  for (const [life, version] of versions) {
    const last = reached.get(life) ?? 0;
    if (last !== version) problems.push(`${life} is at version ${version}, and was heard of up to ${last}`);
  }
  return problems.slice(0, 5);
}
