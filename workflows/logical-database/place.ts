import type { LinksOf, PropertiesOf } from '../../src/definition/index.js';
import type { LogicalDatabase } from './definition.js';

export interface DatabaseContents {
  readonly key: string;
  readonly properties: PropertiesOf<typeof LogicalDatabase>;
  readonly links: LinksOf<typeof LogicalDatabase>;
}

/** Where a database is that has its name in a server. */
export function placeOf({ properties, links }: DatabaseContents) {
  const { server, application } = links;
  const { name, administrator } = properties;
  if (server === undefined || application === undefined || name === undefined || administrator === undefined) {
    throw new Error('The database has no place in a server.');
  }
  return { server, application, name, administrator };
}

/** What an operation is about that goes beyond the database itself; the last one is of no interest any more. */
export function setTarget(
  { properties, links }: DatabaseContents,
  target: {
    readonly name?: string;
    readonly server?: string;
    readonly database?: string;
    readonly dataCluster?: string | undefined;
    readonly application?: string;
  },
): void {
  properties.targetName = target.name;
  properties.targetDataCluster = target.dataCluster;
  links.targetServer = target.server;
  links.targetDatabase = target.database;
  links.targetApplication = target.application;
}
