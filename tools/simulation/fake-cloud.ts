import { aliases } from '../../activities/alias/contract.js';
import { approvals, type Move } from '../../activities/approvals/contract.js';
import { dataClusters } from '../../activities/data-clusters/contract.js';
import { databases } from '../../activities/databases/contract.js';
import { names } from '../../activities/dns/contract.js';
import { fakeResource, ResourceError, type FakeResource } from '../../src/simulation/index.js';

const address = (port: number) => ({ host: '127.0.0.1', port });

interface FakeInstance {
  readonly cluster: string;
  fenced: boolean;
  /** The instance that it follows. */
  primary?: string | undefined;
  /** The databases by name, each with the instance in which it was first created. That stands for its contents. */
  databases: ReadonlyMap<string, string>;
}

interface FakeAlias {
  application?: string;
  /** Tells whether another program listens at its address. */
  taken?: boolean;
  readonly routes: Map<string, string>;
}

type Fakes = Parameters<typeof fakeResource<typeof approvals>>[1];
type Answer = Parameters<Fakes['askForMove']>[1]['answer'];

/** All that a test or a simulation says of those who are asked. */
export interface FakeOthers {
  /** Decides on the request to approve a move. Unless it is given, nobody answers. */
  readonly decide?: (move: Move, answer: Answer) => void;
  /** For how many instances each data cluster has room. Default: 100 in `main`. */
  readonly rooms?: ReadonlyMap<string, number>;
  /** May throw in the place of a data cluster that is asked for room. */
  readonly beforeRoom?: (dataCluster: string) => void;
}

/** The resources of the reference control plane in memory. It remembers what exists. */
export class FakeCloud {
  readonly #others: FakeOthers;
  /** The data cluster in which a server has taken room, until its instance is there. */
  readonly rooms = new Map<string, string>();
  /** The requests that wait for those who decide, by their databases. */
  readonly outbox = new Map<string, Move>();
  /** By database, which requests were withdrawn: those of a move that began until then. */
  readonly #withdrawn = new Map<string, string>();
  readonly instances = new Map<string, FakeInstance>();
  readonly aliases = new Map<string, FakeAlias>();
  /** The servers whose name the name server tells. */
  readonly names = new Set<string>();
  /** The servers whose administrator has a password. */
  readonly administrators = new Set<string>();

  constructor(others: FakeOthers = {}) {
    this.#others = others;
  }

  get resources(): readonly FakeResource[] {
    return [
      this.#databaseResource(),
      this.#aliasResource(),
      this.#nameResource(),
      this.#dataClusterResource(),
      this.#approvalResource(),
    ];
  }

  /** For how many instances a data cluster has room, apart from what the server itself has taken. */
  free(dataCluster: string, server?: string): number {
    const there = [...this.instances].filter(([, { cluster }]) => cluster === dataCluster).map(([name]) => name);
    const taken = [...this.rooms].filter(([, cluster]) => cluster === dataCluster).map(([name]) => name);
    const used = new Set([...there, ...taken].filter((name) => name !== server));
    return (this.#rooms.get(dataCluster) ?? 0) - used.size;
  }

  get #rooms(): ReadonlyMap<string, number> {
    return this.#others.rooms ?? new Map([['main', 100]]);
  }

  /** Everything that exists for a server, in words. No database may have been moved to it or away from it. */
  of(server: string): readonly string[] {
    const own = [...this.instances].filter(([name]) => name === server || name.startsWith(`${server}.`));
    const alias = this.aliases.get(server);
    return [
      ...own.map(([name]) => `the instance ${name}`),
      ...own.flatMap(([, { databases: held }]) => [...held.keys()].map((name) => `the database ${name}`)),
      ...(alias ? [`an alias (${alias.application === undefined ? 'reserved' : 'pointed'})`] : []),
      ...(this.names.has(server) ? ['a name'] : []),
      ...(this.administrators.has(server) ? ['an administrator'] : []),
      ...(this.rooms.has(server) ? ['room'] : []),
      ...[...this.outbox.keys()].filter((key) => key.startsWith(`${server}.`)).map((key) => `a request about ${key}`),
    ];
  }

  #databaseResource(): FakeResource {
    return fakeResource(databases, {
      createInstance: ({ application, dataCluster: cluster, copyOf }) => {
        if (!this.instances.has(application)) {
          const held = copyOf === undefined ? new Map<string, string>() : new Map(this.#instance(copyOf).databases);
          this.instances.set(application, { cluster, fenced: false, databases: held });
        }
        this.rooms.delete(application);
        return address(5432);
      },
      dropInstance: ({ application }) => {
        this.instances.delete(application);
        return {};
      },
      fenceInstance: ({ application }) => {
        this.#instance(application).fenced = true;
        return {};
      },
      releaseInstance: ({ application }) => {
        this.#instance(application).fenced = false;
        return {};
      },
      createStandby: ({ application, dataCluster: cluster, primary }) => {
        if (this.instances.has(application)) return {};
        const { databases: held } = this.#instance(primary);
        this.instances.set(application, { cluster, fenced: false, primary, databases: held });
        return {};
      },
      inspectStandby: ({ application }) => {
        const { primary, databases: held } = this.#instance(application);
        if (primary === undefined) throw new ResourceError('no_standby', `${application} is not a standby`);
        return { healthy: this.instances.get(primary)?.databases === held, lagBytes: 0 };
      },
      promoteStandby: ({ application, primary }) => {
        const standby = this.#instance(application);
        const before = this.instances.get(primary);
        if (standby.primary !== undefined && before && before.databases !== standby.databases) {
          throw new ResourceError('standby_stale', `${application} is not as ${primary} is`);
        }
        standby.primary = undefined;
        if (before) before.fenced = true;
        return address(5432);
      },
      createDatabase: ({ application, database }) => {
        const instance = this.#instance(application);
        if (!instance.databases.has(database)) {
          instance.databases = new Map([...instance.databases, [database, application]]);
        }
        return {};
      },
      configureMaster: ({ application, database, server }) => {
        this.#mustHold(application, database);
        this.administrators.add(server);
        return {};
      },
      scaleDatabase: ({ application, database }) => {
        this.#mustHold(application, database);
        return {};
      },
      renameDatabase: ({ application, database, name }) => {
        const instance = this.#instance(application);
        if (instance.databases.has(name)) return {};
        this.#mustHold(application, database);
        instance.databases = new Map(
          [...instance.databases].map(([each, held]) => [each === database ? name : each, held]),
        );
        return {};
      },
      dropDatabase: ({ application, database }) => {
        const instance = this.instances.get(application);
        if (instance) instance.databases = new Map([...instance.databases].filter(([name]) => name !== database));
        return {};
      },
      forgetAdministrator: ({ server }) => {
        this.administrators.delete(server);
        return {};
      },
    });
  }

  #aliasResource(): FakeResource {
    return fakeResource(aliases, {
      reserve: ({ name }) => {
        if (!this.aliases.has(name)) this.aliases.set(name, { routes: new Map() });
        return address(6432);
      },
      point: ({ name, application }) => {
        this.#mustTakeClients(application);
        const alias = this.aliases.get(name) ?? { routes: new Map<string, string>() };
        this.aliases.set(name, { ...alias, application });
        if (alias.taken) throw new ResourceError('address_taken', `another program listens at the address of ${name}`);
        return address(6432);
      },
      inspect: ({ name }) => ({ bound: !this.aliases.get(name)?.taken }),
      route: ({ name, database, application }) => {
        this.#mustTakeClients(application);
        const alias = this.aliases.get(name);
        if (!alias) throw new ResourceError('no_alias', `there is no alias ${name}`);
        alias.routes.set(database, application);
        return {};
      },
      unroute: ({ name, application }) => {
        const { routes } = this.aliases.get(name) ?? {};
        for (const [database, each] of routes ?? []) if (each === application) routes?.delete(database);
        return {};
      },
      protect: ({ name }) => {
        if (!this.aliases.has(name)) this.aliases.set(name, { routes: new Map() });
        return {};
      },
      remove: ({ name }) => {
        this.aliases.delete(name);
        return {};
      },
    });
  }

  #nameResource(): FakeResource {
    return fakeResource(names, {
      publish: ({ name }) => {
        this.names.add(name);
        return { fqdn: `${name}.reeve.internal` };
      },
      withdraw: ({ name }) => {
        this.names.delete(name);
        return {};
      },
    });
  }

  #dataClusterResource(): FakeResource {
    return fakeResource(dataClusters, {
      list: () => ({ names: [...this.#rooms.keys()] }),
      askForRoom: ({ dataCluster, server }) => {
        this.#others.beforeRoom?.(dataCluster);
        return { free: Math.max(0, this.free(dataCluster, server)) };
      },
      takeRoom: ({ dataCluster, server }) => {
        if (this.free(dataCluster, server) <= 0)
          throw new ResourceError('no_capacity', `${dataCluster} has no capacity`);
        this.rooms.set(server, dataCluster);
        return {};
      },
      giveRoomBack: ({ server }) => {
        this.rooms.delete(server);
        return {};
      },
    });
  }

  #approvalResource(): FakeResource {
    return fakeResource(approvals, {
      askForMove: (move, { answer }) => {
        // A request that is withdrawn stays withdrawn, also where it is asked late.
        if (move.begunAt <= (this.#withdrawn.get(move.database) ?? '')) return;
        this.outbox.set(move.database, move);
        this.#others.decide?.(move, answer);
      },
      withdraw: ({ database, begunAt = '' }) => {
        const before = this.#withdrawn.get(database) ?? '';
        this.#withdrawn.set(database, begunAt > before ? begunAt : before);
        this.outbox.delete(database);
        return {};
      },
    });
  }

  #instance(application: string): FakeInstance {
    const instance = this.instances.get(application);
    if (!instance) throw new ResourceError('no_instance', `there is no instance ${application}`);
    return instance;
  }

  #mustTakeClients(application: string): void {
    if (this.#instance(application).fenced) throw new ResourceError('no_instance', `${application} is fenced`);
  }

  #mustHold(application: string, database: string): void {
    if (this.#instance(application).databases.has(database)) return;
    throw new ResourceError('absent', `there is no database ${database} in ${application}`);
  }
}
