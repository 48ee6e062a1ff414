import { describe, expect, it } from 'vitest';
import { Client } from '@temporalio/client';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { connect, connectWhenAsked } from '../../src/temporal/connection.js';
import { startRefusingTemporal } from '../support/refusing-temporal.js';

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

  // The service lets one read of a workflow wait for the task that is under way, and refuses the others. By the SDK's own rule, ten
  // readers of an entity that was at work waited for two seconds.
  it('asks again at once what the service refuses for a moment only', async () => {
    const temporal = await startRefusingTemporal();
    const connection = await connect({ address: temporal.address });
    const client = new Client({ connection });
    const asked = async (message: string) => {
      temporal.refuseWith(8, message);
      const before = temporal.asked;
      const read = client.withDeadline(Date.now() + 900, () => client.workflow.getHandle('anything').query('anything'));
      await expect(read).rejects.toThrow();
      return temporal.asked - before;
    };
    for (const moment of [
      'consistent query buffer is full, this may',
      'can not be applied because workflow is closing',
    ])
      expect(await asked(moment), moment).toBeGreaterThan(3);
    expect(await asked('namespace rate limit exceeded')).toBeLessThan(3);
    await connection.close();
    await temporal.close();
  });
});
