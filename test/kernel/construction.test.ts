import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, initial, stable, unstable } from '../../src/definition/index.js';
import { checkKey, construct } from '../../src/kernel/rules/construction.js';
import { Site } from '../entities/site.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const ref = { type: 'Site', key: 'shop' };
const from = { type: 'Town', key: 'north', life: 'life-9', judges: true };

describe('construction (S2.1)', () => {
  it('gives properties and links their first values', () => {
    expect(construct(Site, ref, 'build', { size: 2, application: 'app' })).toEqual({
      accepted: true,
      contents: {
        properties: { size: 2, cluster: 'west' },
        links: { application: 'app', databases: [] },
        subordinates: { firewallRules: {} },
      },
    });
  });

  it.each([
    ['a value of another type', { size: 'big' }, 'construct.size'],
    ['a missing value', undefined, 'construct.size'],
    ['a value that the property does not take', { size: 0 }, 'construct.size'],
    ['a link that is no key', { size: 1, application: '' }, 'construct.application'],
  ])('refuses %s, with its path', (_, values, path) => {
    const refused = construct(Site, ref, 'build', values);
    expect(refused).toMatchObject({
      accepted: false,
      rejection: { code: 'invalid_parameters', entity: 'Site/shop', event: 'build', issues: [{ path }] },
    });
  });

  it('gives links as links only, and says of a whole what is wrong with the whole (S2.1)', () => {
    const strict = { ...Site, properties: z.strictObject({ size: z.number() }) };
    expect(construct(strict, ref, 'build', { size: 1, application: 'app' })).toMatchObject({
      ...{ accepted: true, contents: { properties: { size: 1 }, links: { application: 'app' } } },
    });
    const whole = { ...Site, properties: z.object({ size: z.number() }).refine(() => false, 'makes no sense') };
    expect(construct(whole, ref, 'build', { size: 1 })).toMatchObject({
      rejection: { issues: [{ path: 'properties', message: 'makes no sense' }] },
    });
    expect(checkKey(Site, { ...ref, key: 'UPPER' }, 'build')).toMatchObject({
      rejection: { issues: [{ path: 'key' }] },
    });
  });

  it.each([
    ['.', 'no URL can address it'],
    ['..', 'no URL can address it'],
    ['a\ud800', 'half of a character'],
    ['\udc00b', 'half of a character'],
  ])('refuses the key %j, whatever the type takes for one', (key, reason) => {
    const takesAll = { ...Site, key: z.string() };
    expect(checkKey(takesAll, { ...ref, key }, 'build')?.rejection).toMatchObject({
      ...{ code: 'invalid_key', event: 'build', message: expect.stringContaining(reason) },
      issues: [{ path: 'key', message: expect.stringContaining(reason) }],
    });
    expect(checkKey(takesAll, { ...ref, key: 'a.b..c \u{1f600}' }, 'build')).toBeUndefined();
  });

  it('takes no values where none are declared', () => {
    const refused = construct(Box, { type: 'Box', key: 'b' }, 'place', { place: 1 });
    expect(refused).toMatchObject({ rejection: { code: 'invalid_parameters', issues: [{ path: 'construct.place' }] } });
  });

  it('keeps the constraint of the initial state (S1.6)', () => {
    const refused = construct(Site, ref, 'build', { size: 101 });
    expect(refused).toMatchObject({
      rejection: { code: 'constraint_violated', issues: [{ path: 'properties.size' }] },
    });
    expect(refused).toHaveProperty('rejection.message', expect.stringContaining('in Empty'));
  });
});

describe('an entity that comes to be without an event (S2.1)', () => {
  it('settles at once, and tells its operation and whoever created it (S4.2)', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.comeToBe({ id: 'c-1', event: 'created', operation: 'op-1', from });
    expect(site.snapshot).toMatchObject({ state: 'Empty', version: 0, engagements: [], watchers: [from] });
    expect(site.taken()).toMatchObject([
      { kind: 'tell', operation: 'op-1', message: { kind: 'ended', engagement: 'c-1', outcome: { state: 'Empty' } } },
      { kind: 'send', to: { type: 'Town', key: 'north' }, message: { kind: 'report', ended: ['c-1'] } },
    ]);
  });

  it('needs no operation when nobody else takes part', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.comeToBe({ id: 'c-1', event: 'created', construct: { size: 2 } });
    expect(site.taken()).toEqual([]);
    expect(site.snapshot.ledger.recent).toMatchObject([{ id: 'c-1', outcome: { state: 'Empty', version: 0 } }]);
  });

  it('rejects another creation, and gives the first outcome for the same request (S2.5)', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.comeToBe({ id: 'c-1', event: 'created', construct: { size: 2 } });
    const again = (id: string, size: number) => site.raise('created', undefined, { id, construct: { size } });
    expect(again('c-2', 2)).toMatchObject({
      status: 'rejected',
      rejection: { code: 'already_exists', state: 'Empty' },
    });
    expect(again('c-1', 2)).toMatchObject({ status: 'accepted', outcome: { state: 'Empty' } });
    expect(again('c-1', 3)).toMatchObject({ status: 'rejected', rejection: { code: 'request_conflict' } });
  });

  it('ignores the values of an event that creates, once it exists (S2.1)', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    expect(site.raise('build', undefined, { construct: { size: 'nonsense' } })).toMatchObject({ status: 'accepted' });
    expect(site.snapshot.properties['size']).toBe(2);
  });

  it('runs the action of an unstable initial state after its wait, as part of the creation (S1.4, S3.5)', () => {
    const Seed = defineEntity('Seed', {
      key: z.string(),
      properties: z.object({}),
      states: { Growing: initial(unstable({ wait: '3s' })), Grown: stable() },
      events: { cut: { in: 'Grown' } },
      actions: { grow: { in: 'Growing', to: 'Grown' }, cut: { on: 'cut', in: 'Grown', to: 'Growing' } },
    });
    const seed = new Puppet(Seed);
    seed.comeToBe();
    expect(seed.taken()).toMatchObject([{ kind: 'open', operation: { id: 'Seed/k#life-1/created@0000000001000' } }]);
    expect(seed.next()).toEqual({ kind: 'rest', until: seed.now + 3_000 });
    seed.now += 3_000;
    seed.startAutomatic();
    seed.end('Grown');
    expect(seed.taken()).toMatchObject([
      { message: { kind: 'ended', engagement: 'Seed/k#life-1/created@0000000001000' } },
    ]);
  });
});
