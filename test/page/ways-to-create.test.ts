import { expect, it } from 'vitest';
import { isForLiving, waysToCreate } from '../../src/page/actions/ways-to-create.js';

const all = (...create: string[]) => ({ create, construct: true });

const states = [
  { name: 'Allocating', initial: true },
  { name: 'Active', initial: false },
];
const events = [
  { name: 'remove', in: ['Allocating', 'Active'] },
  { name: 'create', in: ['Allocating'] },
  { name: 'begin', in: ['Allocating'] },
];
const type = { states, events } as never;
const built = { states, events, construct: {} } as never;

it('a form that creates begins with an event that only creates, or else without an event (S2.1, S6.3)', () => {
  expect(waysToCreate(type, all('remove'))).toEqual([undefined, 'remove']);
  expect(waysToCreate(type, all('remove', 'create'))).toEqual(['create', 'remove']);
  expect(waysToCreate(type, all('remove', 'begin'))).toEqual(['begin', 'remove']);
  expect(waysToCreate(built, all('begin', 'create'))).toEqual(['create', 'begin', undefined]);
  // A role is not offered anything that it may not do.
  expect(waysToCreate(built, { create: ['remove'], construct: false })).toEqual(['remove']);
});

it('an event that is valid at first and later too can be raised on many that live (S6.3)', () => {
  expect(['remove', 'begin', 'none'].map((event) => isForLiving(type, event))).toEqual([true, false, false]);
});
