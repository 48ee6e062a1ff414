import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import dns from 'dns-packet';
import { choosePort } from '../../src/stack/ports.js';
import { answerQuestion, formatError, type Lookup } from './answer.js';

const HOST = '127.0.0.1';
const TCP_IDLE_MS = 10_000;

/** An authoritative name server on 127.0.0.1, over UDP and TCP. */
export class NameServer {
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #sockets = new Set<Socket>();
  readonly port: number;

  private constructor(port: number, udp: UdpSocket, tcp: Server) {
    this.port = port;
    this.#udp = udp;
    this.#tcp = tcp;
  }

  static async start(wanted: number | undefined, lookup: Lookup): Promise<NameServer> {
    const port = await choosePort(wanted);
    const udp = createSocket('udp4');
    const tcp = createServer();
    const server = new NameServer(port, udp, tcp);
    udp.on('message', (message, from) => {
      void respond(message, lookup).then((answer) => answer && udp.send(answer, from.port, from.address));
    });
    tcp.on('connection', (socket) => server.#serve(socket, lookup));
    await Promise.all([
      new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, HOST, resolve)),
      new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(port, HOST, resolve)),
    ]);
    return server;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([
      new Promise<void>((resolve) => this.#udp.close(() => resolve())),
      new Promise<void>((resolve) => this.#tcp.close(() => resolve())),
    ]);
  }

  /** Over TCP, each message comes after its length in two bytes. */
  #serve(socket: Socket, lookup: Lookup): void {
    this.#sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const length = received.readUInt16BE(0);
        const message = received.subarray(2, 2 + length);
        received = received.subarray(2 + length);
        void respond(message, lookup).then((answer) => {
          if (!answer || socket.destroyed) return;
          const prefix = Buffer.alloc(2);
          prefix.writeUInt16BE(answer.length);
          socket.write(Buffer.concat([prefix, answer]));
        });
      }
    });
  }
}

/** The answer to a message. Gives `undefined` for one that is too short to be answered, or that is an answer itself. */
async function respond(message: Buffer, lookup: Lookup): Promise<Buffer | undefined> {
  try {
    const query = dns.decode(message);
    // An answer to an answer could go on for ever.
    if (query.type !== 'query') return undefined;
    return dns.encode(await answerQuestion(query, lookup));
  } catch {
    return message.length < 12 ? undefined : dns.encode(formatError(message.readUInt16BE(0)));
  }
}
