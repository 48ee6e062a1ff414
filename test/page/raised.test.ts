import { expect, it } from 'vitest';
import { isDestructive } from '../../src/cli/explanation/reach/destructive.js';
import { raisedBy } from '../../src/cli/explanation/reach/raised.js';
import { describeEntity } from '../../src/definition/describe.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';

const [server, database] = [LogicalServer, LogicalDatabase].map((each) => describeEntity(each) as never);

it('an event that ends an entity names the events that its declaration may raise on others (S6.3)', () => {
  const { events, undeclared } = raisedBy(server!, 'Ready', 'delete');
  expect(Object.fromEntries(events)).toEqual({
    LogicalDatabase: ['deleteWithServer'],
    DnsRecord: ['delete'],
    Alias: ['delete'],
    DatabaseService: ['delete'],
    SqlApplication: ['delete'],
  });
  expect(undeclared).toEqual([]);
  expect(isDestructive(database!, 'deleteWithServer')).toBe(true);
});

it('the server of a deleted database gets an event that does not end it (S6.3)', () => {
  expect(raisedBy(database!, 'Ready', 'delete').events.get('LogicalServer')).toEqual(['detachDatabase']);
  expect(isDestructive(server!, 'detachDatabase')).toBe(false);
});

it.each(controlPlaneModule.entities.map((each) => [each.name, each] as const))(
  'every action of %s declares what it raises on others, so that no dialog has to tell that it is unknown (S6.3)',
  (_, each) => {
    expect(Object.entries(each.actions).flatMap(([name, { raises }]) => (raises ? [] : [name]))).toEqual([]);
  },
);

it('only actions of the present state count, with those that follow automatically, and a silent one is named (S6.3)', () => {
  const states = [
    { name: 'Ready', stability: 'stable' },
    { name: 'Emptying', stability: 'unstable' },
    { name: 'Removing', stability: 'unstable' },
    { name: 'Gone', stability: 'stable', ending: 'deleted' },
  ];
  const actions = [
    { name: 'begin', on: 'remove', in: ['Ready'], to: ['Emptying'], raises: [] },
    {
      name: 'empty',
      in: ['Emptying'],
      to: ['Emptying', 'Removing'],
      raises: ['Shelf.clear', 'Shelf.close', 'Clerk.tell'],
    },
    { name: 'take', in: ['Removing'], to: ['Gone'] },
    { name: 'drop', on: 'remove', in: ['Broken'], to: ['Gone'], raises: ['Clerk.warn'] },
  ];
  const type = { states, actions } as never;
  const { events, undeclared } = raisedBy(type, 'Ready', 'remove');
  expect([...events]).toEqual([
    ['Shelf', ['clear', 'close']],
    ['Clerk', ['tell']],
  ]);
  expect(undeclared).toEqual(['take']);
  expect(isDestructive(type, 'remove')).toBe(true);
});
