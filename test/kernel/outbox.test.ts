import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { UNSENT_BYTES } from '../../src/definition/limits.js';
import type { EntityDriver, MessageLimits } from '../../src/kernel/run/driver.js';
import { Outbox, type Message, type Undeliverable } from '../../src/kernel/run/outbox.js';
import type { Creation } from '../../src/protocol/creation.js';
import type { Report } from '../../src/protocol/report.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { noRecords } from '../support/no-records.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';
import { until } from '../support/until.js';

const to = { type: 'Box', key: 'k' };
const from = { type: 'Room', key: 'r', life: 'room-life', judges: true };
const request = { id: 'place-id', event: 'place', params: { label: 'x' }, operation: 'op', from };

/** All that an outbox needs where there is no store. */
const WITHOUT_STORE = { now: () => 1_000, identity: { id: 'Room/r', life: 'room-life' }, records: noRecords };

/** A box that was placed by `request` and deleted. */
function lastLife(): Snapshot {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' }, request);
  box.end('Placing');
  box.startAutomatic();
  box.end('Placed');
  box.raise('remove');
  box.end('Deleted');
  return box.snapshot;
}

/** A world in which the box has been deleted. */
async function carryOut(effect: (outbox: Outbox) => void) {
  const created: { readonly creation: Creation; readonly again: boolean }[] = [];
  const undeliverable: Undeliverable[] = [];
  const reports: Report[] = [];
  const driver: Pick<EntityDriver, 'createEntity' | 'sendMessage' | 'lastLife' | 'now' | 'identity' | 'records'> = {
    ...WITHOUT_STORE,
    createEntity: async (_, creation, again) => {
      created.push({ creation, again });
      return again ? 'created' : 'exists';
    },
    sendMessage: async () => 'absent',
    lastLife: async () => lastLife(),
  };
  const outbox = new Outbox(driver as EntityDriver, {
    undeliverable: (sent) => undeliverable.push(sent),
    reported: (report) => reports.push(report),
    operationOver: () => undefined,
    noDeployment: () => undefined,
  });
  effect(outbox);
  await until(async () => expect(outbox.empty).toBe(true));
  outbox.throwFailure();
  return { created, undeliverable, reports };
}

describe('the outbox, when the target was deleted', () => {
  it('gives the outcome of a creation that it has had, and creates nothing (S1.3, outbox.3)', async () => {
    const creation: Creation = { kind: 'create', key: 'k', request };
    const { created, undeliverable, reports } = await carryOut((outbox) =>
      outbox.post([{ kind: 'create', to, creation }]),
    );
    expect(created).toEqual([{ creation, again: false }]);
    expect(undeliverable).toEqual([]);
    expect(reports).toMatchObject([
      { from: { ...to, life: 'life-1' }, toLife: 'room-life', ended: ['place-id'], outcome: { state: 'Placed' } },
    ]);
  });

  it('creates it again by another request, with what its last life leaves (S1.3)', async () => {
    const creation: Creation = { kind: 'create', key: 'k', request: { ...request, id: 'another' } };
    const { created, reports } = await carryOut((outbox) => outbox.post([{ kind: 'create', to, creation }]));
    expect(created.at(-1)).toEqual({ creation: { ...creation, again: true, inherits: lastLife() }, again: true });
    expect(reports).toEqual([]);
  });

  it('gives the outcome of an event that it has had, and says of another that nobody is there (S1.3, S2.2, outbox.2)', async () => {
    const raise = (id: string): Undeliverable => ({
      kind: 'send',
      to,
      message: { kind: 'raise', key: 'k', request: { ...request, id } },
    });
    const { undeliverable, reports } = await carryOut((outbox) => outbox.post([raise('place-id'), raise('another')]));
    expect(reports.map(({ ended }) => ended)).toEqual([['place-id']]);
    expect(undeliverable).toEqual([raise('another')]);
  });

  it('sends no more what it has said to have ended, though somebody may be there by now (S2.2, outbox.2)', async () => {
    const raise = (id: string): Undeliverable => ({
      kind: 'send',
      to,
      message: { kind: 'raise', key: 'k', request: { ...request, id } },
    });
    const tried: string[] = [];
    const undeliverable: Undeliverable[] = [];
    const driver: Pick<EntityDriver, 'sendMessage' | 'lastLife' | 'now' | 'identity' | 'records'> = {
      ...WITHOUT_STORE,
      sendMessage: async (_, message) => {
        if (message.kind === 'raise') tried.push(message.request.id);
        return tried.length === 1 ? 'absent' : 'delivered';
      },
      lastLife: async () => undefined,
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: (sent) => undeliverable.push(sent),
      reported: () => undefined,
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    outbox.post([raise('one'), raise('other'), raise('one')]);
    await until(async () => expect(outbox.empty).toBe(true));
    expect(tried).toEqual(['one', 'other']);
    expect(undeliverable).toEqual([raise('one')]);
    // With nothing under way, nothing is known of it any more.
    outbox.post([raise('one')]);
    await until(async () => expect(outbox.empty).toBe(true));
    expect(tried).toEqual(['one', 'other', 'one']);
  });

  it('says that a request was used for other content before (S2.5)', async () => {
    const other = { ...request, params: { label: 'other' } };
    const { reports } = await carryOut((outbox) =>
      outbox.post([{ kind: 'create', to, creation: { kind: 'create', key: 'k', request: other } }]),
    );
    expect(reports).toMatchObject([{ outcome: { rejection: { code: 'request_conflict' } } }]);
  });
});

/** An outbox whose effects end one by one, when the test lets them. */
function gated() {
  const begun: string[] = [];
  const gates = new Map<string, { pass(): void; fail(thrown: Error): void }>();
  const does = (what: string) =>
    new Promise<never>((resolve, reject) => {
      begun.push(what);
      gates.set(what, { pass: () => resolve(undefined as never), fail: reject });
    });
  const driver: Pick<EntityDriver, 'openOperation' | 'tellOperation' | 'sendMessage'> = {
    openOperation: ({ id }) => does(`open ${id}`),
    tellOperation: (operation, message) => does(`tell ${operation} ${message.kind}`),
    sendMessage: (target, message) => does(`${message.kind} to ${target.key}`).then(() => 'delivered' as const),
  };
  const outbox = new Outbox(driver as EntityDriver, {
    undeliverable: () => undefined,
    reported: () => undefined,
    operationOver: () => undefined,
    noDeployment: () => undefined,
  });
  const settled = async (what?: string, thrown?: Error) => {
    if (thrown) gates.get(what!)?.fail(thrown);
    else if (what !== undefined) gates.get(what)?.pass();
    await setImmediate();
    return begun.splice(0);
  };
  return { outbox, settled };
}

const open = (id: string): Message => ({
  kind: 'open',
  operation: { kind: 'start', id, name: id, root: { ...to, engagement: id, event: 'e' }, dimensions: {}, startedAt: 0 },
});
const cancel: Message = { kind: 'tell', operation: 'op', message: { kind: 'cancel' } };
const send = (key: string, wait: string): Message => ({
  kind: 'send',
  to: { type: 'Box', key },
  message: { kind: 'release', wait },
});

describe('the outbox at the end of a long run', () => {
  it('begins nothing more, and leaves what is posted to the next run, in order (outbox.4)', async () => {
    const { outbox, settled } = gated();
    outbox.post([send('a', '1'), send('a', '2'), send('b', '1')]);
    expect(await settled()).toEqual(['release to a', 'release to b']);
    outbox.keep();
    const later = [send('a', '3'), cancel, open('other'), send('b', '2')];
    outbox.post(later.slice(0, 2));
    outbox.post(later.slice(2));
    // A message that has waited for the first message to the same target was posted before.
    expect(outbox.kept).toEqual([send('a', '2'), ...later]);
    outbox.keep();
    expect(outbox.kept).toEqual([send('a', '2'), ...later]);
    expect(await settled('release to a')).toEqual([]);
    expect(outbox.empty).toBe(false);
    expect(await settled('release to b')).toEqual([]);
    expect(outbox.empty).toBe(true);

    const next = gated();
    next.outbox.post(outbox.kept);
    expect(next.outbox.kept).toEqual([]);
    expect(await next.settled()).toEqual(['release to a', 'tell op cancel', 'open other']);
    expect(await next.settled('release to a')).toEqual(['release to a']);
    expect(await next.settled('open other')).toEqual(['release to b']);
  });

  it('sends what it has kept, in order and once, when the run goes on after all (outbox.6)', async () => {
    const { outbox, settled } = gated();
    outbox.post([send('a', '1'), send('a', '2')]);
    await settled();
    outbox.keep();
    outbox.post([send('a', '3'), send('b', '1')]);
    expect(await settled('release to a')).toEqual([]);
    outbox.resume();
    outbox.post([send('b', '2')]);
    expect(outbox.kept).toEqual([]);
    expect(await settled()).toEqual(['release to a', 'release to b']);
    expect(await settled('release to a')).toEqual(['release to a']);
    expect(await settled('release to b')).toEqual(['release to b']);
    expect(outbox.empty).toBe(false);
  });

  it('leaves no event that it has said to have ended (S2.2, outbox.2)', async () => {
    const raise = (id: string, key = 'k'): Undeliverable => ({
      kind: 'send',
      to: { type: 'Box', key },
      message: { kind: 'raise', key, request: { ...request, id } },
    });
    let answer!: (answer: 'absent') => void;
    const undeliverable: Undeliverable[] = [];
    const driver: Partial<EntityDriver> = {
      ...WITHOUT_STORE,
      sendMessage: () => new Promise((resolve) => (answer = resolve)),
      lastLife: async () => undefined,
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: (sent) => undeliverable.push(sent),
      reported: () => undefined,
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    outbox.post([raise('one')]);
    await setImmediate();
    outbox.keep();
    const others = [raise('other'), raise('one', 'another'), send('k', 'one')];
    outbox.post([raise('one'), ...others]);
    answer('absent');
    await until(async () => expect(outbox.empty).toBe(true));
    expect(undeliverable).toEqual([raise('one')]);
    expect(outbox.kept).toEqual(others);
  });
});

describe('the outbox at the end of a long run, while the store is unavailable', () => {
  it('leaves what waits for the store to the next run, before what was posted later (Q1, outbox.4)', async () => {
    const aged = { ...lastLife(), ledger: { ...lastLife().ledger, horizon: { untimed: true as const } } };
    const raise = (id: string, key = 'k'): Undeliverable => ({
      kind: 'send',
      to: { type: 'Box', key },
      message: { kind: 'raise', key, request: { ...request, id } },
    });
    let asked = 0;
    let waiting: () => boolean = () => expect.unreachable();
    const driver: Partial<EntityDriver> = {
      ...WITHOUT_STORE,
      records: {
        ...noRecords,
        recall: async () => {
          asked++;
          return undefined;
        },
      },
      sendMessage: async () => 'absent',
      lastLife: async () => aged,
      until: async (condition) => {
        waiting = condition;
        await until(async () => expect(condition()).toBe(true));
        return true;
      },
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: () => expect.unreachable(),
      reported: () => expect.unreachable(),
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    outbox.post([raise('one'), send('k', 'one')]);
    await until(async () => expect(asked).toBe(1));
    expect([outbox.empty, waiting()]).toEqual([false, false]);
    outbox.keep();
    outbox.post([send('k', 'two')]);
    await until(async () => expect(outbox.empty).toBe(true));
    outbox.throwFailure();
    expect(outbox.kept).toEqual([raise('one'), send('k', 'one'), send('k', 'two')]);
    expect(asked).toBe(1);
  });
});

describe('the outbox', () => {
  it('carries out what goes to one target in order, and the rest at the same time', async () => {
    const { outbox, settled } = gated();
    expect(outbox.empty).toBe(true);
    outbox.post([send('a', '1'), send('b', '1'), send('a', '2')]);
    expect(outbox.empty).toBe(false);
    expect(await settled()).toEqual(['release to a', 'release to b']);
    expect(await settled('release to b')).toEqual([]);
    outbox.post([send('b', '2')]);
    expect(await settled()).toEqual(['release to b']);
    expect(await settled('release to a')).toEqual(['release to a']);
    await settled('release to a');
    expect(outbox.empty).toBe(false);
    await settled('release to b');
    expect(outbox.empty).toBe(true);
    expect(() => outbox.throwFailure()).not.toThrow();
  });

  it('opens operations first, at the same time, and holds up nothing once they are open (outbox.1)', async () => {
    const { outbox, settled } = gated();
    outbox.post([open('op'), open('other'), cancel, send('a', '1')]);
    expect(await settled()).toEqual(['open op', 'open other']);
    expect(await settled('open op')).toEqual([]);
    expect(await settled('open other')).toEqual(['tell op cancel', 'release to a']);
    outbox.post([send('b', '1')]);
    expect(await settled()).toEqual(['release to b']);
  });

  it('keeps the first failure of its world, and does not come to a stop by it', async () => {
    const { outbox, settled } = gated();
    outbox.post([send('a', '1'), send('a', '2')]);
    await settled();
    const first = new Error('the first');
    expect(await settled('release to a', first)).toEqual(['release to a']);
    await settled('release to a', new Error('the second'));
    expect(outbox.empty).toBe(true);
    expect(() => outbox.throwFailure()).toThrow(first);
  });
});

describe('the outbox, with much to carry out at once', () => {
  it('has 50 under way at a time, and carries out all of them in order (Q1, outbox.4, outbox.5)', async () => {
    const sent: string[] = [];
    const answers: (() => void)[] = [];
    const driver: Pick<EntityDriver, 'sendMessage'> = {
      sendMessage: ({ key }) => {
        sent.push(key);
        return new Promise((resolve) => answers.push(() => resolve('delivered')));
      },
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: () => expect.unreachable(),
      reported: () => expect.unreachable(),
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    const keys = Array.from({ length: 5_000 }, (_, number) => `box-${number}`);
    outbox.post(
      keys.map((key): Message => ({ kind: 'send', to: { type: 'Box', key }, message: { kind: 'release', wait: key } })),
    );
    let most = 0;
    while (!outbox.empty) {
      await setImmediate();
      most = Math.max(most, answers.length);
      for (const answer of answers.splice(0)) answer();
      await setImmediate();
    }
    expect(most).toBe(50);
    expect(sent).toEqual(keys);
  });

  /** Posts 100 creations, and what else is given; answers one after the other. Gives what was begun, in order. */
  async function amongCreations(others: readonly Message[], limits?: MessageLimits) {
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const answered = <T>(told: string, answer: T) => {
      begun.push(told);
      return new Promise<T>((resolve) => answers.push(() => resolve(answer)));
    };
    const driver: Pick<EntityDriver, 'createEntity' | 'messageLimits' | 'tellOperation'> = {
      ...(limits && { messageLimits: () => limits }),
      createEntity: ({ key }) => answered<'created'>(key, 'created'),
      tellOperation: (operation, message) =>
        answered<'delivered'>(
          `${operation} ${JSON.stringify('judgements' in message && message.judgements)}`,
          'delivered',
        ),
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: () => expect.unreachable(),
      reported: () => expect.unreachable(),
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    const creations = Array.from({ length: 100 }, (_, number): Message => {
      const key = `box-${number}`;
      return { kind: 'create', to: { type: 'Box', key }, creation: { kind: 'create', key, request } };
    });
    outbox.post([...creations, ...others]);
    const mayBeKept = outbox.mayBeKept;
    await setImmediate();
    while (!outbox.empty) {
      answers.shift()!();
      await setImmediate();
    }
    return { begun, told: begun.filter((each) => each.startsWith('op')), mayBeKept };
  }
  const judged = (id: string, operation = 'op'): Message => ({
    kind: 'tell',
    operation,
    message: { kind: 'judged', judgements: [id], caused: [] },
  });
  const first = Array.from({ length: 50 }, (_, number) => `box-${number}`);

  it('lets creations and all else begin in turn (outbox.5)', async () => {
    const { begun } = await amongCreations([judged('a'), judged('b', 'other')]);
    expect(begun.slice(0, 54)).toEqual([...first, 'op ["a"]', 'box-50', 'other ["b"]', 'box-51']);
  });

  it('tells an operation of judgements that wait for their turn in one message, up to 100 (outbox.7)', async () => {
    const ids = Array.from({ length: 150 }, (_, number) => `${number}`);
    const { told } = await amongCreations(ids.map((id) => judged(id)));
    expect(told).toEqual([`op ${JSON.stringify(ids.slice(0, 100))}`, `op ${JSON.stringify(ids.slice(100))}`]);
  });

  it('tells what a judgement set off in a message of its own, in order (outbox.7, S4.2)', async () => {
    const caused = [{ engagement: 'e', on: 'Box/k', event: 'place' }];
    const setOff: Message = { kind: 'tell', operation: 'op', message: { kind: 'judged', judgements: ['b'], caused } };
    const { told } = await amongCreations([judged('a'), setOff, judged('c')]);
    expect(told).toEqual(['op ["a"]', 'op ["b"]', 'op ["c"]']);
  });

  it('keeps the order of a run that began under other limits (outbox.5, Q2)', async () => {
    const limits = { atOnce: 60, unsentBytes: 1_000 };
    const { begun, mayBeKept } = await amongCreations([judged('a'), judged('b')], limits);
    expect(begun.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, number) => `box-${number}`));
    expect(begun.slice(100)).toEqual(['op ["a"]', 'op ["b"]']);
    expect(mayBeKept).toBe(false);
  });

  it('may be left to the next run when it takes at most 512 KB as JSON (outbox.4, S1.5a)', async () => {
    const big = (label: string): Message => ({
      kind: 'send',
      to,
      message: { kind: 'raise', key: 'k', request: { ...request, params: { label } } },
    });
    const pending = () => new Promise<'delivered'>(() => undefined);
    const outbox = new Outbox({ sendMessage: pending } as unknown as EntityDriver, {
      undeliverable: () => expect.unreachable(),
      reported: () => expect.unreachable(),
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    // The first has begun. Of the others, one is empty, and the other fills what is left of the limit.
    outbox.post([big('first'), big('')]);
    expect(outbox.mayBeKept).toBe(true);
    const left = UNSENT_BYTES - JSON.stringify([big(''), big('')]).length;
    outbox.post([big('y'.repeat(left))]);
    expect(outbox.mayBeKept).toBe(true);
    outbox.post([big('')]);
    expect(outbox.mayBeKept).toBe(false);
  });

  it('leaves the place of what has failed to others (outbox.2, outbox.4)', async () => {
    let sent = 0;
    const driver: Pick<EntityDriver, 'sendMessage'> = {
      sendMessage: async () => {
        sent++;
        throw new Error('the workflow was ended');
      },
    };
    const outbox = new Outbox(driver as EntityDriver, {
      undeliverable: () => undefined,
      reported: () => undefined,
      operationOver: () => undefined,
      noDeployment: () => undefined,
    });
    const messages = Array.from({ length: 1_200 }, (_, number): Message => {
      return { kind: 'send', to: { type: 'Box', key: `${number}` }, message: { kind: 'release', wait: 'w' } };
    });
    outbox.post(messages);
    await until(async () => expect(outbox.empty).toBe(true));
    expect(sent).toBe(1_200);
    expect(() => outbox.throwFailure()).toThrow('the workflow was ended');
  });
});
