import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type Fault } from '../../src/simulation/index.js';
import { Box, Room, shelf } from '../entities/box.js';
import { box, room } from '../entities/workflows.js';

const fakes = fakeResource(shelf, { put: ({ name }) => ({ place: name.length }), look: () => ({ place: 70 }) });
const start = () => simulate([box, room], { resources: [fakes] });
const AT_PUT = { entity: 'Box/a', action: 'put', call: 'shelf.put' };

/** A box that is placed while one fault strikes. */
async function placedWith(fault: Fault, at: { readonly [part: string]: string } = AT_PUT) {
  const sim = start();
  sim.inject({ at, fault });
  const taken = await sim.create(Box, 'a', 'place', { label: 'red' });
  await sim.settle();
  return { sim, result: await sim.result(taken), box: sim.read(Box, 'a') };
}

describe('a fault at a named step', () => {
  it.each(['crash', 'lose-answer'] as const)(
    '%s at a call lets it be made again with the same key (S3.4)',
    async (fault) => {
      const { sim, box: after, result } = await placedWith(fault);
      expect(after).toMatchObject({ state: 'Placed', attempt: 0 });
      expect(result.outcome).toBe('success');
      expect(sim.calls).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
      expect(new Set(sim.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    },
  );

  it('fail lets the action be attempted again, with the same key (S3.4, S3.5)', async () => {
    const { sim, box: after } = await placedWith('fail');
    expect(after.state).toBe('Placed');
    expect(sim.calls).toMatchObject([{ attempt: 1, error: 'fault' }, { attempt: 1 }]);
    expect(new Set(sim.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('slow lets virtual time pass until the answer', async () => {
    const fast = await placedWith('slow', { entity: 'Box/b', call: 'shelf.put' });
    const slow = await placedWith('slow');
    expect(slow.sim.now).toBeGreaterThan(fast.sim.now);
    expect(slow.box.state).toBe('Placed');
  });

  it.each(['crash', 'restart'] as const)('%s at a task changes nothing of what comes of it (S4.1)', async (fault) => {
    const { sim, box: after } = await placedWith(fault, { entity: 'Box/a', action: 'begin' });
    expect(after).toMatchObject({ state: 'Placed', version: 2 });
    expect(sim.calls).toHaveLength(1);
    expect(sim.trace.join('\n')).toContain('its worker dies');
  });

  it.each(['delay', 'double'] as const)('%s at a report does no harm (S4.4)', async (fault) => {
    const sim = start();
    sim.inject({ at: { entity: 'Box/a', message: 'report' }, fault });
    const taken = await sim.create(Room, 'r', 'furnish', { boxes: ['a', 'b'] });
    expect(await sim.result(taken)).toMatchObject({ outcome: 'success' });
    await sim.settle();
    expect(sim.read(Room, 'r')).toMatchObject({ state: 'Ready', version: 3 });
  });

  it('strikes at the occurrence that is named, and once', async () => {
    const sim = start();
    sim.inject({ at: { entity: 'Box/a', call: 'shelf.look', occurrence: 2 }, fault: 'fail' });
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    const outcomes: string[] = [];
    for (let count = 0; count < 3; count++) {
      const looked = await sim.raise(Box, 'a', 'look');
      outcomes.push((await sim.result(looked)).outcome);
    }
    expect(outcomes).toEqual(['success', 'failed', 'success']);
  });
});

describe('what an operator does', () => {
  it('a crash by hand is followed by a replay that changes nothing (S4.1)', async () => {
    const sim = start();
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    const before = sim.read(Box, 'a');
    await sim.crash(Box, 'a');
    expect(sim.read(Box, 'a')).toEqual(before);
    await sim.raise(Box, 'a', 'relabel', { label: 'blue' });
    expect(sim.read(Box, 'a').properties).toMatchObject({ label: 'blue' });
  });

  it('an entity that is terminated is gone, and its key can be used again', async () => {
    const sim = start();
    await sim.create(Box, 'a', 'place', { label: 'red' });
    await sim.settle();
    const { life } = sim.read(Box, 'a');
    sim.terminate(Box, 'a');
    await expect(sim.raise(Box, 'a', 'look')).rejects.toMatchObject({ code: 'absent' });
    await sim.create(Box, 'a', 'place', { label: 'blue' });
    await sim.settle();
    expect(sim.read(Box, 'a')).toMatchObject({ state: 'Placed', properties: { label: 'blue' } });
    expect(sim.read(Box, 'a').life).not.toBe(life);
  });
});
