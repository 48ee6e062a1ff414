import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Aliases } from '../../activities/host/aliases.js';
import type { Locate } from '../../activities/host/gateway.js';
import { until } from '../support/until.js';

const HOST = '127.0.0.1';
const local = [{ first: HOST, last: HOST }];

/** A session in the database `sales`, as a PostgreSQL client asks for it. */
function startup(): Buffer {
  const parameters = Buffer.from('user\0someone\0database\0sales\0\0');
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + parameters.length, 0);
  head.writeUInt32BE(196_608, 4);
  return Buffer.concat([head, parameters]);
}

/** All that a client gets until it is cut off. */
function ask(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ host: HOST, port }, () => socket.write(startup()));
    socket.on('data', (chunk) => (text += chunk.toString('utf8')));
    socket.once('error', reject).once('close', () => resolve(text));
  });
}

let folder: string;
let service: Server;
let aliases: Aliases;
/** The lookups that still ask where the instance is, and hold until they are told. */
let asked: (() => void)[];
let holds: boolean;

const locate: Locate = async () => {
  if (holds) await new Promise<void>((resolve) => asked.push(resolve));
  return { host: HOST, port: (service.address() as AddressInfo).port };
};
const untilAsked = () => until(async () => expect(asked).toHaveLength(1));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-gateway-'));
  service = createServer((socket) => socket.resume().end('welcome'));
  await new Promise<void>((resolve) => service.listen(0, HOST, resolve));
  asked = [];
  holds = false;
  aliases = await Aliases.open(folder, locate, () => undefined);
  await aliases.protect('orders', local);
});
afterEach(async () => {
  await aliases.stop();
  await new Promise((resolve) => service.close(resolve));
  await rm(folder, { recursive: true });
});

describe('the gateway of a logical server (S6.4)', () => {
  it('turns away a client whose firewall rule is removed while its instance is looked for', async () => {
    const { port } = await aliases.point('orders', 'orders');
    expect(await ask(port)).toBe('welcome');
    holds = true;
    const client = ask(port);
    await untilAsked();
    await aliases.protect('orders', []);
    asked[0]!();
    expect(await client).toContain('no firewall rule of the server "orders" admits the address 127.0.0.1');
  });
});

describe('an alias (S6.4)', () => {
  it('does not come back by a route that is set while it is removed', async () => {
    const removed = aliases.remove('orders');
    const routed = aliases.route('orders', 'sales', 'orders.sales');
    await expect(routed).rejects.toMatchObject({ code: 'no_alias' });
    await removed;
    expect(await readdir(folder)).toEqual([]);
  });

  it('is unbound while another program has its address, takes changes, and is bound when it is pointed again', async () => {
    const { port } = await aliases.point('orders', 'orders');
    expect(await aliases.isBound('orders')).toBe(true);
    await aliases.stop();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, HOST, resolve));
    const lines: string[] = [];
    aliases = await Aliases.open(folder, locate, (line) => lines.push(line));
    await aliases.start();
    expect(await aliases.unbound()).toEqual(['orders']);
    expect(await aliases.isBound('nobody')).toBeUndefined();
    const said = new RegExp(
      `^The alias 'orders' cannot listen on 127.0.0.1:${port} .*EADDRINUSE.*End the program that listens there`,
    );
    expect(lines).toEqual([expect.stringMatching(said)]);
    await expect(aliases.point('orders', 'orders')).rejects.toMatchObject({
      ...{ status: 503, code: 'address_taken', message: expect.stringMatching(said) },
    });
    await aliases.protect('orders', [...local, { first: '127.0.0.9', last: '127.0.0.9' }]);
    await aliases.route('orders', 'sales', 'orders.sales');
    await new Promise((resolve) => other.close(resolve));
    expect(await aliases.point('orders', 'orders')).toEqual({ host: HOST, port });
    expect(await aliases.unbound()).toEqual([]);
    expect(await ask(port)).toBe('welcome');
  });
});
