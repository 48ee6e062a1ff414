import { describe, expect, it } from 'vitest';
import { implementActions, keyOf, keyPartsOf } from '../../src/definition/index.js';
import { dimensionsOf } from '../../src/kernel/rules/dimensions.js';
import { simulate } from '../../src/simulation/index.js';
import { berth, light, watch } from '../entities/berth-workflows.js';
import { Berth, FIRST, Light, Watch } from '../entities/berth.js';

const parts = { harbour: 'north, quay 1', side: 'left', number: 1 } as const;
const start = () => simulate([berth, watch, light]);

describe('entities whose keys have several parts (S1.1)', () => {
  it('are created, raised, reserved and watched by the parts of their keys', async () => {
    const sim = start();
    await sim.create(Watch, 'w', 'begin');
    await sim.settle();
    expect(sim.read(Watch, 'w')).toMatchObject({
      state: 'Kept',
      properties: { seen: 'north~1 quay 1,left,1: left 1' },
    });
    expect(sim.exists(Berth, { ...FIRST, number: 2 })).toBe(true);
    await sim.raise(Berth, FIRST, 'close');
    await sim.settle();
    expect(sim.exists(Berth, FIRST)).toBe(false);
    expect(keyPartsOf(Berth, sim.read(Berth, keyOf(Berth, FIRST)).key)).toEqual(FIRST);
  });

  it('are found by a part of their key', async () => {
    const sim = start();
    await sim.create(Berth, parts, 'open', {});
    const found = { port: 'north, quay 1', berth_id: 'north~1 quay 1,left,1' };
    expect(dimensionsOf(Berth, sim.read(Berth, parts))).toEqual(found);
  });

  it('name by their parts what they need', async () => {
    const sim = start();
    const of = { harbour: 'north, quay 1', number: 1 };
    await expect(sim.create(Light, of, 'light')).rejects.toMatchObject({ code: 'no_berth' });
    await sim.create(Berth, parts, 'open', {});
    await sim.create(Light, of, 'light');
    expect(sim.read(Light, of).state).toBe('Lit');
  });

  it('are refused to a caller by the name of the part that is wrong, and nothing comes to be', async () => {
    const sim = start();
    const wrong = { ...parts, number: 1.5 };
    const rejection = { code: 'invalid_key', issues: [{ path: 'key.number', message: expect.any(String) as string }] };
    await expect(sim.create(Berth, wrong, 'open', {})).rejects.toMatchObject({ rejection });
    await expect(sim.raise(Berth, wrong, 'close')).rejects.toMatchObject({ rejection });
    await expect(sim.create(Berth, 'north,left,1.5', 'open', {})).rejects.toMatchObject({ rejection });
  });

  it('never come to be by a text that is none of their keys, whoever gives it', async () => {
    const careless = implementActions(Berth, {
      ...berth.actions,
      extend: async (app) => app.create(Berth, 'north', 'open', {}),
    });
    const sim = simulate([careless, watch, light]);
    await sim.create(Berth, parts, 'open', {});
    const taken = await sim.raise(Berth, parts, 'extend', { by: 1 });
    expect(await sim.result(taken)).toMatchObject({ outcome: 'failed', errors: [{ code: 'invalid_key' }] });
    // Its run ends when whoever has asked for it has been told.
    await sim.settle();
    expect(sim.exists(Berth, 'north')).toBe(false);
  });

  it('are refused to an action that gives wrong parts, as a defect that names the part', async () => {
    const careless = implementActions(Berth, { ...berth.actions, open: async (app) => app.goTo('Open') });
    const sim = simulate([careless, watch, light]);
    await sim.create(Berth, parts, 'open', {});
    const taken = await sim.raise(Berth, parts, 'extend', { by: 0.5 });
    expect(await sim.result(taken)).toMatchObject({
      outcome: 'failed',
      errors: [
        { code: 'invalid_key', message: expect.stringMatching(/^This is not a key of Berth: number: /) as string },
      ],
    });
  });
});
