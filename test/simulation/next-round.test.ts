import { describe, expect, it } from 'vitest';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { List, list } from '../entities/list.js';
import { pad } from '../entities/rig.js';
import { seeds } from '../support/seeds.js';

/** Runs a list with faults, against a resource that honours keys. */
async function written(again: 'round' | 'attempt', seed: number) {
  const notes = new Map<string, string>();
  const fake = fakeResource(pad, {
    note: ({ text }, { idempotencyKey }) => {
      if (!notes.has(idempotencyKey)) notes.set(idempotencyKey, text);
      return { text };
    },
  });
  const faults = { crash: 0.2, loseAnswer: 0.2, rollOver: 0.4 };
  const sim = simulate([list], { resources: [fake], seed, faults });
  await sim.create(List, 'l', 'start', { left: ['tea', 'milk', 'bread', 'jam'], again });
  await sim.advance('5m');
  return { notes: [...notes.values()], snapshot: sim.read(List, 'l') };
}

describe('an automatic action that goes to its own state (S3.4)', () => {
  it.each(seeds(10))('does each piece of work once in rounds, with seed %i', async (seed) => {
    const { notes, snapshot } = await written('round', seed);
    expect(notes).toEqual(['tea', 'milk', 'bread', 'jam']);
    expect(snapshot.state).toBe('Done');
  });

  it.each(seeds(10))('skips nothing in attempts, in whatever run they are made, with seed %i', async (seed) => {
    const { notes, snapshot } = await written('attempt', seed);
    expect(notes).toEqual(['tea']);
    expect(snapshot).toMatchObject({ state: 'Writing', exhausted: true, lastError: { code: 'key_reused' } });
    expect(snapshot.properties['left']).toEqual(['milk', 'bread', 'jam']);
  });
});
