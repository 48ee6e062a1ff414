import { MockActivityEnvironment } from '@temporalio/testing';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { implementConditions } from '../../src/temporal/condition-provider.js';

/** A server that says to whoever connects that it cannot serve now, as PostgreSQL does while it starts. */
async function refusing(code: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      const fields = `SFATAL\0VFATAL\0C${code}\0Mthe database system is not to be had\0\0`;
      const message = Buffer.alloc(5 + fields.length);
      message.write('E');
      message.writeInt32BE(4 + fields.length, 1);
      message.write(fields, 5);
      socket.end(message);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    await use(`postgres://somebody@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`);
  } finally {
    server.close();
  }
}

const ask = (condition: string, input: unknown): Promise<unknown> =>
  new MockActivityEnvironment().run(implementConditions()[`conditions.${condition}`]!, {
    input,
    idempotencyKey: 'asked',
  });

it.each(['57P01', '57P02', '57P03'])('a database that starts or ends is not there yet: %s (W3)', async (code) => {
  await refusing(code, async (url) => {
    expect(await ask('databaseLive', { url })).toMatchObject({ output: false });
    expect(await ask('databaseOpen', { url })).toMatchObject({ output: false });
  });
});

it('a database that refuses who asks is no answer, and fails with its words (W3)', async () => {
  await refusing('28P01', async (url) => {
    await expect(ask('databaseLive', { url })).rejects.toThrow('the database system is not to be had');
  });
});
