import { connect, createServer, type Server, type Socket } from 'node:net';
import { admits } from '../values/firewall-rule.js';
import { routeOf, type AliasRecord } from './alias-record.js';
import type { Address } from './instances.js';
import { readStartup, refusal, type StartupMessage } from './startup-message.js';

const HOST = '127.0.0.1';
const STARTUP_WITHIN_MS = 10_000;
/** PostgreSQL's codes `invalid_authorization_specification` and `cannot_connect_now`. */
const NOT_ADMITTED = '28000';
const NOT_NOW = '57P03';

/** Finds where an instance listens. Gives `undefined` when it does not exist or may not be used. */
export type Locate = (application: string) => Promise<Address | undefined>;

interface Session {
  readonly address: string;
  readonly database: string | undefined;
  readonly application: string;
}

/**
 * Takes the connections to an alias. It admits clients by their address, and leads each to the instance of the database that it
 * asks for.
 */
export class Gateway {
  readonly #name: string;
  readonly #locate: Locate;
  readonly #server: Server;
  readonly #sockets = new Map<Socket, Session | undefined>();
  #record: AliasRecord;

  private constructor(name: string, record: AliasRecord, locate: Locate) {
    this.#name = name;
    this.#record = record;
    this.#locate = locate;
    this.#server = createServer((socket) => void this.#take(socket));
  }

  /**
   * Starts to listen.
   * @throws when it cannot listen on the port of the record
   */
  static async start(
    name: string,
    record: AliasRecord,
    options: { readonly locate: Locate; readonly log: (line: string) => void },
  ): Promise<Gateway> {
    const gateway = new Gateway(name, record, options.locate);
    await new Promise<void>((resolve, reject) => {
      gateway.#server.once('error', reject);
      gateway.#server.listen({ port: record.port, host: HOST }, resolve);
    });
    gateway.#server.on('error', (error) => options.log(`alias ${name}: ${error.message}`));
    return gateway;
  }

  /** Follows a changed record from now on. It cuts off clients that would not be led to the same instance any more. */
  follow(record: AliasRecord): void {
    this.#record = record;
    for (const [socket, session] of this.#sockets) {
      if (!session) continue;
      const stays = admits(record.rules, session.address) && routeOf(record, session.database) === session.application;
      if (!stays) socket.destroy();
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.keys()) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #take(socket: Socket): Promise<void> {
    this.#sockets.set(socket, undefined);
    socket.once('close', () => this.#sockets.delete(socket)).on('error', () => socket.destroy());
    const startup = await readStartup(socket, STARTUP_WITHIN_MS);
    if (!startup) return void socket.destroy();
    const address = socket.remoteAddress ?? '';
    if (!admits(this.#record.rules, address)) return this.#refuse(socket, address);
    if (startup.kind === 'cancel') return this.#cancel(socket, address, startup);
    await this.#connect(socket, address, startup);
  }

  async #connect(socket: Socket, address: string, { database, bytes }: StartupMessage): Promise<void> {
    const application = routeOf(this.#record, database);
    const target = application === undefined ? undefined : await this.#locate(application);
    // The rules and the route may have changed meanwhile, and `follow` cuts off only sessions that are known.
    if (!admits(this.#record.rules, address)) return this.#refuse(socket, address);
    if (!target || application === undefined || routeOf(this.#record, database) !== application) {
      const message = `the database "${database}" of the server "${this.#name}" is not available now, try again`;
      return turnAway(socket, NOT_NOW, message);
    }
    this.#sockets.set(socket, { address, database, application });
    const service = connect(target);
    for (const each of [socket, service]) each.setNoDelay(true);
    const end = () => {
      socket.destroy();
      service.destroy();
    };
    socket.once('error', end).once('close', end);
    service.once('error', end).once('close', end);
    service.write(bytes);
    socket.pipe(service).pipe(socket);
  }

  /** Asks all instances to cancel. Only the one that has given out the secret knows it. The others do nothing. */
  async #cancel(socket: Socket, address: string, { bytes }: StartupMessage): Promise<void> {
    const { application, routes } = this.#record;
    const applications = new Set([...Object.values(routes), ...(application === undefined ? [] : [application])]);
    await Promise.all(
      [...applications].map(async (each) => {
        const target = await this.#locate(each);
        if (!target || !admits(this.#record.rules, address)) return;
        await new Promise<void>((resolve) => {
          const service = connect(target, () => service.end(bytes));
          service.once('close', () => resolve()).once('error', () => service.destroy());
          service.resume();
        });
      }),
    );
    socket.end();
  }

  #refuse(socket: Socket, address: string): void {
    turnAway(socket, NOT_ADMITTED, `no firewall rule of the server "${this.#name}" admits the address ${address}`);
  }
}

function turnAway(socket: Socket, sqlState: string, message: string): void {
  socket.end(refusal(sqlState, message)).resume();
}
