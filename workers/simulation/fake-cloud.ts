import { aliases } from '../../activities/alias/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { names } from '../../activities/dns/contract.js';
import { fakeResource, ResourceError, type FakeResource } from '../../src/simulation/index.js';

const address = (port: number) => ({ host: '127.0.0.1', port });

/** What the reference control plane provisions, in memory: it remembers what exists. */
export class FakeCloud {
  readonly #instances = new Set<string>();
  readonly #databases = new Set<string>();
  readonly #aliases = new Map<string, 'reserved' | 'pointed'>();
  readonly #names = new Set<string>();

  get resources(): readonly FakeResource[] {
    return [
      fakeResource(databases, {
        createInstance: ({ application }) => {
          this.#instances.add(application);
          return address(5432);
        },
        locateInstance: ({ application }) => {
          this.#mustExist(application);
          return address(5432);
        },
        dropInstance: ({ application }) => {
          this.#instances.delete(application);
          return {};
        },
        createDatabase: ({ application, database }) => {
          this.#mustExist(application);
          this.#databases.add(`${application}/${database}`);
          return {};
        },
        configureMaster: ({ application, database }) => {
          if (!this.#databases.has(`${application}/${database}`)) throw new ResourceError('absent', 'no such database');
          return {};
        },
        dropDatabase: ({ application, database }) => {
          this.#databases.delete(`${application}/${database}`);
          return {};
        },
      }),
      fakeResource(aliases, {
        reserve: ({ name }) => {
          if (!this.#aliases.has(name)) this.#aliases.set(name, 'reserved');
          return address(6432);
        },
        point: ({ name }) => {
          this.#aliases.set(name, 'pointed');
          return address(6432);
        },
        remove: ({ name }) => {
          this.#aliases.delete(name);
          return {};
        },
      }),
      fakeResource(names, {
        publish: ({ name }) => {
          this.#names.add(name);
          return { fqdn: `${name}.reeve.internal` };
        },
        withdraw: ({ name }) => {
          this.#names.delete(name);
          return {};
        },
      }),
    ];
  }

  /** All that exists for a server, in words. */
  of(server: string): readonly string[] {
    return [
      ...(this.#instances.has(server) ? ['an instance'] : []),
      ...[...this.#databases].filter((name) => name.startsWith(`${server}/`)).map(() => 'a database'),
      ...(this.#aliases.has(server) ? [`an alias (${this.#aliases.get(server)})`] : []),
      ...(this.#names.has(server) ? ['a name'] : []),
    ];
  }

  #mustExist(application: string): void {
    if (!this.#instances.has(application)) throw new ResourceError('absent', `there is no instance ${application}`);
  }
}
