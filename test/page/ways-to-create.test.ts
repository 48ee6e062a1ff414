import { expect, it } from 'vitest';
import { isForLiving, waysToCreate } from '../../src/page/actions/ways-to-create.js';

const all = (...create: string[]) => ({ create, construct: true });

it('a form that creates begins with create, or else without an event, whatever else is valid at first (S2.1, S6.3)', () => {
  expect(waysToCreate({ creation: ['remove'] }, all('remove'))).toEqual([undefined, 'remove']);
  expect(waysToCreate({ creation: ['remove', 'create'] }, all('remove', 'create'))).toEqual(['create', 'remove']);
  const built = { creation: ['remove', 'create'], construct: {} };
  expect(waysToCreate(built, all('remove', 'create'))).toEqual(['create', undefined, 'remove']);
  // What a role may not do, it is not offered.
  expect(waysToCreate(built, { create: ['remove'], construct: false })).toEqual(['remove']);
});

it('an event that is valid at first and later too can be raised on many that live (S6.3)', () => {
  const states = [
    { name: 'Allocating', initial: true },
    { name: 'Active', initial: false },
  ];
  const events = [
    { name: 'remove', in: ['Allocating', 'Active'] },
    { name: 'begin', in: ['Allocating'] },
  ];
  const type = { states, events } as never;
  expect(['remove', 'begin', 'none'].map((event) => isForLiving(type, event))).toEqual([true, false, false]);
});
