import { describe, expect, it } from 'vitest';
import { implementActions } from '../../src/definition/index.js';
import { fakeResource, InvariantViolated, ResourceError, simulate } from '../../src/simulation/index.js';
import { Box, Room, shelf } from '../entities/box.js';
import { vault } from '../entities/vault-workflows.js';
import { Vault } from '../entities/vault.js';
import { box, room } from '../entities/workflows.js';

const fakes = fakeResource(shelf, { put: ({ name }) => ({ place: name.length }), look: () => ({ place: 70 }) });
const start = () => simulate([box, room], { resources: [fakes] });

/** The error with which something ends, or undefined when it ends well. */
const thrownBy = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );

describe('a simulation', () => {
  it('runs an entity from its creation to its deletion (Q4)', async () => {
    const sim = start();
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    expect(sim.read(Box, 'a')).toMatchObject({ state: 'Placed', properties: { place: 1, label: 'red' } });
    const looked = await sim.raise(Box, 'a', 'look');
    expect(await sim.result(looked)).toMatchObject({ outcome: 'success' });
    await sim.signal(Box, 'a', 'relabel', { label: 'blue' });
    expect(sim.read(Box, 'a').properties).toEqual({ place: 70, label: 'blue' });
    await sim.raise(Box, 'a', 'remove');
    await sim.settle();
    expect(sim.read(Box, 'a').state).toBe('Deleted');
    await expect(sim.raise(Box, 'a', 'look')).rejects.toMatchObject({ code: 'absent' });
  });

  it('lets no time pass for what is there already (Q4)', async () => {
    const sim = simulate([box], { resources: [fakes], restAfter: '10m' });
    const placed = await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.advance('1m');
    const { now } = sim;
    await sim.result(placed);
    await sim.cancel(placed.requestId);
    expect(sim.now).toBe(now);
  });

  it('says which fake returned an invalid value, and where (Q4)', async () => {
    const put = () => ({ place: 'top' }) as unknown as { place: number };
    const wrong = fakeResource(shelf, { put, look: () => ({ place: 70 }) });
    const sim = simulate([box, room], { resources: [wrong] });
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    expect(sim.read(Box, 'a').failure).toMatchObject({
      code: 'invalid_output',
      message:
        "The fake of 'shelf.put' returned an invalid value: place: Invalid input: expected number, received string.",
    });
  });

  it('takes any number of events, as long as time goes on (Q4)', async () => {
    const sim = start();
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    for (let number = 1; number <= 5_500; number++) {
      await sim.raise(Box, 'a', 'relabel', { label: String(number) });
      await sim.advance('1ms');
    }
    expect(sim.read(Box, 'a').properties).toMatchObject({ label: '5500' });
  });

  it('follows an operation through all entities to its result (S4.2)', async () => {
    const sim = start();
    const taken = await sim.create(Room, 'r', 'furnish', { boxes: ['a', 'b'] });
    const result = await sim.result(taken);
    expect(result).toMatchObject({ outcome: 'success' });
    expect(result.participants.map(({ type, key, state }) => `${type}/${key} ${state}`).sort()).toEqual([
      'Box/a Placed',
      'Box/b Placed',
      'Room/r Ready',
    ]);
  });

  it('lets virtual time pass, and nothing happen before its time (S3.5)', async () => {
    let left = 2;
    const failing = fakeResource(shelf, {
      put: ({ name }) => {
        if (left-- > 0) throw new ResourceError('shelf_full', 'no room');
        return { place: name.length };
      },
      look: () => ({ place: 70 }),
    });
    const sim = simulate([box], { resources: [failing] });
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.advance('99ms');
    expect(sim.read(Box, 'a')).toMatchObject({ state: 'Placing', attempt: 1, lastError: { code: 'shelf_full' } });
    await sim.advance('1ms');
    expect(sim.read(Box, 'a')).toMatchObject({ state: 'Placing', attempt: 2 });
    const before = sim.now;
    await sim.settle();
    expect(sim.now - before).toBe(200);
    expect(sim.read(Box, 'a').state).toBe('Placed');
  });

  it('takes what is raised at the same time, and answers each (S4.6)', async () => {
    const sim = start();
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    const taken = await Promise.all(
      ['x', 'y', 'z'].map((label) => sim.raise(Box, 'a', 'relabel', { label }, { requestId: label })),
    );
    expect(taken.map(({ requestId, answer }) => [requestId, answer.status])).toEqual([
      ['x', 'accepted'],
      ['y', 'accepted'],
      ['z', 'accepted'],
    ]);
    const answers = await sim.raiseAll({ type: 'Box', key: 'a' }, [
      { id: 'x', event: 'relabel', params: { label: 'x' } },
      { id: 'late', event: 'place', params: { label: 'green' } },
    ]);
    expect(answers).toMatchObject([
      { status: 'accepted', operation: 'x' },
      { status: 'rejected', rejection: { code: 'already_done' } },
    ]);
  });

  it('makes the same choices with the same seed, and others with another', async () => {
    const faults = { crash: 0.2, fail: 0.2, loseAnswer: 0.2, slow: 0.2, delay: 0.2, double: 0.2, rollOver: 0.2 };
    const traceOf = async (seed: number) => {
      const sim = simulate([box, room], { seed, faults, resources: [fakes] });
      await sim.create(Room, 'r', 'furnish', { boxes: ['a', 'b', 'c'] });
      await sim.settle();
      return sim.trace;
    };
    const first = await traceOf(7);
    expect(await traceOf(7)).toEqual(first);
    expect(await traceOf(8)).not.toEqual(first);
  });

  it('says what waits when something never settles', async () => {
    const sim = simulate([box, room], { resources: [fakes] });
    await sim.create(Room, 'r', 'furnish', { boxes: [] });
    const error = await thrownBy(sim.settle());
    expect(error).toBeInstanceOf(InvariantViolated);
    expect(String(error)).toContain('Room/r: it waits in Waiting for its successors: it has none');
    expect(String(error)).toContain('op/request-1 has not ended: Room/r waits in Waiting');
    expect(String(error)).toContain('Seed 1');
  });

  it('says which call has no fake', async () => {
    const sim = simulate([box]);
    const error = await thrownBy(sim.create(Box, 'a', 'place', { label: 'red' }).then(() => sim.settle()));
    expect(String(error)).toContain(
      "'shelf.put' is called, and the simulation has no fake for it. Add fakeResource(shelf",
    );
  });

  it('reports an action that does otherwise when it is replayed, with the place', async () => {
    let executions = 0;
    const forgetful = implementActions(Box, {
      ...box.actions,
      put: async (app) => {
        const { place } = await app.call(shelf.put, { name: `execution ${++executions}` });
        app.properties.place = place;
        return app.goTo('Placed');
      },
    });
    const sim = simulate([forgetful], { resources: [fakes] });
    sim.inject({ at: { entity: 'Box/a', call: 'shelf.put' }, fault: 'crash' });
    const error = await thrownBy(sim.create(Box, 'a', 'place', { label: 'red' }).then(() => sim.settle()));
    expect(error).toMatchObject({ invariant: 'a replay does the same' });
    expect(String(error)).toMatch(
      /at Box\/a, task 2 of its run, command \d: it was\n.*execution 1.*\nand is\n.*execution 2/,
    );
  });
});

describe('who raises an event in a simulation', () => {
  const actor = (tenant: string, ...roles: readonly string[]) => ({ actor: { subject: 'alice', tenant, roles } });
  const codeOf = (work: Promise<unknown>) => thrownBy(work).then((thrown) => (thrown as { code?: string })?.code);

  it('is an actor with a tenant and roles, whose events are rejected where they may not raise them (S6.5)', async () => {
    const sim = simulate([vault], { resources: [fakes] });
    const open = (key: string, options: object) => sim.create(Vault, key, 'open', options);
    expect(await codeOf(open('a', actor('acme', 'reader')))).toBe('not_allowed');
    await open('a', actor('acme', 'owner'));
    await open('b', { tenant: 'rival' });
    await sim.settle();
    expect([sim.read(Vault, 'a').tenant, sim.read(Vault, 'b').tenant]).toEqual(['acme', 'rival']);
    const touch = (key: string) => sim.raise(Vault, key, 'touch', actor('acme', 'owner'));
    expect((await touch('a')).answer.status).toBe('accepted');
    expect(await codeOf(touch('b'))).toBe('another_tenant');
  });
});
