import { chooseLaterPort } from '../../src/stack/ports.js';
import type { FirewallRule } from '../values/firewall-rule.js';
import { aliasRecord, type AliasRecord } from './alias-record.js';
import { Gateway, type Locate } from './gateway.js';
import { HostError } from './host-error.js';
import type { Address } from './instances.js';
import { RecordFolder } from './record-folder.js';
import { Turns } from './turns.js';

const HOST = '127.0.0.1';

/** Stable addresses. Each listens on a port of its own, and leads to the instances of a server. */
export class Aliases {
  readonly #records: RecordFolder<typeof aliasRecord>;
  readonly #locate: Locate;
  readonly #log: (line: string) => void;
  readonly #gateways = new Map<string, Gateway>();
  readonly #turns = new Turns();
  /** Ports that this process has reserved. */
  readonly #reserved = new Set<number>();

  private constructor(records: RecordFolder<typeof aliasRecord>, locate: Locate, log: (line: string) => void) {
    this.#records = records;
    this.#locate = locate;
    this.#log = log;
  }

  static async open(folder: string, locate: Locate, log: (line: string) => void): Promise<Aliases> {
    return new Aliases(await RecordFolder.open(folder, aliasRecord), locate, log);
  }

  /** Listens for all aliases that point somewhere. An alias that cannot listen is `unbound` until it is pointed again. */
  async start(): Promise<void> {
    for (const name of await this.#records.names()) {
      const record = await this.#records.get(name);
      if (!record) continue;
      this.#reserved.add(record.port);
      await this.#follow(name, record);
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#gateways.keys()].map((name) => this.#close(name)));
  }

  /** The names of the aliases that point somewhere but listen nowhere. */
  async unbound(): Promise<readonly string[]> {
    const names = await this.#records.names();
    const bound = await Promise.all(names.map((name) => this.isBound(name)));
    return names.filter((_, index) => bound[index] === false);
  }

  /** Tells whether it listens at its address. Gives `undefined` when it does not exist or points nowhere. */
  isBound(name: string): Promise<boolean | undefined> {
    return this.#turns.take(name, async () => {
      const known = await this.#records.get(name);
      return known?.application === undefined ? undefined : this.#gateways.has(name);
    });
  }

  /** Gives an address for the name, which is the same each time. */
  reserve(name: string): Promise<Address> {
    return this.#turns.take(name, async () => ({ host: HOST, port: (await this.#known(name)).port }));
  }

  /**
   * Leads the alias to an instance from now on.
   * @throws HostError when the instance does not exist, or the alias cannot listen at its address
   */
  point(name: string, application: string): Promise<Address> {
    return this.#turns.take(name, async () => {
      await this.#mustBeThere(application);
      const record = { ...(await this.#known(name)), application };
      await this.#records.put(name, record);
      await this.#listen(name, record);
      return { host: HOST, port: record.port };
    });
  }

  /**
   * Leads clients that ask for one database to an instance of its own.
   * @throws HostError when there is no such instance or alias
   */
  route(name: string, database: string, application: string): Promise<void> {
    return this.#turns.take(name, async () => {
      await this.#mustBeThere(application);
      const known = await this.#records.get(name);
      if (!known) throw new HostError(404, 'no_alias', `There is no alias '${name}'. Reserve it first.`);
      await this.#put(name, { ...known, routes: { ...known.routes, [database]: application } });
    });
  }

  /** Takes back the routes to an instance, and no others. An alias that is gone has none. */
  unroute(name: string, application: string): Promise<void> {
    return this.#turns.take(name, async () => {
      const known = await this.#records.get(name);
      if (!known) return;
      const others = Object.entries(known.routes).filter(([, each]) => each !== application);
      await this.#put(name, { ...known, routes: Object.fromEntries(others) });
    });
  }

  /** Admits these addresses from now on, and no others. */
  protect(name: string, rules: readonly FirewallRule[]): Promise<void> {
    return this.#turns.take(name, async () => this.#put(name, { ...(await this.#known(name)), rules: [...rules] }));
  }

  remove(name: string): Promise<void> {
    return this.#turns.take(name, async () => {
      const known = await this.#records.get(name);
      await this.#close(name);
      await this.#records.remove(name);
      if (known) this.#reserved.delete(known.port);
    });
  }

  async #put(name: string, record: AliasRecord): Promise<void> {
    await this.#records.put(name, record);
    await this.#follow(name, record);
  }

  async #known(name: string): Promise<AliasRecord> {
    const known = await this.#records.get(name);
    if (known) return known;
    let port = await chooseLaterPort();
    while (this.#reserved.has(port)) port = await chooseLaterPort();
    this.#reserved.add(port);
    const record: AliasRecord = { port, routes: {}, rules: [] };
    await this.#records.put(name, record);
    return record;
  }

  /** Listens as the record says, if it can. The record holds in any case: if the alias cannot listen now, it will do so later. */
  async #follow(name: string, record: AliasRecord): Promise<void> {
    try {
      await this.#listen(name, record);
    } catch (thrown) {
      this.#log((thrown as Error).message);
    }
  }

  async #listen(name: string, record: AliasRecord): Promise<void> {
    if (record.application === undefined) return;
    const gateway = this.#gateways.get(name);
    if (gateway) return gateway.follow(record);
    const options = { locate: this.#locate, log: this.#log };
    const started = await Gateway.start(name, record, options).catch((thrown: Error) => {
      throw new HostError(503, 'address_taken', cannotListen(name, record.port, thrown));
    });
    this.#gateways.set(name, started);
  }

  async #close(name: string): Promise<void> {
    const gateway = this.#gateways.get(name);
    this.#gateways.delete(name);
    await gateway?.stop();
  }

  async #mustBeThere(application: string): Promise<void> {
    if (await this.#locate(application)) return;
    const message = `There is no instance '${application}' that takes connections. Create it first.`;
    throw new HostError(404, 'no_instance', message);
  }
}

function cannotListen(name: string, port: number, { message }: Error): string {
  return `The alias '${name}' cannot listen on ${HOST}:${port} (${message}). End the program that listens there. The alias then tries again.`;
}
