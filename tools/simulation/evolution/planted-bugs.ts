import type { PlantedBug } from '../planted-bug.js';

/** Bugs in how entities come to a newer schema. Q2 */
export const EVOLUTION_BUGS: readonly PlantedBug[] = [
  {
    name: 'a migration makes no version',
    file: 'kernel/migration/migrate.js',
    find: 'version: old.version + 1',
    replace: 'version: old.version',
  },
  {
    name: 'a migration has no row',
    file: 'kernel/migration/migrate.js',
    find: 'effects: [recordMigration(entity, old, migrated, event, now)]',
    replace: 'effects: []',
  },
  {
    name: 'a migration lets a pattern fire that was there',
    file: 'kernel/migration/migrate.js',
    find: '!unmatched.includes(name) && matches(',
    replace: 'false && matches(',
  },
  {
    name: 'a migration uses up a pattern that has just appeared',
    file: 'kernel/migration/migrate.js',
    find: '!unmatched.includes(name) && matches(',
    replace: 'matches(',
  },
  {
    name: 'a migration forgets the events that wait',
    file: 'kernel/migration/migrate.js',
    find: 'waiting: waiting.map(',
    replace: 'waiting: [].map(',
  },
  {
    name: 'a migration forgets the requests',
    file: 'kernel/migration/migrate.js',
    find: 'schema: entity.schema,',
    replace: 'schema: entity.schema, ledger: { recent: [], older: [], forgotten: 0 },',
  },
  {
    name: 'a migration while an action runs',
    file: 'kernel/migration/hindrance.js',
    find: 'if (running)',
    replace: 'if (false)',
  },
  {
    name: 'a migration while a reservation goes on',
    file: 'kernel/migration/hindrance.js',
    find: 'if (reservation)',
    replace: 'if (false)',
  },
  {
    name: 'a migration sets what is stored back to its defaults',
    file: 'kernel/migration/migrated-contents.js',
    find: 'properties: renameKeys(properties, entity.renamed.properties),',
    replace: 'properties: { tally: properties.tally },',
  },
  {
    name: 'a migration keeps the old name of a state',
    file: 'kernel/migration/migrated-contents.js',
    find: 'state: presentState(entity, state),',
    replace: 'state,',
  },
  {
    name: 'the way back leaves an entity in the state that it had',
    file: 'kernel/migration/older-contents.js',
    find: 'older[schema] = { ...stored, moved, events };',
    replace: 'older[schema] = { ...stored, state, moved, events };',
  },
  {
    name: 'the way back into another state is no entry into it',
    file: 'kernel/migration/migrated-contents.js',
    find: 'older ? older.moved :',
    replace: 'older ? false :',
  },
  {
    name: 'the way back gives each schema what the one above it has',
    file: 'kernel/migration/older-contents.js',
    find: 'stored = copyOf({ ...stored, ...given });',
    replace: 'stored = copyOf({ ...stored, ...given, properties: stored.properties });',
  },
  {
    name: 'an older build goes on with what a newer one has made, as it is',
    file: 'kernel/life/entity-life.js',
    find: 'migrate(entity, old, now, { at }, older)',
    replace: 'migrate(entity, old, now, { at })',
  },
];
