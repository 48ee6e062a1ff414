import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runningPid, stopPostgres } from '../../src/stack/postgres.js';
import { HostError } from './host-error.js';

/** An instance on disk. */
export interface InstanceFolder {
  readonly name: string;
  readonly cluster: string;
  readonly path: string;
}

const UNFINISHED = '.unfinished-';

/** The folders of all instances. There is one for each data cluster, and within it one for each instance. */
export class InstanceFolders {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(root: string): Promise<InstanceFolders> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new InstanceFolders(root);
  }

  /** Removes what was being copied when the host ended. Whoever wanted it asks again. */
  async removeUnfinished(): Promise<void> {
    for (const cluster of await readdir(this.#root)) {
      for (const name of await readdir(join(this.#root, cluster))) {
        if (name.startsWith(UNFINISHED)) await rm(join(this.#root, cluster, name), { recursive: true, force: true });
      }
    }
  }

  async all(): Promise<readonly InstanceFolder[]> {
    const folders: InstanceFolder[] = [];
    for (const cluster of await readdir(this.#root)) {
      for (const name of await readdir(join(this.#root, cluster))) {
        if (!name.startsWith('.')) folders.push(this.#folder(cluster, name));
      }
    }
    return folders;
  }

  /** Stops each instance that runs, also one that was started meanwhile. @throws when one does not stop, after all were tried */
  async stopAll(): Promise<void> {
    for (;;) {
      const folders = await this.all();
      const pids = await Promise.all(folders.map(({ path }) => runningPid(path)));
      const running = folders.filter((_, at) => pids[at] !== undefined);
      if (running.length === 0) return;
      const ended = await Promise.allSettled(running.map(({ path }) => stopPostgres(path)));
      const [failed] = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
      if (failed) throw failed;
    }
  }

  async find(name: string): Promise<InstanceFolder | undefined> {
    return (await this.all()).find((folder) => folder.name === name);
  }

  /** @throws HostError when there is no such instance */
  async get(name: string): Promise<InstanceFolder> {
    const folder = await this.find(name);
    if (folder) return folder;
    throw new HostError(404, 'no_instance', `There is no instance '${name}'. Create it first.`);
  }

  /** The folder of an instance that exists or will exist. @throws HostError when it is in another data cluster */
  async place(name: string, cluster: string): Promise<InstanceFolder> {
    const known = await this.find(name);
    if (known && known.cluster !== cluster) {
      const message = `The instance '${name}' is in the data cluster '${known.cluster}', not in '${cluster}'.`;
      throw new HostError(409, 'other_data_cluster', message);
    }
    await mkdir(join(this.#root, cluster), { recursive: true, mode: 0o700 });
    return known ?? this.#folder(cluster, name);
  }

  /** Fills a folder in one step. A folder that exists is complete, however often it was begun. */
  async fill({ cluster, name, path }: InstanceFolder, work: (unfinished: string) => Promise<void>): Promise<void> {
    const unfinished = join(this.#root, cluster, `${UNFINISHED}${name}`);
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished, { mode: 0o700 });
    try {
      await work(unfinished);
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { recursive: true, force: true });
    }
  }

  #folder(cluster: string, name: string): InstanceFolder {
    return { name, cluster, path: join(this.#root, cluster, name) };
  }
}
