import { z } from 'zod';
import { DEFAULT_DATA_CLUSTER, dataCluster } from '../values/data-cluster.js';
import { HostError } from './host-error.js';
import type { InstanceFolder } from './instance-folders.js';
import { RecordFolder } from './record-folder.js';
import { Turns } from './turns.js';

const record = z.object({ dataCluster });

/** For how many instances each data cluster has room, by its name. */
export type Rooms = ReadonlyMap<string, number>;

/** Where nothing is said. */
const MANY = 100;

/**
 * The data clusters that offer capacity: `REEVE_DATA_CLUSTERS`, such as `east:4,west:2`, or else `main` with capacity for 100 instances.
 * @throws TypeError when it is not right
 */
export function roomsFrom(env: NodeJS.ProcessEnv): Rooms {
  const written = env['REEVE_DATA_CLUSTERS'];
  if (!written) return new Map([[DEFAULT_DATA_CLUSTER, MANY]]);
  return new Map(
    written.split(',').map((each) => {
      const [name = '', rooms = String(MANY), ...more] = each.trim().split(':');
      if (dataCluster.safeParse(name).success && /^\d{1,6}$/.test(rooms) && more.length === 0) {
        return [name, Number(rooms)] as const;
      }
      throw new TypeError(
        `REEVE_DATA_CLUSTERS: '${each}' is not a data cluster with its capacity, a number of instances. Write 'east:4,west:2'.`,
      );
    }),
  );
}

/*
 * data-clusters.1. Room that was taken is kept until the instance is there, which counts from then on, or until it is given back.
 * data-clusters.2. Two never take the same room.
 */
export class DataClusters {
  readonly #rooms: Rooms;
  readonly #records: RecordFolder<typeof record>;
  readonly #instances: () => Promise<readonly InstanceFolder[]>;
  readonly #turns = new Turns();

  private constructor(
    rooms: Rooms,
    records: RecordFolder<typeof record>,
    instances: () => Promise<readonly InstanceFolder[]>,
  ) {
    this.#rooms = rooms;
    this.#records = records;
    this.#instances = instances;
  }

  static async open(
    folder: string,
    rooms: Rooms,
    instances: () => Promise<readonly InstanceFolder[]>,
  ): Promise<DataClusters> {
    return new DataClusters(rooms, await RecordFolder.open(folder, record), instances);
  }

  names(): readonly string[] {
    return [...this.#rooms.keys()];
  }

  /** @throws HostError when there is no such data cluster */
  require(name: string): number {
    const rooms = this.#rooms.get(name);
    if (rooms !== undefined) return rooms;
    const known = this.names().join(', ');
    throw new HostError(
      404,
      'no_data_cluster',
      `There is no data cluster '${name}'. The data clusters are: ${known}. REEVE_DATA_CLUSTERS sets them when the stack starts.`,
    );
  }

  /** For how many instances there is room, apart from what the server itself has taken. @throws HostError */
  async free(name: string, server: string): Promise<number> {
    const rooms = this.require(name);
    const there = (await this.#instances()).filter(({ cluster }) => cluster === name).map((each) => each.name);
    const taken: string[] = [];
    for (const each of await this.#records.names()) {
      if ((await this.#records.get(each))?.dataCluster === name) taken.push(each);
    }
    const used = new Set([...there, ...taken]);
    used.delete(server);
    return Math.max(0, rooms - used.size);
  }

  /** data-clusters.2 @throws HostError when there is none any more */
  take(name: string, server: string): Promise<void> {
    return this.#turns.take('room', async () => {
      if ((await this.free(name, server)) === 0) {
        throw new HostError(409, 'no_capacity', `The data cluster '${name}' has no more capacity for '${server}'.`);
      }
      await this.#records.put(server, { dataCluster: name });
    });
  }

  /** data-clusters.1 */
  giveBack(server: string): Promise<void> {
    return this.#turns.take('room', () => this.#records.remove(server));
  }
}
