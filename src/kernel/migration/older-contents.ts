import { downOf, type StoredEntity } from '../../definition/migration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import { schemaVersionOf, type OlderContents, type Snapshot } from '../../protocol/snapshot.js';
import { copyOf, giveNext, presentState } from './migrated-contents.js';

/** How much the next run gets of what older builds would read, in characters of JSON: as much as a snapshot may have. */
const BUDGET = 512 * 1024;

export type WayBack =
  | { readonly found: true; readonly older: Readonly<Record<number, OlderContents>> }
  | { readonly found: false; readonly problem: string };

/**
 * Gives what builds of older schemas would find of an entity at rest, by their schemas: as far down as its migrations lead back without a
 * gap. The next run gets it along, so that whichever build begins it can go on. Q2
 */
export function olderContents(entity: AnyEntity, snapshot: Snapshot): WayBack {
  const older: Record<number, OlderContents> = {};
  if (schemaVersionOf(snapshot) !== entity.schema) return { found: true, older };
  const { state, properties, links, subordinates } = snapshot;
  let stored: StoredEntity = copyOf({ state, properties, links, subordinates });
  const events = oldNames(entity.renamed.events);
  let size = 0;
  for (let schema = entity.schema - 1; schema > 0; schema--) {
    const down = downOf(entity.migrations[schema + 1]);
    if (!down) break;
    const given = giveNext(down, stored);
    if (typeof given === 'string') return fails(`its 'down' from schema ${schema + 1} ${given}`);
    stored = copyOf({ ...stored, ...given });
    const moved = presentState(entity, stored.state) !== state;
    if (moved && snapshot.deployments?.length) {
      return fails(`its 'down' from schema ${schema + 1} leads out of ${state}, which has a deployment`);
    }
    size += JSON.stringify(stored).length;
    if (size > BUDGET) break;
    older[schema] = { ...stored, moved, events };
  }
  return { found: true, older };

  function fails(why: string): WayBack {
    const problem = `${entityId(snapshot)} stays on its build: ${why}. Fix the migrations of ${entity.name}.`;
    return { found: false, problem };
  }
}

/** The old name of each event that has had one other name. An older build knows it, even where it has renamed it itself. */
function oldNames(renamed: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const names = Object.entries(renamed);
  const isCertain = (present: string) => names.filter(([, name]) => name === present).length === 1;
  return Object.fromEntries(names.filter(([, name]) => isCertain(name)).map(([old, name]) => [name, old]));
}
