/** Describes what a migration gets, and gives: an entity as its snapshot holds it. Q2 */
export interface StoredEntity {
  readonly state: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** A key, or a list of keys, by the name of the link. */
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  /** The members of each collection, by their key. */
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Brings an entity from the schema before its number to this one: a pure function of a copy of what is stored. It gives what
 * has changed; what it leaves out stays as it was. It runs in the workflow: without clock, chance and outside world.
 */
export type MigrationUp<New = StoredEntity> = (old: StoredEntity) => Partial<New>;

/**
 * A migration, alone or with its way back: `down` brings an entity of the new schema to the one before it, under the old names, so that a
 * build can be rolled back after it has migrated entities. It follows the same rules. Q2
 */
export type Migration<New = StoredEntity> =
  | MigrationUp<New>
  | {
      /** Brings an entity to this schema. */
      readonly up: MigrationUp<New>;
      /** Brings an entity back to the schema before. */
      readonly down: MigrationUp;
    };

export function upOf(migration: Migration): MigrationUp {
  return typeof migration === 'function' ? migration : migration.up;
}

export function downOf(migration: Migration | undefined): MigrationUp | undefined {
  return typeof migration === 'object' ? migration.down : undefined;
}

/** The lowest schema to which the migrations of an entity lead back without a gap; its own where none does. */
export function lowestSchema({
  schema,
  migrations,
}: {
  readonly schema: number;
  readonly migrations: Readonly<Record<number, Migration>>;
}): number {
  let lowest = schema;
  while (lowest > 1 && downOf(migrations[lowest])) lowest--;
  return lowest;
}

/**
 * Describes what only has another name, from the old name to the present one. Events are known by both names permanently; the others are
 * renamed when a snapshot of an older schema is migrated, after its migrations. Q2
 */
export interface Renames<
  StateName extends string = string,
  PropertyName extends string = string,
  LinkName extends string = string,
  EventName extends string = string,
> {
  /** The present names of states, by their old names. */
  readonly states?: Readonly<Record<string, StateName>>;
  /** The present names of properties, by their old names. */
  readonly properties?: Readonly<Record<string, PropertyName>>;
  /** The present names of links, by their old names. */
  readonly links?: Readonly<Record<string, LinkName>>;
  /** The present names of events, by their old names. */
  readonly events?: Readonly<Record<string, EventName>>;
}
