import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, property, unstable } from '../../src/definition/index.js';
import { lengthOf, timeOf } from '../../src/kernel/rules/property-times.js';
import { explainEntity } from '../../src/kernel/index.js';
import { Puppet } from '../support/entities.js';
import { Permit } from '../entities/permit.js';

const of = 'properties.a.b';
const time = (b: unknown) => timeOf({ properties: { a: { b } } }, { of });
const length = (b: unknown) => lengthOf({ properties: { a: { b } } }, { of });

describe('a time in a property (S4.5, property-times.1, property-times.2)', () => {
  it('is an ISO text with its zone, or milliseconds', () => {
    expect(time(1_500)).toBe(1_500);
    expect(time('1970-01-02')).toBe(86_400_000);
    expect(time('1970-01-01T01:00:00+01:00')).toBe(0);
    expect(time('1970-01-01T00:00:00.5Z')).toBe(500);
    // It would mean another time in a process with another zone.
    for (const none of [
      '1970-01-01T00:00:00',
      '1970-13-01',
      'tomorrow',
      '',
      Number.NaN,
      1e16,
      null,
      undefined,
      true,
      {},
    ]) {
      expect(time(none)).toBeUndefined();
    }
  });

  it('is as long as in a declaration, and not nothing', () => {
    expect(length(250)).toBe(250);
    expect(length('2h')).toBe(7_200_000);
    // Its end is a time that can be told.
    expect(new Date(Date.now() + length(1e21)!).toISOString()).toContain('+25');
    for (const none of [0, -1, '0s', '2', 'two hours', Infinity, null, undefined]) expect(length(none)).toBeUndefined();
  });
});

describe('a deadline by a property (S4.5)', () => {
  const valid = (properties: object): Puppet => {
    const permit = new Puppet(Permit);
    permit.raise('issue', {});
    permit.end('Valid', { properties: { expiries: 0, ...properties } });
    return permit;
  };

  it('is told with its time, and is not there where the property has no value (property-times.3, S5.4)', () => {
    const waits = (permit: Puppet) => explainEntity(Permit, permit.snapshot);
    expect(waits(valid({}))).toEqual([]);
    expect(waits(valid({ expiresAt: '1970-01-01T00:00:09Z' }))).toMatchObject([{ timer: 'deadline', at: 9_000 }]);
  });

  it('lets an action fail that leads to a state whose time is none (property-times.3, S1.6)', () => {
    const permit = valid({ expiresAt: '1970-01-01T00:00:00Z', grace: 'soon' });
    permit.startTimer();
    permit.end('Grace');
    expect(permit.snapshot.state).toBe('Valid');
    expect(permit.snapshot.failure).toMatchObject({
      code: 'constraint_violated',
      message: expect.stringContaining(
        "properties.grace: is no length of time: write milliseconds, or '30m'",
      ) as string,
    });
  });

  it('is not raised again by a time that has just raised it (staying.3)', () => {
    const permit = valid({ expiresAt: '1970-01-01T00:00:00Z' });
    permit.startTimer();
    permit.end('Valid');
    expect(permit.next()).toEqual({ kind: 'rest' });
    permit.raise('extend', { byMs: 5 });
    permit.end(undefined, { properties: { ...permit.snapshot.properties, expiresAt: '1970-01-01T00:00:05Z' } });
    expect(permit.next()).toEqual({ kind: 'rest', until: 5_000 });
  });
});

describe('the wait of a state by a property (S3.5)', () => {
  const Round = defineEntity('Round', {
    key: z.string(),
    properties: z.object({ pause: z.union([z.number(), z.string()]).optional() }),
    states: { Idle: initial(), Working: unstable({ wait: property('pause') }) },
    events: { go: { in: 'Idle' } },
    actions: { go: { on: 'go', in: 'Idle', to: 'Working' }, work: { in: 'Working', to: 'Idle' } },
  });
  const working = (pause?: number | string): Puppet => {
    const round = new Puppet(Round);
    round.raise('go');
    round.end('Working', { properties: { ...(pause !== undefined && { pause }) } });
    return round;
  };

  it('is none without a value, and as long as the value says', () => {
    expect(working().next()).toEqual({ kind: 'automatic' });
    expect(working(0).next()).toEqual({ kind: 'automatic' });
    const round = working('2m');
    expect(round.next()).toEqual({ kind: 'rest', until: round.now + 120_000 });
  });

  it('lets the action fail that leads there with another value (property-times.3)', () => {
    expect(working('soon').snapshot).toMatchObject({
      state: 'Idle',
      failure: { message: expect.stringContaining('properties.pause: is no length of time') as string },
    });
  });
});
