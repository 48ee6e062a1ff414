import type { LinksOf, PropertiesOf } from '../../src/definition/index.js';
import type { LogicalDatabase } from './definition.js';

export interface DatabaseContents {
  readonly key: string;
  readonly properties: PropertiesOf<typeof LogicalDatabase>;
  readonly links: LinksOf<typeof LogicalDatabase>;
}

/** The place of a database that has its name in a server. @throws when it has none */
export function placeOf({ properties, links }: DatabaseContents) {
  const { server, application } = links;
  const { name, administrator } = properties;
  if (server === undefined || application === undefined || name === undefined || administrator === undefined) {
    throw new Error('The database has no place in a server.');
  }
  return { server, application, name, administrator };
}

/** The target of a database that moves. */
export function targetOf({ links, properties }: DatabaseContents) {
  const { targetServer: target, targetApplication: next } = links;
  const { targetDataCluster: dataCluster } = properties;
  if (target === undefined || next === undefined || dataCluster === undefined) {
    throw new Error('The database has no target to move to.');
  }
  return { target, next, dataCluster };
}

/** Sets the target of an operation that is about more than the database itself. It replaces the target of the last operation. */
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
