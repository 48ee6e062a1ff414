import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, rejection, terminal, type AnyEntity } from '../../src/definition/index.js';
import { checkModel } from '../../src/definition/model/check.js';
import { describeEntity } from '../../src/definition/describe.js';
import { neededBy, refusalWithout } from '../../src/kernel/rules/need.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const needs = {
  type: 'Box',
  key: z.string().transform((key) => key.split('.')[0]!),
  unless: { Absent: rejection('not_placed', 'Place the box first'), Deleted: rejection('never') },
  absent: rejection('no_box'),
} as const;
const Item = defineEntity('Item', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Lying: terminal() },
  events: { lay: { in: 'Absent', needs }, drop: { in: 'Absent' } },
  actions: { lay: { on: 'lay', in: 'Absent', to: 'Lying' }, drop: { on: 'drop', in: 'Absent', to: 'Lying' } },
});
const item = { type: 'Item', key: 'shelf.hat' };
const lay = { id: 'l', event: 'lay' };
const box = new Puppet(Box, 'shelf').snapshot;

describe('what an entity needs to be there before it comes to be (S2.2, S6.4)', () => {
  it('is named by its own key, for the event that says so', () => {
    expect(neededBy(Item, item, 'lay')).toEqual({ type: 'Box', key: 'shelf' });
    expect(neededBy(Item, item, 'drop')).toBeUndefined();
    expect(neededBy(Item, item, 'toString')).toBeUndefined();
    expect(refusalWithout(Item, item, { id: 'l', event: 'drop' }, undefined)).toBeUndefined();
  });

  it('is refused where no key of it can be made (S1.5a)', () => {
    const short = { ...Item, events: { lay: { ...Item.events.lay, needs: { ...needs, key: z.string().max(3) } } } };
    expect(() => neededBy(short as AnyEntity, item, 'lay')).toThrow(
      "'lay' needs an entity of type Box, but its key cannot be derived from that of Item/shelf.hat: " +
        'Too big: expected string to have <=3 characters.',
    );
    const key = z.string().transform((text) => JSON.parse(text) as string);
    const throwing = { ...Item, events: { lay: { ...Item.events.lay, needs: { ...needs, key } } } };
    expect(() => neededBy(throwing as AnyEntity, item, 'lay')).toThrow(/cannot be derived .* has thrown: SyntaxError/);
  });

  it('refuses the event in the states that are declared, and in no others', () => {
    expect(refusalWithout(Item, item, lay, box)).toStrictEqual({
      ...{ code: 'not_placed', entity: 'Item/shelf.hat', event: 'lay' },
      message: 'Place the box first. Box/shelf is Absent.',
    });
    expect(refusalWithout(Item, item, lay, { ...box, state: 'Placed' })).toBeUndefined();
  });

  it('names the operation that is under way there', () => {
    const busy = { ...box, operation: { id: 'op', open: true, position: '1' } };
    expect(refusalWithout(Item, item, lay, busy)).toMatchObject({ code: 'not_placed', operation: 'op' });
  });

  it('refuses the event when it is not there, or is that of another tenant (S6.5)', () => {
    const message = `'lay' needs Box/shelf. Box/shelf does not exist.`;
    expect(refusalWithout(Item, item, lay, undefined)).toMatchObject({ code: 'no_box', message });
    const asked = { ...lay, actor: { subject: 'alice', tenant: 'acme', roles: [] } };
    const theirs = { ...box, state: 'Placed', tenant: 'other' };
    expect(refusalWithout(Item, item, asked, theirs)).toMatchObject({ code: 'no_box', message });
  });

  it('is told to people, and checked with what it names (S1.5)', () => {
    expect(describeEntity(Item).events[0]).toMatchObject({ name: 'lay', needs: 'Box' });
    const told = (...entities: readonly AnyEntity[]) =>
      checkModel(entities).flatMap(({ place, problem }) => (place.includes('needs') ? [`${place}: ${problem}`] : []));
    expect(told(Item, Box)).toEqual([]);
    expect(told(Item)).toEqual([`Item.events.lay.needs: there is no entity type 'Box'`]);
    expect(told(Item, { ...Box, states: {} })).toEqual([
      `Item.events.lay.needs: Box has no state 'Absent'`,
      `Item.events.lay.needs: Box has no state 'Deleted'`,
    ]);
  });
});
