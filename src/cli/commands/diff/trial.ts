import { z } from 'zod';
import type { AnyEntity } from '../../../definition/entity.js';
import { hasCode } from '../../../definition/evolution/code-places.js';
import type { Model } from '../../../definition/evolution/model.js';
import { settlingStates } from '../../../definition/evolution/settling-states.js';
import { lowestSchema } from '../../../definition/migration.js';
import { migrateContents, olderContents } from '../../../kernel/index.js';
import { schemaProblems } from '../../../protocol/schema-problems.js';
import type { Snapshot } from '../../../protocol/snapshot.js';
import { liveContents, type LiveContents, type StoreReader } from '../../../store/index.js';

/** Describes what the migrations of a type would make of its live entities. */
export interface TriedMigrations {
  readonly type: string;
  readonly schema: number;
  /** Of an older schema, and tried. */
  readonly tried: number;
  /** Tells whether the way back to their schema was tried too. */
  readonly back: boolean;
  /** True where the old declaration has rules in code, which its model cannot ask. */
  readonly unasked: boolean;
  readonly failed: number;
  /** The first that failed, each with why. */
  readonly problems: readonly { readonly key: string; readonly problem: string }[];
  /** In how many milliseconds. */
  readonly ms: number;
}

const SHOWN_PROBLEMS = 10;

/**
 * Tries the migrations of all live entities of an older schema, as the store has them: by the schemas and constraints, and whether
 * the entity could settle from the state to which it comes. Where they lead back, that is tried too: the old declaration has to
 * take the state and the properties that come of it. Changes nothing.
 */
export async function tryMigrations(
  reader: StoreReader,
  { old, next }: { readonly old: Model; readonly next: Model },
  entities: readonly AnyEntity[],
): Promise<readonly TriedMigrations[]> {
  const results: TriedMigrations[] = [];
  for (const entity of entities.filter(({ schema }) => schema > 1)) {
    const model = next.entities.find(({ name }) => name === entity.name);
    const settling = model ? settlingStates(model) : new Set<string>();
    const wayBack = wayBackTo(old, entity);
    const startedAt = Date.now();
    const problems: { key: string; problem: string }[] = [];
    let [tried, failed] = [0, 0];
    for await (const each of liveContents(reader, entity.name)) {
      if (each.schema >= entity.schema) continue;
      tried++;
      const problem = problemOf(entity, each, settling, wayBack);
      if (problem === undefined) continue;
      failed++;
      if (problems.length < SHOWN_PROBLEMS) problems.push({ key: each.key, problem });
    }
    results.push({
      type: entity.name,
      schema: entity.schema,
      back: wayBack !== undefined,
      unasked: wayBack?.hasCode ?? false,
      tried,
      failed,
      problems,
      ms: Date.now() - startedAt,
    });
  }
  return results;
}

/** The declaration to which the migrations lead back. */
interface OldDeclaration {
  readonly schema: number;
  readonly states: ReadonlySet<string>;
  readonly properties: z.ZodType;
  readonly hasCode: boolean;
}

function wayBackTo(old: Model, entity: AnyEntity): OldDeclaration | undefined {
  const found = old.entities.find(({ name }) => name === entity.name);
  if (!found || found.schema >= entity.schema || found.schema < lowestSchema(entity)) return undefined;
  return {
    schema: found.schema,
    states: new Set(found.states.map(({ name }) => name)),
    properties: z.fromJSONSchema(found.accepts as Parameters<typeof z.fromJSONSchema>[0]),
    hasCode: hasCode(found.accepts),
  };
}

function problemOf(
  entity: AnyEntity,
  contents: LiveContents,
  settling: ReadonlySet<string>,
  wayBack: OldDeclaration | undefined,
): string | undefined {
  // Anything that the store does not have plays no part in a migration.
  const snapshot = { type: entity.name, deployments: [], ...contents } as unknown as Snapshot;
  const result = migrateContents(entity, snapshot);
  if (!result.migrated) return result.problem;
  const ends = entity.states[result.state]?.ending !== undefined;
  if (!ends && !settling.has(result.state))
    return `${entity.name}/${contents.key} would enter ${result.state}, where it can never settle.`;
  const migrated = { ...snapshot, ...result.contents, state: result.state, schema: entity.schema };
  return wayBack && problemOnTheWayBack(entity, migrated, wayBack);
}

function problemOnTheWayBack(
  entity: AnyEntity,
  migrated: Snapshot,
  { schema, states, properties }: OldDeclaration,
): string | undefined {
  const back = olderContents(entity, migrated);
  if (!back.found) return back.problem;
  const older = back.older[schema];
  const fails = (why: string) =>
    `${entity.name}/${migrated.key} could not be migrated back to schema ${schema}: ${why}.`;
  if (!older) return fails('the result is too large');
  if (!states.has(older.state)) return fails(`it has no state ${older.state}`);
  const { error } = properties.safeParse(older.properties);
  return error && fails(`its properties would be invalid: ${schemaProblems(error)}`);
}
