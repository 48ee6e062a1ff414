/*
 * The outcome of a migration of an entity: a pure function of declaration and snapshot. Q2
 *
 * migrated-contents.1. Migrations run one after the other, each on a copy of what the one before it gave; then what has only
 *     another name gets it. Nothing else of the snapshot is given to them.
 * migrated-contents.2. What they give is checked as the contents that an action leaves are: by the schemas, and by the constraint
 *     of the state. What breaks them is a defect of the declaration, and changes nothing.
 * migrated-contents.3. A build of an older schema takes what the newer one has made of the entity for it, and checks it likewise.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { upOf, type MigrationUp, type StoredEntity } from '../../definition/migration.js';
import { entityId } from '../../protocol/names.js';
import { schemaVersionOf, type OlderContents, type Snapshot } from '../../protocol/snapshot.js';
import { checkContents, constraintIssues, type Contents } from '../rules/contents.js';
import { plain } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import { outgrows } from '../rules/snapshot-size.js';
import { messageOf } from '../../definition/thrown.js';

export type MigratedContents =
  | {
      readonly migrated: true;
      readonly state: string;
      /** Tells whether it is another state, and not only one of another name. */
      readonly moved: boolean;
      readonly contents: Contents;
    }
  | { readonly migrated: false; readonly problem: string };

/**
 * Tells what an entity of an older schema becomes, or why it becomes nothing.
 * @param older what a build of a newer schema has made of it for this one
 */
export function migrateContents(entity: AnyEntity, snapshot: Snapshot, older?: OlderContents): MigratedContents {
  const from = schemaVersionOf(snapshot);
  const to = entity.schema;
  const { state, properties, links, subordinates } = older ?? snapshot;
  let stored: StoredEntity = copyOf({ state, properties, links, subordinates });
  for (const number of numbersBetween(entity, from)) {
    const migration = entity.migrations[number];
    if (!migration) {
      const first = Math.min(...Object.keys(entity.migrations).map(Number));
      return fails(`has no migration to schema ${number}: the first one leads to ${first}`);
    }
    const given = giveNext(upOf(migration), stored);
    if (typeof given === 'string') return fails(`was not brought to schema ${number}: its migration ${given}`);
    stored = copyOf({ ...stored, ...given });
  }
  const renamed = renamedBy(entity, stored);
  if (!Object.hasOwn(entity.states, renamed.state)) {
    const known = Object.keys(entity.states).join(', ');
    return fails(`would be in the state '${renamed.state}', which schema ${to} does not declare; it has: ${known}`);
  }
  const checked = checkContents(entity, renamed);
  if (!checked.valid) return fails(`would break the schemas of schema ${to}: ${describeIssues(checked.issues)}`);
  const broken = constraintIssues(entity, renamed.state, checked.contents);
  if (broken.length > 0) return fails(`would break the constraint of ${renamed.state}: ${describeIssues(broken)}`);
  const tooLarge = outgrows(snapshot, { ...snapshot, ...checked.contents });
  if (tooLarge) return fails(`would have ${tooLarge}`);
  const moved = older ? older.moved : renamed.state !== presentState(entity, state);
  if (moved && (snapshot.deployments?.length || entity.states[renamed.state]?.deploys !== undefined)) {
    return fails(`would go to ${renamed.state}: no migration leads into or out of a state with a deployment`);
  }
  return { migrated: true, state: renamed.state, moved, contents: checked.contents };

  function fails(what: string): MigratedContents {
    const how = older
      ? `that it continues with: fix the 'down' of its migrations`
      : `that brings it to schema ${to}: fix the migrations`;
    const problem = `${entityId(snapshot)} ${what}. It stays at schema ${from} until a build comes ${how} of ${entity.name}.`;
    return { migrated: false, problem };
  }
}

/** The numbers of the migrations that an entity has to go through. Where all was renamed only, or it goes back, there are none. */
function numbersBetween({ schema, migrations }: AnyEntity, from: number): readonly number[] {
  if (Object.keys(migrations).length === 0) return [];
  return Array.from({ length: Math.max(0, schema - from) }, (_, index) => from + 1 + index);
}

const MEMBERS: readonly string[] = ['state', 'properties', 'links', 'subordinates'] satisfies (keyof StoredEntity)[];

/** Tells what a migration gives, or what is wrong with it. */
export function giveNext(migration: MigrationUp, stored: StoredEntity): Partial<StoredEntity> | string {
  let given: unknown;
  try {
    given = migration(copyOf(stored));
  } catch (thrown) {
    return `throws '${messageOf(thrown)}'`;
  }
  if (typeof given !== 'object' || given === null) return `gives ${JSON.stringify(given) ?? typeof given}`;
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined || 'then' in given) return `gives '${unknown ?? 'then'}', and not ${MEMBERS.join(', ')}`;
  const wrong = Object.entries(given).find(([name, value]) =>
    name === 'state' ? typeof value !== 'string' : typeof value !== 'object' || value === null,
  );
  if (wrong) return `gives what cannot be '${wrong[0]}'`;
  const checked = plain(given, '', true);
  if (checked.valid) return checked.value as Partial<StoredEntity>;
  return `gives what cannot be stored: ${describeIssues(checked.issues).replace(/\.$/, '')}`;
}

function renamedBy(entity: AnyEntity, { state, properties, links, subordinates }: StoredEntity): StoredEntity {
  return {
    state: presentState(entity, state),
    properties: renameKeys(properties, entity.renamed.properties),
    links: renameKeys(links, entity.renamed.links),
    subordinates,
  };
}

/** The present name of a state. */
export function presentState({ renamed: { states = {} } }: AnyEntity, state: string): string {
  return Object.hasOwn(states, state) ? states[state]! : state;
}

/** A value that a migration has set under the new name stays, and the one under the old name goes. */
function renameKeys<T>(values: Readonly<Record<string, T>>, names: Readonly<Record<string, string>> = {}) {
  const renamed: Record<string, T> = {};
  for (const [name, value] of Object.entries(values)) {
    const present = Object.hasOwn(names, name) ? names[name]! : name;
    if (present === name || !Object.hasOwn(values, present)) renamed[present] = value;
  }
  return renamed;
}

/** A migration may write to what it gets: that must not change the snapshot. */
export function copyOf(stored: StoredEntity): StoredEntity {
  return JSON.parse(JSON.stringify(stored)) as StoredEntity;
}
