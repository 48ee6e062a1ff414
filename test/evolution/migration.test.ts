import { describe, expect, it } from 'vitest';
import { migrateContents, migrationHindrance, olderContents } from '../../src/kernel/index.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { simulate, type Simulation } from '../../src/simulation/index.js';
import { worldOf } from '../../src/simulation/simulation.js';
import { defineEntity } from '../../src/definition/index.js';
import { FirstSubscriber, firstSubscriber, Subscriber, subscriber } from '../entities/subscriber.js';

const KEY = 'ann';
/** Its runs end when it has rested so long, or up to twice as long, and it is of a newer build from then on. */
const REST = '5s';

async function paying(): Promise<Simulation> {
  const sim = simulate([firstSubscriber], { restAfter: REST });
  await sim.create(FirstSubscriber, KEY, 'subscribe', { name: 'Ann' });
  await sim.raise(FirstSubscriber, KEY, 'pay', { months: 3 }, { requestId: 'first-payment' });
  await sim.settle();
  return sim;
}

async function moveOn(sim: Simulation): Promise<void> {
  await sim.advance('11s');
  await sim.settle();
}

const withoutWayBack = {
  ...Subscriber,
  migrations: Object.fromEntries(
    Object.entries(Subscriber.migrations).map(([schema, each]) => [
      schema,
      typeof each === 'function' ? each : each.up,
    ]),
  ),
} as typeof Subscriber;

const migrations = (sim: Simulation) =>
  worldOf(sim)
    .records()
    .filter((record) => record.kind === 'transition' && record.type === 'Migration');

describe('an entity of an older schema', () => {
  it('Q2 comes to the newer one when a run begins, by one transition with rows of its own', async () => {
    const sim = await paying();
    const before = sim.read(FirstSubscriber, KEY);
    sim.replace([subscriber]);
    await sim.advance('11s');
    expect(sim.read(Subscriber, KEY)).toMatchObject({
      schema: 3,
      state: 'Active',
      version: before.version + 1,
      properties: { fullName: 'Ann', plan: 'basic', credits: 30 },
      links: { title: 'weekly' },
      ledger: before.ledger,
    });
    expect(migrations(sim)).toMatchObject([
      { type: 'Migration', startState: 'Paying', endState: 'Active', ordinal: 1, outcome: 'success' },
    ]);
    const [{ operation }] = migrations(sim) as unknown as [{ operation: string }];
    const event = worldOf(sim)
      .records()
      .find((record) => record.kind === 'event' && record.operation === operation);
    expect(event).toMatchObject({ event: 'reeve_migrate', endState: 'Active', ends: { outcome: 'success' } });
  });

  it('Q2 knows the requests that it has had, under the old name of the event and under the new one', async () => {
    const sim = await paying();
    sim.replace([subscriber]);
    await moveOn(sim);
    const again = { params: { months: 3 }, requestId: 'first-payment' };
    expect((await sim.raiseAny(Subscriber, KEY, 'pay', again)).answer).toMatchObject({ repeated: true });
    expect((await sim.raiseAny(Subscriber, KEY, 'topUp', again)).answer).toMatchObject({ repeated: true });
    await expect(sim.raiseAny(Subscriber, KEY, 'topUp', { ...again, params: { months: 4 } })).rejects.toMatchObject({
      code: 'request_conflict',
    });
    await sim.raiseAny(Subscriber, KEY, 'pay', { params: { months: 1 } });
    await sim.settle();
    expect(sim.read(Subscriber, KEY).properties.credits).toBe(40);
  });

  it('Q2 goes to another state where the migration leads, and its old deadline is over', async () => {
    const sim = await paying();
    await sim.raise(FirstSubscriber, KEY, 'pause');
    await sim.settle();
    const { enteredAt } = sim.read(FirstSubscriber, KEY);
    sim.replace([subscriber]);
    await moveOn(sim);
    const after = sim.read(Subscriber, KEY);
    expect(after.state).toBe('Lapsed');
    expect(after.enteredAt).toBeGreaterThan(enteredAt);
  });

  it('Q2 S4.5 a deadline that it never had runs from the migration on, one that ran goes on', async () => {
    const sim = await paying();
    await sim.create(FirstSubscriber, 'bob', 'subscribe', { name: 'Bob' });
    await sim.advance('20m');
    sim.replace([subscriber]);
    // Both have rested long ago: only a new event brings them to a new run.
    await sim.raise(FirstSubscriber, KEY, 'pay', { months: 1 });
    await sim.advance('7s');
    expect(sim.read(Subscriber, KEY).state).toBe('Active');
    await sim.advance('9m');
    expect(sim.read(Subscriber, KEY).state).toBe('Active');
    await sim.advance('2m');
    expect(sim.read(Subscriber, KEY).state).toBe('Lapsed');
  });

  it('Q2 keeps its run while an action runs, is postponed or something is reserved', () => {
    const snapshot = { holds: [], deployments: [] } as unknown as Snapshot;
    const until = { wait: 'w', until: 0 };
    expect(migrationHindrance(snapshot)).toBeUndefined();
    expect(migrationHindrance({ ...snapshot, running: { action: 'renew' } as never })).toContain("'renew' runs");
    expect(migrationHindrance({ ...snapshot, running: { action: 'renew', seals: [] } as never })).toContain(
      'committed',
    );
    expect(migrationHindrance({ ...snapshot, postponed: { running: { action: 'renew' } } as never })).toContain(
      'postponed',
    );
    expect(
      migrationHindrance({ ...snapshot, reservation: { owner: { type: 'Clerk', key: 'one' } } as never }),
    ).toContain('the reservation by Clerk/one');
    expect(
      migrationHindrance({ ...snapshot, holds: [{ ...until, on: { type: 'Box', key: 'b' } } as never] }),
    ).toContain('has reserved Box/b');
  });

  it('Q2 stays as it is where its migration throws or gives what is wrong, and the problem says so', () => {
    const snapshot = {
      ...{ type: 'Subscriber', key: KEY, state: 'Paying', holds: [] },
      ...{ properties: { name: 'Ann', plan: 'basic', months: 3 }, links: {}, subordinates: {} },
    } as unknown as Snapshot;
    const before = JSON.stringify(snapshot);
    const problemOf = (migration: (old: never) => unknown) => {
      const result = migrateContents({ ...Subscriber, migrations: { 2: migration as never, 3: () => ({}) } }, snapshot);
      expect(JSON.stringify(snapshot)).toBe(before);
      return result.migrated ? undefined : result.problem;
    };
    expect(
      problemOf(({ properties }: { properties: Record<string, unknown> }) => {
        properties['name'] = 'lost';
        throw new Error('no such plan');
      }),
    ).toMatch(
      /Subscriber\/ann was not brought to schema 2: its migration throws 'no such plan'\. It stays at schema 1/,
    );
    expect(problemOf(() => 7)).toContain('gives 7');
    expect(problemOf(() => Promise.resolve({}))).toContain("gives 'then'");
    expect(problemOf(() => ({ porperties: {} }))).toContain("gives 'porperties'");
    expect(problemOf(() => ({ state: 'Nowhere' }))).toContain("the state 'Nowhere'");
    expect(problemOf(() => ({ properties: { credits: 'many' } }))).toContain('properties.credits');
    expect(problemOf(() => ({ links: { other: 'x' } }))).toContain('links.other: there is no such link');
  });

  it('Q2 goes back to the build before, where its migrations lead back, and knows the requests of both', async () => {
    const sim = await paying();
    sim.replace([subscriber]);
    await moveOn(sim);
    await sim.raise(Subscriber, KEY, 'topUp', { months: 2 }, { requestId: 'on-the-new-build' });
    await sim.settle();
    const before = sim.read(Subscriber, KEY);
    sim.replace([firstSubscriber]);
    await moveOn(sim);
    const after = sim.read(FirstSubscriber, KEY);
    expect(after).toMatchObject({
      schema: 1,
      state: 'Paying',
      version: before.version + 1,
      entry: before.entry,
      properties: { name: 'Ann', plan: 'basic', months: 5 },
      links: { magazine: 'weekly' },
      ledger: before.ledger,
    });
    expect(Object.keys(after.properties)).not.toContain('credits');
    expect(migrations(sim)).toMatchObject([
      { startState: 'Paying', endState: 'Active' },
      { startState: 'Active', endState: 'Paying', outcome: 'success' },
    ]);
    for (const [requestId, months] of [
      ['first-payment', 3],
      ['on-the-new-build', 2],
    ] as const)
      expect((await sim.raiseAny(FirstSubscriber, KEY, 'pay', { params: { months }, requestId })).answer).toMatchObject(
        {
          repeated: true,
        },
      );
    sim.replace([subscriber]);
    await sim.raise(FirstSubscriber, KEY, 'pay', { months: 1 });
    await moveOn(sim);
    expect(sim.read(Subscriber, KEY)).toMatchObject({ schema: 3, state: 'Active', properties: { credits: 60 } });
  });

  it('Q2 goes back to another state where that leads, as if it had just entered it', async () => {
    const sim = await paying();
    sim.replace([subscriber]);
    await moveOn(sim);
    await sim.raise(Subscriber, KEY, 'topUp', { months: 1 });
    await sim.raise(Subscriber, KEY, 'lapse');
    await sim.settle();
    const { entry, state } = sim.read(Subscriber, KEY);
    expect(state).toBe('Lapsed');
    sim.replace([firstSubscriber]);
    await moveOn(sim);
    expect(sim.read(FirstSubscriber, KEY)).toMatchObject({ state: 'Paused', entry: entry + 1 });
  });

  it('Q2 stays on its build where its way back throws, and the problem says so', () => {
    const snapshot = {
      ...{ type: 'Subscriber', key: KEY, schema: 3, state: 'Active', holds: [] },
      ...{ properties: { fullName: 'Ann', plan: 'basic', credits: 3 }, links: {}, subordinates: {} },
    } as unknown as Snapshot;
    const broken = {
      up: () => ({}),
      down: () => {
        throw new Error('no such plan');
      },
    };
    const migrationsOf = (down: unknown) => ({ ...Subscriber.migrations, 3: down as never });
    expect(olderContents({ ...Subscriber, migrations: migrationsOf(broken) }, snapshot)).toEqual({
      found: false,
      problem:
        "Subscriber/ann stays on its build: its 'down' from schema 3 throws 'no such plan'. Fix the migrations of Subscriber.",
    });
    const deployed = { ...snapshot, state: 'Lapsed', deployments: [{}] } as never;
    expect(olderContents(Subscriber, deployed)).toMatchObject({ found: false });
    expect(olderContents({ ...Subscriber, migrations: migrationsOf(() => ({})) }, snapshot)).toEqual({
      found: true,
      older: {},
    });
  });

  it('Q2 a newer schema met by an older build, to which nothing leads back, fails the task, never the entity', async () => {
    const sim = simulate([{ ...subscriber, entity: withoutWayBack }], { restAfter: REST });
    await sim.create(Subscriber, KEY, 'subscribe', { name: 'Ann' });
    sim.replace([firstSubscriber]);
    await expect(moveOn(sim)).rejects.toThrow(/was migrated to schema 3 of Subscriber. This build has schema 1/);
  });
});

describe('a declaration', () => {
  const problems = (change: object) => {
    try {
      defineEntity('Subscriber', { ...(FirstSubscriber as object), name: undefined, ...change } as never);
      return [];
    } catch (thrown) {
      return (thrown as { problems: readonly { place: string; problem: string }[] }).problems.map(
        ({ place, problem }) => `${place} ${problem}`,
      );
    }
  };
  const step = () => ({});

  it('Q2 S1.5 says how entities come to each schema, without a gap', () => {
    expect(problems({ schema: 2 })).toEqual(['schema is 2, but there is no migration']);
    expect(problems({ schema: 3, migrations: { 3: step } })).toEqual([]);
    expect(problems({ schema: 4, migrations: { 2: step, 4: step } })).toEqual([
      'migrations.3 is missing: each schema up to 4 needs a migration to it',
    ]);
    expect(problems({ schema: 3, migrations: { 2: step } })[0]).toContain('migrations.3 is missing');
    expect(problems({ schema: 2, migrations: { 2: step, 3: step } })).toEqual([
      'migrations.3 is higher than the schema, 2',
    ]);
    expect(problems({ schema: 2, migrations: { 1: step, 2: step } })[0]).toContain(
      'migrations.1 is not a valid schema number',
    );
    expect(problems({ schema: 2, migrations: { 2: { up: step, down: step } } })).toEqual([]);
    for (const wrong of [7, { up: step }, { up: step, down: step, by: step }, null])
      expect(problems({ schema: 2, migrations: { 2: wrong } })).toEqual([
        'migrations.2 is neither a function nor { up, down } with two functions',
      ]);
    expect(problems({ schema: 0 })[0]).toContain('schema is less than 1');
  });

  it('Q2 S1.5 renames from what is gone to what is declared', () => {
    const renamed = (names: object) => problems({ schema: 2, migrations: { 2: step }, renamed: names });
    expect(renamed({ states: { Running: 'Paying' }, events: { charge: 'pay' } })).toEqual([]);
    expect(renamed({ states: { Trial: 'Paying' } })).toEqual(['renamed.states.Trial is still declared']);
    expect(renamed({ properties: { title: 'label' } })).toEqual([
      "renamed.properties.title leads to 'label', which is not declared",
    ]);
    expect(problems({ renamed: { links: { paper: 'magazine' } } })).toEqual([
      'renamed.links changes nothing in schema 1',
    ]);
    expect(problems({ renamed: { events: { charge: 'pay' } } })).toEqual([]);
  });
});
