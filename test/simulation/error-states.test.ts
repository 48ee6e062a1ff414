import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, deleted, implementActions, initial, stable, unstable } from '../../src/definition/index.js';
import { simulate } from '../../src/simulation/index.js';

const Node = defineEntity('Node', {
  key: z.string(),
  properties: z.object({ maintenance: z.boolean().default(false) }),
  states: {
    Up: initial(stable()),
    Failed: stable({ health: 'error' }),
    Worse: stable({ health: 'error' }),
    Mending: unstable(),
    Gone: deleted(),
  },
  events: {
    fail: { in: 'Up' },
    refuse: { in: 'Up' },
    maintain: { in: ['Up', 'Failed'], stays: true },
    look: { in: 'Failed' },
    worsen: { in: 'Failed' },
    mend: { in: 'Failed', params: z.object({ to: z.enum(['Up', 'Failed']) }) },
    report: { in: 'Failed' },
    end: { in: ['Up', 'Failed', 'Worse'] },
  },
  actions: {
    fail: { on: 'fail', in: 'Up', to: 'Failed' },
    refuse: { on: 'refuse', in: 'Up' },
    maintain: { on: 'maintain', in: ['Up', 'Failed'] },
    look: { on: 'look', in: 'Failed' },
    worsen: { on: 'worsen', in: 'Failed', to: 'Worse' },
    mend: { on: 'mend', in: 'Failed', to: 'Mending' },
    mending: { in: 'Mending', to: ['Up', 'Failed'] },
    report: { on: 'report', in: 'Failed' },
    end: { on: 'end', in: ['Up', 'Failed', 'Worse'], to: 'Gone' },
  },
});

let mendsTo: 'Up' | 'Failed' = 'Up';
const node = implementActions(Node, {
  fail: async (self) => self.goTo('Failed'),
  refuse: async (self) => self.giveUp({ code: 'in_maintenance', message: 'It is in maintenance.' }),
  maintain: async (self) => {
    self.properties.maintenance = true;
  },
  look: async () => undefined,
  worsen: async (self) => self.goTo('Worse'),
  mend: async (self, { params }) => {
    mendsTo = params.to;
    return self.goTo('Mending');
  },
  mending: async (self) => self.goTo(mendsTo),
  report: async (self) => self.giveUp({ code: 'hopeless', message: 'no way' }),
  end: async (self) => self.goTo('Gone'),
});

/** A parent whose one operation raises two events on its node. */
const Rack = defineEntity('Rack', {
  key: z.string(),
  properties: z.object({}),
  states: { Empty: initial(), Wired: stable(), Gone: deleted() },
  events: {
    wire: { in: ['Empty', 'Wired'], params: z.object({ events: z.array(z.enum(['fail', 'maintain'])) }) },
    end: { in: 'Wired' },
  },
  actions: {
    wire: { on: 'wire', in: ['Empty', 'Wired'], to: 'Wired', raises: ['Node.fail', 'Node.maintain'] },
    end: { on: 'end', in: 'Wired', to: 'Gone' },
  },
});
const rack = implementActions(Rack, {
  wire: async (self, { params }) => {
    for (const event of params.events) await self.raiseAndWait(Node, 'n', event, { within: '1m' });
    return self.goTo('Wired');
  },
  end: async (self) => self.goTo('Gone'),
});

async function failedNode() {
  const all = simulate([node, rack], {});
  await all.construct(Node, 'n', {});
  return { all };
}

describe('an event on an entity in an error state (S5.1)', () => {
  it('has not failed where it declares no healthy target, or stays', async () => {
    const { all } = await failedNode();
    const raise = async (event: 'fail' | 'maintain' | 'look' | 'worsen' | 'end') =>
      all.result(await all.raise(Node, 'n', event));
    expect(await raise('fail')).toMatchObject({ outcome: 'failed', errors: [{ code: 'error_state' }] });
    for (const event of ['maintain', 'look', 'worsen'] as const) {
      expect(await raise(event), event).toMatchObject({ outcome: 'success', errors: [] });
    }
    expect(all.read(Node, 'n')).toMatchObject({ state: 'Worse', properties: { maintenance: true } });
  });

  it('has failed where it declares a healthy target and does not reach one, or reports an error', async () => {
    const { all } = await failedNode();
    await all.raise(Node, 'n', 'fail');
    const mended = async (to: 'Up' | 'Failed') => all.result(await all.raise(Node, 'n', 'mend', { to }));
    expect(await mended('Failed')).toMatchObject({ outcome: 'failed', errors: [{ code: 'error_state' }] });
    expect(await all.result(await all.raise(Node, 'n', 'report'))).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'hopeless' }],
    });
    expect(await mended('Up')).toMatchObject({ outcome: 'success', errors: [] });
  });

  it('has failed where the same operation has led the entity into the error state, and only there', async () => {
    const { all } = await failedNode();
    const wired = async (key: string, ...events: readonly ('fail' | 'maintain')[]) =>
      all.result(await all.create(Rack, key, 'wire', { events: [...events] }));
    expect(await wired('a', 'fail', 'maintain')).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'error_state', entity: 'Node/n' }],
    });
    expect(await wired('b', 'maintain')).toMatchObject({ outcome: 'success', errors: [] });
  });
});

it('an action that gives up leaves no failure on an entity that rests in a healthy state (S5.4)', async () => {
  const { all } = await failedNode();
  expect(await all.result(await all.raise(Node, 'n', 'refuse'))).toMatchObject({
    outcome: 'failed',
    errors: [{ code: 'in_maintenance' }],
  });
  expect(all.read(Node, 'n').failure).toBeUndefined();
  await all.raise(Node, 'n', 'fail');
  await all.result(await all.raise(Node, 'n', 'report'));
  expect(all.read(Node, 'n').failure).toMatchObject({ code: 'hopeless' });
});
