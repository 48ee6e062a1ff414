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

const at = (second: number) => new Date(second * 1_000).toISOString();
const requests = async () => (await readdir(join(home, 'outbox'))).filter((name) => name.endsWith('.json'));

describe('the outbox of requests to people', () => {
  it('holds the latest request of a name, for its owner alone', async () => {
    await outbox.put('orders.sales', at(1), { question: 'first' });
    await outbox.put('orders.sales', at(2), { question: 'second' });
    expect(await requests()).toEqual(['orders.sales.json']);
    expect((await stat(join(home, 'outbox'))).mode & 0o777).toBe(0o700);
  });

  it('takes no request that was withdrawn, however late it comes (request-outbox.1)', async () => {
    await outbox.put('orders.sales', at(5), {});
    await outbox.remove('orders.sales', at(5));
    await outbox.put('orders.sales', at(5), {});
    expect(await requests()).toEqual([]);
    // Those before it were withdrawn with it, and one after it is another one.
    await outbox.put('orders.sales', at(4), {});
    expect(await requests()).toEqual([]);
    await outbox.put('orders.sales', at(6), {});
    expect(await requests()).toEqual(['orders.sales.json']);
  });

  it('forgets no withdrawal for an older one that comes late (request-outbox.1)', async () => {
    await outbox.remove('a', at(9));
    await outbox.remove('a', at(3));
    await outbox.put('a', at(9), {});
    expect(await requests()).toEqual([]);
  });

  it('withdraws what is there for one who knows of no request, and takes the next one (request-outbox.1)', async () => {
    await outbox.put('a', at(1), {});
    await outbox.remove('a');
    expect(await requests()).toEqual([]);
    await outbox.put('a', at(2), {});
    expect(await requests()).toEqual(['a.json']);
  });
});
