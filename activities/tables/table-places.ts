import { NO_PARTITIONS, partitionSet, union, type Placement, type PartitionSet } from '../../src/distributed/index.js';

/** An instance, and the data cluster in which it is, which is a place of jobs. */
export interface LiveInstance {
  readonly application: string;
  readonly place: string;
}

/** The part of a table that one database has, where it is now. */
export interface LivePart {
  /** The server in which the database is. */
  readonly server: string;
  /** The name of the database in PostgreSQL. */
  readonly database: string;
  readonly first: number;
  readonly last: number;
  readonly primary: LiveInstance;
  readonly standby?: LiveInstance;
}

/** A table as it is now. */
export interface LiveTable {
  /** The key of its PartitionedTable: `orders.sales/line_items`. */
  readonly key: string;
  /** Grows whenever a part may be elsewhere. */
  readonly version: number;
  /** The name of the table in its databases. */
  readonly table: string;
  readonly keyColumn: string;
  readonly partitions: number;
  readonly parts: readonly LivePart[];
}

/** Knows where the parts of tables are. */
export interface TablePlaces {
  /** A table that is Ready; nothing where there is none. */
  find(key: string): Promise<LiveTable | undefined>;
}

/** The part that has a partition; nothing while its database is not there. */
export function partWith({ parts }: LiveTable, partition: number): LivePart | undefined {
  return parts.find(({ first, last }) => first <= partition && partition <= last);
}

/** The numbers of the partitions of a part. */
export function partitionsOf({ first, last }: LivePart): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** The instances that have a part: the primary first. */
export function instancesOf({ primary, standby }: LivePart): readonly LiveInstance[] {
  return standby ? [primary, standby] : [primary];
}

/** Tells who holds which partitions, by data cluster. I1 */
export function placementOf({ version, partitions, parts }: LiveTable): Placement {
  const places: Record<string, { primary: PartitionSet; secondary: PartitionSet }> = {};
  for (const part of parts) {
    const set = partitionSet(partitionsOf(part));
    const { primary, standby } = part;
    const first = (places[primary.place] ??= { primary: NO_PARTITIONS, secondary: NO_PARTITIONS });
    first.primary = union(first.primary, set);
    if (!standby) continue;
    const second = (places[standby.place] ??= { primary: NO_PARTITIONS, secondary: NO_PARTITIONS });
    second.secondary = union(second.secondary, set);
  }
  return { version, partitions, places };
}
