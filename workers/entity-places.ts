import type { ReeveClient } from '../src/client/client.js';
import type { AnyEntity, LinksOf, PropertiesOf } from '../src/definition/index.js';
import { Rejected } from '../src/protocol/errors.js';
import { LogicalDatabase } from '../workflows/logical-database/definition.js';
import { PartitionedTable } from '../workflows/partitioned-table/definition.js';
import { nameOf } from '../workflows/partitioned-table/names.js';
import { partOf } from '../workflows/partitioned-table/spread.js';
import type { LivePart, LiveTable, TablePlaces } from '../activities/tables/table-places.js';

/** For how long an answer is good, in milliseconds: the jobs of a lane ask one after the other. */
const KNOWN_FOR_MS = 500;

interface Known {
  readonly at: number;
  readonly table: Promise<LiveTable | undefined>;
}

/** Where the parts of tables are, as their entities and those of their databases say. I1 */
export class EntityPlaces implements TablePlaces {
  readonly #reeve: ReeveClient;
  readonly #known = new Map<string, Known>();

  constructor(reeve: ReeveClient) {
    this.#reeve = reeve;
  }

  find(key: string): Promise<LiveTable | undefined> {
    const now = Date.now();
    const known = this.#known.get(key);
    if (known && now - known.at < KNOWN_FOR_MS) return known.table;
    const table = this.#find(key);
    this.#known.set(key, { at: now, table });
    // An answer that has failed is no answer.
    table.catch(() => this.#known.delete(key));
    return table;
  }

  async #find(key: string): Promise<LiveTable | undefined> {
    const table = await this.#read(PartitionedTable, key);
    if (table?.state !== 'Ready') return undefined;
    const { keyColumn, partitions } = table.properties;
    const keys = table.links.databases;
    const databases = await Promise.all(keys.map((each) => this.#read(LogicalDatabase, each)));
    const parts = databases.flatMap((database, index): readonly LivePart[] => {
      const { links, properties, state } = database ?? {};
      const { name, dataCluster: place, standbyCluster } = properties ?? {};
      const { server, application, standby } = links ?? {};
      if (state === 'Deleted' || server === undefined || application === undefined) return [];
      if (name === undefined || place === undefined) return [];
      const hasStandby = standby !== undefined && standbyCluster !== undefined;
      return [
        {
          ...{ server, database: name, ...partOf(partitions, index, keys.length), primary: { application, place } },
          ...(hasStandby && { standby: { application: standby, place: standbyCluster } }),
        },
      ];
    });
    // Each of the versions only grows, so that a later look never has a lower sum.
    const version = databases.reduce((sum, database) => sum + (database?.version ?? 0), table.version);
    return { key, version, table: nameOf(key), keyColumn, partitions, parts };
  }

  async #read<E extends AnyEntity>(entity: E, key: string) {
    try {
      const { snapshot } = await this.#reeve.read({ type: entity.name, key });
      const { state, version, properties, links } = snapshot;
      return { state, version, properties: properties as PropertiesOf<E>, links: links as LinksOf<E> };
    } catch (thrown) {
      if (thrown instanceof Rejected && thrown.code === 'absent') return undefined;
      throw thrown;
    }
  }
}
