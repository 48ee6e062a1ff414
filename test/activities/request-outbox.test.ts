import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RequestOutbox } from '../../activities/approvals/request-outbox.js';

let home: string;
let outbox: RequestOutbox;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'reeve-outbox-'));
  outbox = new RequestOutbox(home);
});
afterEach(async () => rm(home, { recursive: true, force: true }));

const requests = async () => (await readdir(join(home, 'outbox'))).filter((name) => name.endsWith('.json'));

describe('the outbox of requests to people', () => {
  it('holds the latest request of a name, for its owner alone', async () => {
    await outbox.put('orders.sales', 1, { question: 'first' });
    await outbox.put('orders.sales', 2, { question: 'second' });
    expect(await requests()).toEqual(['orders.sales.json']);
    expect((await stat(join(home, 'outbox'))).mode & 0o777).toBe(0o700);
  });

  it('takes no request that was withdrawn, however late it comes (request-outbox.1)', async () => {
    await outbox.put('orders.sales', 5, {});
    await outbox.remove('orders.sales', 5);
    await outbox.put('orders.sales', 5, {});
    expect(await requests()).toEqual([]);
    // Those before it were withdrawn with it, and one after it is another one.
    await outbox.put('orders.sales', 4, {});
    expect(await requests()).toEqual([]);
    await outbox.put('orders.sales', 6, {});
    expect(await requests()).toEqual(['orders.sales.json']);
  });

  it('forgets no withdrawal for an older one that comes late (request-outbox.1)', async () => {
    await outbox.remove('a', 9);
    await outbox.remove('a', 3);
    await outbox.put('a', 9, {});
    expect(await requests()).toEqual([]);
  });
});
