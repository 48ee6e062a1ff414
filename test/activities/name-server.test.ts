import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import dns, { type DecodedPacket } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NameServer } from '../../activities/host/name-server.js';

let server: NameServer;
beforeAll(async () => {
  server = await NameServer.start(undefined, async (name) =>
    name === 'orders' ? { address: '127.0.0.1', port: 5_432 } : undefined,
  );
});
afterAll(async () => server.stop());

const question = (name: string, type: 'A' | 'SRV' | 'SOA' | 'MX' | 'AAAA') =>
  dns.encode({ type: 'query', id: 77, questions: [{ type, name }] });

function overUdp(message: Buffer): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('message', (answer) => {
      socket.close();
      resolve(dns.decode(answer));
    });
    socket.once('error', reject);
    socket.send(message, server.port, '127.0.0.1');
  });
}

function overTcp(message: Buffer): Promise<DecodedPacket> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    // In two pieces: a message may arrive in any.
    socket.write(length);
    socket.write(message);
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(dns.decode(answer.subarray(2)));
    });
    socket.once('error', reject);
  });
}

describe('the name server', () => {
  it('answers A with authority, whatever the case of the name, over UDP and TCP', async () => {
    for (const ask of [overUdp, overTcp]) {
      const answer = await ask(question('Orders.Reeve.Internal', 'A'));
      expect(answer).toMatchObject({ id: 77, rcode: 'NOERROR', flag_aa: true });
      expect(answer.answers).toMatchObject([{ type: 'A', name: 'Orders.Reeve.Internal', data: '127.0.0.1', ttl: 5 }]);
    }
  });

  it.each(['orders.reeve.internal', '_postgresql._tcp.orders.reeve.internal'])('answers SRV for %s', async (name) => {
    const { answers, additionals } = await overUdp(question(name, 'SRV'));
    expect(answers).toMatchObject([{ type: 'SRV', data: { port: 5_432, target: 'orders.reeve.internal' } }]);
    expect(additionals).toMatchObject([{ type: 'A', data: '127.0.0.1' }]);
  });

  it.each([
    ['a name that is not there', 'nobody.reeve.internal', 'A', 'NXDOMAIN', 1],
    ['a name that no server can have', '_x.reeve.internal', 'A', 'NXDOMAIN', 1],
    ['another type of a name that is there', 'orders.reeve.internal', 'AAAA', 'NOERROR', 1],
    ['another zone', 'example.com', 'A', 'REFUSED', 0],
  ] as const)('tells %s', async (_, name, type, rcode, authorities) => {
    const answer = await overUdp(question(name, type));
    expect(answer).toMatchObject({ rcode, answers: [] });
    expect(answer.authorities).toHaveLength(authorities);
  });

  it('has a start of authority', async () => {
    expect((await overUdp(question('reeve.internal', 'SOA'))).answers).toMatchObject([{ type: 'SOA' }]);
  });

  it('answers a malformed message as such, and goes on', async () => {
    const malformed = Buffer.concat([Buffer.from([0, 77, 1, 0, 0, 9, 0, 0, 0, 0, 0, 0]), Buffer.from([255, 255, 255])]);
    expect(await overUdp(malformed)).toMatchObject({ id: 77, rcode: 'FORMERR' });
    expect(await overUdp(question('orders.reeve.internal', 'A'))).toMatchObject({ rcode: 'NOERROR' });
  });
});
