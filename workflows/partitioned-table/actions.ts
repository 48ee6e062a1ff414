import { tables } from '../../activities/tables/contract.js';
import { CallFailed, implementActions, type LinksOf, type ResourceContext } from '../../src/definition/index.js';
import { LogicalDatabase } from '../logical-database/definition.js';
import { PartitionedTable } from './definition.js';
import { homeOf, nameOf } from './names.js';
import { partOf } from './spread.js';

/** The errors that PostgreSQL would give again, however often it is asked. */
const FINAL = ['invalid_table', 'table_exists'];

export const partitionedTable = implementActions(PartitionedTable, {
  begin: async (table, { params }) => {
    const { columns, keyColumn, partitions, alsoIn } = params;
    Object.assign(table.properties, { columns, keyColumn, partitions });
    table.links.databases = [...new Set([homeOf(table.key), ...alsoIn])];
    return table.goTo('Creating');
  },
  createParts: async (table) => {
    const { columns, keyColumn: key, partitions } = table.properties;
    const { databases } = table.links;
    // They are reserved, so that none of them moves meanwhile.
    const views = await table.reserveAll(databases.map((each) => [LogicalDatabase, each] as const));
    for (const [index, database] of databases.entries()) {
      const view = views[index];
      const { application } = view?.links ?? {};
      const { name } = view?.properties ?? {};
      if (view?.state !== 'Ready' || application === undefined || name === undefined) {
        const message = `The database '${database}' is ${view?.state ?? 'not there'}. A table is created in databases that are Ready.`;
        return table.goTo('Undoing', { error: { code: 'database_not_ready', message } });
      }
      const part = partOf(partitions, index, databases.length);
      try {
        await table.call(tables.createPart, {
          ...{ application, database: name, table: nameOf(table.key), of: table.key },
          ...{ columns, key, partitions, ...part },
        });
      } catch (thrown) {
        if (!(thrown instanceof CallFailed) || !FINAL.includes(thrown.code)) throw thrown;
        return table.goTo('Undoing', { error: { code: thrown.code, message: thrown.message } });
      }
    }
    return table.goTo('Ready');
  },
  undo: async (table) => {
    await dropParts(table, table);
    return table.goTo('Failed');
  },
  beginDeletion: async (table) => table.goTo('Deleting'),
  dropParts: async (table) => {
    await dropParts(table, table);
    return table.goTo('Deleted');
  },
});

/** Drops what there is of a table. A database that has gone has taken its part with it. */
async function dropParts(
  context: ResourceContext,
  { key, links }: { readonly key: string; readonly links: LinksOf<typeof PartitionedTable> },
): Promise<void> {
  const views = await context.reserveAll(links.databases.map((each) => [LogicalDatabase, each] as const));
  for (const view of views) {
    const { application } = view?.links ?? {};
    const { name: database } = view?.properties ?? {};
    if (view?.state === 'Deleted' || application === undefined || database === undefined) continue;
    await context.call(tables.dropPart, { application, database, table: nameOf(key), of: key });
  }
}
