import { describe, expect, it } from 'vitest';
import { any, atLeast, stable } from '../../src/definition/index.js';
import { describeEntity, describePredicate } from '../../src/definition/describe.js';
import { mermaidDiagram } from '../../src/definition/diagram.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { Bell } from '../entities/bell.js';
import { Box } from '../entities/box.js';
import { Host } from '../entities/host.js';
import { Lease } from '../entities/lease.js';
import { Parcel } from '../entities/parcel.js';
import { Payment } from '../entities/payment.js';
import { Site } from '../entities/site.js';

describe('a declaration, shown', () => {
  it('is drawn as a Mermaid state diagram', () => {
    const lines = mermaidDiagram(Box)
      .split('\n')
      .map((line) => line.trim());
    expect(lines[0]).toBe('stateDiagram-v2');
    expect(lines).toEqual(
      expect.arrayContaining([
        '[*] --> Absent',
        'Deleted --> [*]',
        'Absent --> Placing: place / begin',
        'Placing --> Placed: put (automatic)',
        'Placing --> Clearing: attempts used up',
        'Placed --> Placed: relabel / relabel<br/>look / look<br/>break / break',
        'class Placing unstable',
        'class Lost error',
      ]),
    );
  });

  it('is drawn with the names that people read', () => {
    const lines = mermaidDiagram(Payment)
      .split('\n')
      .map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining([
        'state "To be confirmed" as requires_confirmation',
        'state "Requires capture" as requires_capture',
        'requires_capture: The money is reserved.',
        'requires_confirmation --> requires_capture: confirm / confirm',
        'requires_capture --> succeeded: Capture the money / capture',
        'note right of requires_capture: Call it off after 7d',
      ]),
    );
    const called = { states: { ...Payment.states, state: stable({ displayName: 'A "state"' }) } };
    expect(mermaidDiagram({ ...Payment, ...called })).toContain('state "A #34;state#34;" as state_');
  });

  it('gives display names as data', () => {
    const { states, events } = describeEntity(Payment);
    expect(states[1]).toMatchObject({ name: 'requires_capture', displayName: 'Requires capture' });
    expect(events[1]).toMatchObject({ name: 'capture_payment', displayName: 'Capture the money' });
    expect(states[2]).not.toHaveProperty('displayName');
  });

  it('is drawn with what time raises in each state (S4.3, S4.5)', () => {
    const diagram = mermaidDiagram(Lease);
    expect(diagram).toContain('note right of Handing: handed when all Box in Placed<br/><br/>giveUp after 5m');
    expect(diagram).toContain('note right of Held: expire after 150m<br/><br/>inspect every 1h');
    expect(diagram).toContain('note right of Granting: expire after 10m');
    expect(mermaidDiagram(Bell)).toContain('note right of Hung: ring every day at 03#58;00 in Europe/Berlin');
  });

  it('is drawn with what becomes of events while an action runs (S2.3, S3.2)', () => {
    const diagram = mermaidDiagram(Host);
    expect(diagram).toContain(
      'note right of Deploying: aborted by stop<br/><br/>rejects all but note, stop while it runs',
    );
    expect(diagram).not.toContain('note right of Active');
  });

  it('gives its timers, deadlines and time-outs as data (S4.3, S4.5)', () => {
    const { timers, states, subscriptions } = describeEntity(Lease);
    expect(timers).toEqual([{ name: 'inspection', every: '1h', raise: 'inspect' }]);
    expect(describeEntity(Bell).timers).toEqual([{ name: 'morning', ...Bell.timers['morning'] }]);
    expect(states.find(({ name }) => name === 'Held')?.deadline).toEqual({ after: '150m', raise: 'expire' });
    expect(subscriptions[0]?.timeout).toEqual({ after: '5m', raise: 'giveUp' });
  });

  it('tells in words what a subscription waits for', () => {
    const { subscriptions } = describeEntity(LogicalServer);
    expect(subscriptions.find(({ name }) => name === 'application')?.when).toBe(
      'all SqlApplication in Ready and none of DatabaseService',
    );
  });

  it('says in words how many successors a pattern needs, and how they are (S4.3)', () => {
    expect(describePredicate(atLeast(2, { of: 'Box', is: 'accepted' }))).toBe('at least 2 Box accepted');
    expect(describePredicate(atLeast(1, { of: 'Box' }))).toBe('at least 1 of Box');
    expect(describePredicate(any({ role: 'spare', is: 'lost' }))).toBe('any successors as spare lost');
  });

  it('tells which properties only the construction sets (S1.2)', () => {
    expect(describeEntity(Parcel).fixed).toEqual(['sender', 'kind']);
    expect(describeEntity(Box).fixed).toEqual([]);
  });

  it('tells which links ask for something to be there (S1.1)', () => {
    expect(describeEntity(Parcel).links).toEqual([
      { name: 'depot', to: 'Depot', many: false, mustExist: true },
      { name: 'passed', to: 'Depot', many: true, mustExist: true },
      { name: 'owner', to: 'Person', many: false },
    ]);
  });

  it('gives the schemas of parameters as JSON Schema', () => {
    const { events } = describeEntity(Box);
    expect(events.find(({ name }) => name === 'place')).toMatchObject({
      in: ['Absent'],
      params: { type: 'object', properties: { label: { type: 'string', minLength: 1 } }, required: ['label'] },
    });
  });

  it('draws terminal states as ends (S1.3)', () => {
    const lines = mermaidDiagram(Site)
      .split('\n')
      .map((line) => line.trim());
    expect(lines).toEqual(
      expect.arrayContaining(['Archived --> [*]', 'Sealed --> [*]', 'Deleted --> [*]', 'class Archived terminal']),
    );
  });

  it('tells properties, links, subordinates, construction, dimensions, constraints and waits (S1.1, S1.6)', () => {
    const description = describeEntity(Site);
    expect(description).toMatchObject({
      properties: { type: 'object', properties: { cluster: { default: 'west' } } },
      links: [
        { name: 'application', to: 'Application', many: false },
        { name: 'databases', to: 'Database', many: true },
      ],
      subordinates: [{ name: 'firewallRules', schema: { required: ['from', 'to'] } }],
      construct: { required: ['size'] },
      dimensions: { site_id: 'key', data_cluster_id: 'properties.cluster', application: 'links.application' },
    });
    const state = (name: string) => description.states.find((each) => each.name === name);
    expect(state('Archived')).toMatchObject({ ending: 'terminal' });
    expect(state('Building')).toMatchObject({ wait: '1s' });
    expect(state('Open')).toMatchObject({ constraint: { properties: { properties: { required: ['port'] } } } });
    expect(description.actions.find(({ name }) => name === 'begin')).toMatchObject({ wait: '5s' });
  });
});
