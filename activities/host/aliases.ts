import { connect, createServer, type Server, type Socket } from 'node:net';
import { z } from 'zod';
import { choosePort } from '../../src/stack/ports.js';
import type { Address } from './instances.js';
import { HostError } from './host-error.js';
import { RecordFolder } from './record-folder.js';

const address = z.object({ host: z.string(), port: z.number().int() });
const alias = z.object({ port: z.number().int(), target: address.optional() });

const HOST = '127.0.0.1';
const CONNECT_WITHIN_MS = 5_000;

/** Stable addresses: each listens on a port of its own and forwards what comes to its target. */
export class Aliases {
  readonly #records: RecordFolder<typeof alias>;
  readonly #log: (line: string) => void;
  readonly #listeners = new Map<string, { readonly server: Server; readonly sockets: Set<Socket> }>();
  /** Ports of this process that are reserved and not listened on yet. */
  readonly #reserved = new Set<number>();

  private constructor(records: RecordFolder<typeof alias>, log: (line: string) => void) {
    this.#records = records;
    this.#log = log;
  }

  static async open(folder: string, log: (line: string) => void): Promise<Aliases> {
    return new Aliases(await RecordFolder.open(folder, alias), log);
  }

  /** Listens for all aliases that point somewhere. */
  async start(): Promise<void> {
    for (const name of await this.#records.names()) {
      const record = await this.#records.get(name);
      if (!record) continue;
      this.#reserved.add(record.port);
      if (!record.target) continue;
      try {
        await this.#listen(name, record.port);
      } catch (thrown) {
        this.#log(`alias ${name} cannot listen on ${HOST}:${record.port}: ${(thrown as Error).message}`);
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#listeners.keys()].map((name) => this.#close(name)));
  }

  /** An address for the name, the same each time. */
  async reserve(name: string): Promise<Address> {
    const known = await this.#records.get(name);
    if (known) return { host: HOST, port: known.port };
    let port = await choosePort();
    while (this.#reserved.has(port)) port = await choosePort();
    this.#reserved.add(port);
    await this.#records.put(name, { port });
    return { host: HOST, port };
  }

  /** Forwards to a target from now on, and makes sure that the target can be reached through the alias. */
  async point(name: string, target: Address): Promise<Address> {
    const { port } = await this.reserve(name);
    await this.#records.put(name, { port, target });
    if (!this.#listeners.has(name)) await this.#listen(name, port);
    await this.#probe(name, target);
    return { host: HOST, port };
  }

  async remove(name: string): Promise<void> {
    const known = await this.#records.get(name);
    await this.#close(name);
    await this.#records.remove(name);
    if (known) this.#reserved.delete(known.port);
  }

  async #listen(name: string, port: number): Promise<void> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      void this.#forward(name, socket);
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: HOST }, resolve);
    });
    server.on('error', (error) => this.#log(`alias ${name}: ${error.message}`));
    this.#listeners.set(name, { server, sockets });
  }

  async #forward(name: string, client: Socket): Promise<void> {
    // Read at each connection: the alias may have been pointed elsewhere.
    const target = (await this.#records.get(name))?.target;
    if (!target) {
      client.destroy();
      return;
    }
    const service = connect(target);
    client.setNoDelay(true);
    service.setNoDelay(true);
    client.pipe(service).pipe(client);
    const end = () => {
      client.destroy();
      service.destroy();
    };
    client.once('error', end).once('close', end);
    service.once('error', end).once('close', end);
  }

  async #close(name: string): Promise<void> {
    const listener = this.#listeners.get(name);
    if (!listener) return;
    this.#listeners.delete(name);
    for (const socket of listener.sockets) socket.destroy();
    await new Promise<void>((resolve) => listener.server.close(() => resolve()));
  }

  async #probe(name: string, target: Address): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ ...target, timeout: CONNECT_WITHIN_MS });
      const fail = (reason: string) => {
        socket.destroy();
        const message = `The alias '${name}' points at ${target.host}:${target.port}, which does not answer: ${reason}.`;
        reject(new HostError(503, 'target_unreachable', message));
      };
      socket.once('connect', () => {
        socket.destroy();
        resolve();
      });
      socket.once('timeout', () => fail(`no connection in ${CONNECT_WITHIN_MS} ms`));
      socket.once('error', (error) => fail(error.message));
    });
  }
}
