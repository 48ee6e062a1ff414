import { describe, expect, it } from 'vitest';
import { Client } from '@temporalio/client';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect, connectWhenAsked } from '../../src/temporal/connection.js';

describe('a connection to Temporal', () => {
  it('names the address where nobody answers, and keeps the cause', async () => {
    const failed: unknown = await connect({ address: '127.0.0.1:1', connectTimeout: 300 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(failed).toMatchObject({
      message: expect.stringMatching(/^The Temporal service at 127\.0\.0\.1:1 cannot be used: .*\.$/),
    });
    expect((failed as Error).cause).toBeInstanceOf(Error);
  });

  // It was an error in a timer, which ended commands that had done their work.
  it('ends the calls that are tried again when it is closed, and those that are made later', async () => {
    const heard: Promise<unknown>[] = [];
    const hangsUp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(hangsUp, 'listening');
    const address = hangsUp.address() as { readonly port: number };
    const connection = connectWhenAsked({ address: `127.0.0.1:${address.port}` });
    const client = new Client({ connection });
    const ask = () => client.workflow.getHandle('anything').describe();
    const ended = (asked: Promise<unknown>) => expect(asked).rejects.toThrow(/Failed to describe workflow|closed/i);
    const called = once(hangsUp, 'connection');
    heard.push(ended(ask()), ended(ask()));
    await called;
    await connection.close();
    await Promise.all(heard);
    await ended(ask());
    hangsUp.close();
  });
});
