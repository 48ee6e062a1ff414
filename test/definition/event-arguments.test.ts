import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, type AnyEntity } from '../../src/definition/index.js';
import { simulate } from '../../src/simulation/index.js';

const Door = defineEntity('Door', {
  key: z.string(),
  construct: z.object({ colour: z.string() }),
  properties: z.object({ colour: z.string(), width: z.number().default(1) }),
  states: { Shut: initial(), Burnt: terminal() },
  events: { knock: { in: 'Shut' }, widen: { params: z.object({ by: z.number() }), in: 'Shut' }, burn: { in: 'Shut' } },
  actions: {
    knock: { on: 'knock', in: 'Shut' },
    widen: { on: 'widen', in: 'Shut' },
    burn: { on: 'burn', in: 'Shut', to: 'Burnt' },
  },
});
const door = implementActions(Door, {
  knock: async () => undefined,
  widen: async (app, { params }) => {
    app.properties.width += params.by;
  },
  burn: async (app) => app.goTo('Burnt'),
});

const Porter = defineEntity('Porter', {
  key: z.string(),
  properties: z.object({}),
  states: { Here: initial(), Gone: terminal() },
  events: { come: { in: 'Here' }, stumble: { in: 'Here' } },
  actions: { come: { on: 'come', in: 'Here' }, stumble: { on: 'stumble', in: 'Here', to: 'Gone' } },
});
const porter = implementActions(Porter, {
  come: async (app) => {
    await app.createAndWait(Door, 'front', 'knock', { construct: { colour: 'red' }, within: '1m' });
    await app.raiseAndWait(Door, 'front', 'widen', { by: 2 }, { within: '1m', role: 'front' });
    await app.raiseAndWait(Door, 'front', 'knock', { within: '1m', role: 'front' });
    app.create(Door, 'back', 'knock', { construct: { colour: 'blue' }, role: 'back' });
    app.raise(Door, 'cellar', 'knock', { mayBeRejected: true });
  },
  stumble: async (app) => {
    const old = [undefined, { mayBeRejected: true }] as unknown as [{ mayBeRejected: true }];
    app.raise(Door, 'cellar', 'knock', ...old);
  },
});

const start = () => simulate([door, porter]);

describe('what is given for an event (S2.1)', () => {
  it('is its options alone where it takes no parameters, in actions and outside', async () => {
    const sim = start();
    const construct = { colour: 'green' };
    expect(await sim.create(Porter, 'p', 'come', { requestId: 'first' })).toMatchObject({ requestId: 'first' });
    await sim.settle();
    expect(sim.read(Porter, 'p').successors.map(({ key, role }) => ({ key, role }))).toEqual([
      { key: 'front', role: 'front' },
      { key: 'back', role: 'back' },
      { key: 'cellar', role: undefined },
    ]);
    expect(['front', 'back'].map((key) => sim.read(Door, key).properties)).toEqual([
      { colour: 'red', width: 3 },
      { colour: 'blue', width: 1 },
    ]);
    await sim.create(Door, 'side', 'knock', { construct, requestId: 'made' });
    const taken = await sim.raise(Door, 'side', 'widen', { by: 1 }, { requestId: 'wider' });
    expect(taken).toMatchObject({ requestId: 'wider' });
    expect(sim.read(Door, 'side').properties).toEqual({ colour: 'green', width: 2 });
  });

  it('is refused when options follow something that the event does not take, so that none are lost', async () => {
    const sim = start();
    const old = [undefined, { requestId: 'lost' }] as unknown as [];
    const problem = "'come' of Porter takes no parameters: its options come directly after it, and nothing else.";
    await expect(sim.create(Porter, 'p', 'come', ...old)).rejects.toThrow(new TypeError(problem));
    expect(sim.exists(Porter, 'p')).toBe(false);

    expect(await sim.result(await sim.create(Porter, 'p', 'stumble'))).toMatchObject({ outcome: 'failed' });
    expect(sim.read(Porter, 'p').lastError).toMatchObject({
      kind: 'defect',
      message: expect.stringContaining("'knock' of Door takes no parameters"),
    });
  });

  it('can be given as data by code that treats all types alike, and is checked by the entity', async () => {
    const sim = start();
    const any: AnyEntity = Door;
    await sim.createAny(any, 'd', 'knock', { construct: { colour: 'red' }, requestId: 'made' });
    expect(await sim.raiseAny(any, 'd', 'widen', { params: { by: 1 }, requestId: 'r' })).toMatchObject({
      requestId: 'r',
    });
    expect(sim.read(any, 'd').properties).toEqual({ colour: 'red', width: 2 });
    await expect(sim.raiseAny(any, 'd', 'knock', { params: { by: 1 } })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
  });
});
