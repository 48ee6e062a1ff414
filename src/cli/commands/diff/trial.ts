import type { AnyEntity } from '../../../definition/entity.js';
import type { Model } from '../../../definition/evolution/model.js';
import { settlingStates } from '../../../definition/evolution/settling-states.js';
import { migrateContents } from '../../../kernel/index.js';
import type { Snapshot } from '../../../protocol/snapshot.js';
import { liveContents, type LiveContents, type StoreReader } from '../../../store/index.js';

/** What the migrations of a type would make of its live entities. */
export interface TriedMigrations {
  readonly type: string;
  readonly schema: number;
  /** Of an older schema, and tried. */
  readonly tried: number;
  readonly failed: number;
  /** The first that failed, each with why. */
  readonly problems: readonly { readonly key: string; readonly problem: string }[];
  /** In how many milliseconds. */
  readonly ms: number;
}

const SHOWN_PROBLEMS = 10;

/**
 * Tries the migrations of all live entities of an older schema, as the store has them: by the schemas and constraints, and whether
 * the entity could settle from the state to which it comes. Changes nothing.
 */
export async function tryMigrations(
  reader: StoreReader,
  next: Model,
  entities: readonly AnyEntity[],
): Promise<readonly TriedMigrations[]> {
  const results: TriedMigrations[] = [];
  for (const entity of entities.filter(({ schema }) => schema > 1)) {
    const model = next.entities.find(({ name }) => name === entity.name);
    const settling = model ? settlingStates(model) : new Set<string>();
    const startedAt = Date.now();
    const problems: { key: string; problem: string }[] = [];
    let [tried, failed] = [0, 0];
    for await (const each of liveContents(reader, entity.name)) {
      if (each.schema >= entity.schema) continue;
      tried++;
      const problem = problemOf(entity, each, settling);
      if (problem === undefined) continue;
      failed++;
      if (problems.length < SHOWN_PROBLEMS) problems.push({ key: each.key, problem });
    }
    results.push({ type: entity.name, schema: entity.schema, tried, failed, problems, ms: Date.now() - startedAt });
  }
  return results;
}

function problemOf(entity: AnyEntity, contents: LiveContents, settling: ReadonlySet<string>): string | undefined {
  // What the store does not have plays no part in a migration.
  const snapshot = { type: entity.name, deployments: [], ...contents } as unknown as Snapshot;
  const result = migrateContents(entity, snapshot);
  if (!result.migrated) return result.problem;
  const ends = entity.states[result.state]?.ending !== undefined;
  if (ends || settling.has(result.state)) return undefined;
  return `${entity.name}/${contents.key} would come to ${result.state}, from where it can never settle.`;
}
