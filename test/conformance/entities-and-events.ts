/** Scenarios for S1, entities and states, and S2, events. */
import { z } from 'zod';
import { expect } from 'vitest';
import { DeclarationError, defineEntity, initial, stable, unstable } from '../../src/definition/index.js';
import { LONGEST_CHAIN, stuckEntity } from '../../src/kernel/index.js';
import { Berth } from '../entities/berth.js';
import { Box, Room } from '../entities/box.js';
import { Candle } from '../entities/candle.js';
import { Job } from '../entities/job.js';
import { Site } from '../entities/site.js';
import { Seed } from '../entities/town.js';
import { Alarm, Ball, Carousel, SPINS } from '../entities/round.js';
import { rejection, type Plane } from './plane.js';
import { scenario } from './scenario.js';

export async function place(plane: Plane, key: string): Promise<void> {
  await plane.result(await plane.create(Box, key, 'place', { label: 'first' }));
}

async function open(plane: Plane, key: string): Promise<void> {
  await plane.construct(Site, key, { size: 2, application: 'app' });
  await plane.result(await plane.raise(Site, key, 'build'));
}

/** Keys of sites are letters only. */
const letters = (key: string) => key.replace(/[^a-z]/g, '');

/** How an operation ends that went round. */
const ROUND = { outcome: 'failed', errors: [{ code: 'infinite_loop' }] };

export const entitiesAndEvents = [
  scenario('S1.1', 'what crosses a boundary is checked by its schema, with path and reason', async (plane, key) => {
    const refused = await rejection(plane.create(Box, key, 'place', { label: '' }));
    expect(refused).toMatchObject({ code: 'invalid_parameters', issues: [{ path: 'label' }] });
    expect(await rejection(plane.create(Box, 'NO KEY', 'place', { label: 'x' }))).toMatchObject({
      code: 'invalid_key',
    });
  }),
  scenario(
    'S1.1',
    'a key of several parts is given by its parts, and is one text for everybody else',
    async (plane, key) => {
      const harbour = `${key}, quay ~1`;
      const parts = { harbour, side: 'left', number: 7 };
      await plane.result(await plane.create(Berth, parts, 'open', {}));
      const text = `${key}~1 quay ~01,left,7`;
      expect(await plane.read(Berth, text)).toMatchObject({ key: text, properties: { label: 'left 7' } });
      expect(await plane.result(await plane.raise(Berth, parts, 'extend', { by: 1 }))).toMatchObject({
        outcome: 'success',
        participants: expect.arrayContaining([expect.objectContaining({ key: `${key}~1 quay ~01,left,8` })]),
      });
      expect((await plane.read(Berth, text)).links).toEqual({ next: `${key}~1 quay ~01,left,8` });
      expect(await rejection(plane.create(Berth, { ...parts, number: 7.5 }, 'open', {}))).toMatchObject({
        code: 'invalid_key',
        issues: [{ path: 'key.number' }],
      });
      // The same number in other digits would be another entity.
      expect(await rejection(plane.create(Berth, `${key},left,07`, 'open', {}))).toMatchObject({
        code: 'invalid_key',
        issues: [{ path: 'key.number' }],
      });
    },
  ),
  scenario('S1.2', 'subordinates change in the same commit as their parent', async (plane, key) => {
    const site = `${letters(key)}two`;
    await open(plane, site);
    const { version } = await plane.read(Site, site);
    await plane.result(await plane.raise(Site, site, 'guard', { name: 'office' }));
    const { subordinates, links, version: after } = await plane.read(Site, site);
    expect(subordinates).toEqual({ firewallRules: { office: { from: '10.0.0.1', to: '10.0.0.9' } } });
    expect({ links, after }).toEqual({ links: { application: 'app', databases: ['first'] }, after: version + 1 });
  }),
  scenario('S1.3', 'a terminal entity stays readable; a deleted one is gone, and frees its key', async (plane, key) => {
    const site = `${letters(key)}three`;
    await open(plane, site);
    await plane.result(await plane.raise(Site, site, 'archive'));
    expect((await plane.read(Site, site)).state).toBe('Archived');
    expect(await rejection(plane.raise(Site, site, 'drop'))).toMatchObject({ code: 'terminal' });

    await place(plane, key);
    const { life } = await plane.read(Box, key);
    await plane.result(await plane.raise(Box, key, 'remove', undefined, { requestId: `${key}-remove` }));
    await plane.until(async () => (await rejection(plane.raise(Box, key, 'look'))).code === 'absent');
    await place(plane, key);
    expect((await plane.read(Box, key)).life).not.toBe(life);
    const repeated = await plane.raise(Box, key, 'remove', undefined, { requestId: `${key}-remove` });
    expect(repeated.answer.status).toBe('accepted');
    expect((await plane.read(Box, key)).state).toBe('Placed');
  }),
  scenario('S1.3', 'whoever creates an entity right after its deletion gets a new one', async (plane, key) => {
    await place(plane, key);
    const { life } = await plane.read(Box, key);
    await plane.result(await plane.raise(Box, key, 'remove'));
    expect((await plane.result(await plane.create(Box, key, 'place', { label: 'again' }))).outcome).toBe('success');
    expect(await plane.read(Box, key)).toMatchObject({ state: 'Placed', properties: { label: 'again' } });
    expect((await plane.read(Box, key)).life).not.toBe(life);
  }),
  scenario(
    'S1.4',
    'an unstable initial state runs its action; a waiting one rests for successors',
    async (plane, key) => {
      await plane.construct(Seed, key, { colour: 'red' });
      await plane.until(async () => (await plane.read(Seed, key)).state === 'Grown');
      const { letGo } = plane.hold(Box, `${key}-a`);
      const taken = await plane.create(Room, key, 'furnish', { boxes: [`${key}-a`] });
      await plane.until(async () => (await plane.read(Room, key)).state === 'Waiting');
      letGo();
      expect((await plane.result(taken)).outcome).toBe('success');
    },
  ),
  scenario('S1.5', 'all mistakes of a declaration are reported at once', async () => {
    const declare = () =>
      defineEntity('Wrong', {
        key: z.string(),
        properties: z.object({}),
        states: { Start: initial(), Busy: unstable(), Never: stable() },
        events: { go: { in: 'Start' } },
        actions: { go: { on: 'go', in: 'Start', to: 'Busy' } },
      });
    expect(declare).toThrow(DeclarationError);
    expect(declare).toThrow(/Busy[\s\S]*Never|Never[\s\S]*Busy/);
  }),
  scenario('S1.5a', 'states that go round come to an end, and are named', async (plane, key) => {
    expect(await plane.result(await plane.create(Carousel, key, 'turn', {}))).toMatchObject(ROUND);
    const turned = await plane.read(Carousel, key);
    expect(turned).toMatchObject({ state: 'Broken', failure: { code: 'infinite_loop' } });
    expect(turned.properties['rounds']).toBe(LONGEST_CHAIN / 2);
    await plane.result(await plane.raise(Carousel, key, 'look'));
  }),
  // Like the next one, it takes a thousand signals, and what counts them is pure.
  scenario(
    'S1.5a',
    'a subscription that goes round comes to an end, and is named',
    async (plane, key) => {
      expect(await plane.result(await plane.create(Alarm, key, 'arm'))).toMatchObject(ROUND);
      const rang = await plane.read(Alarm, key);
      expect(rang).toMatchObject({ state: 'On', exhausted: true, lastError: { code: 'infinite_loop' } });
      expect(stuckEntity(Alarm, rang)).toMatchObject({ reason: 'exhausted', message: expect.stringContaining('ring') });
      expect((await plane.result(await plane.raise(Alarm, key, 'end'))).outcome).toBe('success');
    },
    { simulated: true },
  ),
  scenario(
    'S1.5a',
    'entities that go round come to an end, and cost nobody else anything',
    async (plane, key) => {
      const ping = await plane.create(Ball, key, 'serve', { to: `${key}-pong` });
      const row = await plane.create(Ball, `${key}-1`, 'serve', { to: `${key}-2`, grows: true });
      await place(plane, key);
      for (const taken of [ping, row]) expect(await plane.result(taken)).toMatchObject(ROUND);
      expect((await plane.read(Ball, key)).properties['hits']).toBeLessThan(LONGEST_CHAIN / SPINS);
      expect((await plane.read(Ball, `${key}-pong`)).state).toBe('Flying');
    },
    { simulated: true },
  ),
  scenario('S1.6', 'a state constrains what an entity holds', async (plane, key) => {
    const refused = await rejection(plane.construct(Site, `${letters(key)}six`, { size: 101 }));
    expect(refused.message).toContain('size');
  }),
  scenario('S2.1', 'events come from outside, from entities, subscriptions and timers', async (plane, key) => {
    await plane.result(await plane.create(Room, key, 'furnish', { boxes: [`${key}-a`] }));
    expect((await plane.read(Box, `${key}-a`)).properties['label']).toBe(key);
    expect((await plane.read(Room, key)).state).toBe('Ready');
    await plane.create(Candle, key, 'light');
    await plane.until(async () => Number((await plane.read(Candle, key)).properties['flickers']) > 0);
    await place(plane, key);
    await plane.signal(Box, key, 'relabel', { label: 'by signal' });
    await plane.until(async () => (await plane.read(Box, key)).properties['label'] === 'by signal');
  }),
  scenario('S2.2', 'an event that is not valid is rejected as declared, and changes nothing', async (plane, key) => {
    await place(plane, key);
    const before = await plane.read(Box, key);
    expect(await rejection(plane.create(Box, key, 'place', { label: 'x' }))).toMatchObject({
      code: 'already_done',
      validNow: expect.arrayContaining(['relabel']) as string[],
    });
    expect(await rejection(plane.raise(Box, key, 'paint'))).toMatchObject({ code: 'unknown_event' });
    expect(await rejection(plane.raise(Box, `${key}-none`, 'look'))).toMatchObject({ code: 'absent' });
    expect(await plane.read(Box, key)).toEqual(before);
    await plane.signal(Box, key, 'relabel', { label: 7 });
    await plane.until(async () => (await plane.read(Box, key)).dropped?.signal === 'relabel');
    expect((await plane.read(Box, key)).version).toBe(before.version);
  }),
  scenario('S2.3', 'an event during an action waits, and is validated in the state it left', async (plane, key) => {
    const { letGo } = plane.hold(Box, key);
    await plane.create(Box, key, 'place', { label: 'first' });
    await plane.until(async () => (await plane.read(Box, key)).running?.action === 'put');
    const good = await plane.raise(Box, key, 'relabel', { label: 'second' });
    expect(good.answer).toMatchObject({ status: 'waiting', behind: 'put' });
    expect((await plane.read(Box, key)).waiting).toHaveLength(1);
    // It would be valid neither here nor in Placed.
    await expect(plane.raise(Box, key, 'place', { label: 'again' })).rejects.toMatchObject({
      code: 'already_in_progress',
    });
    const removed = await plane.raise(Box, key, 'remove');
    const late = await plane.raise(Box, key, 'look');
    letGo();
    expect((await plane.result(good)).outcome).toBe('success');
    expect((await plane.result(removed)).outcome).toBe('success');
    expect((await plane.result(late)).rejection).toMatchObject({ code: 'gone' });
  }),
  scenario('S2.4', 'between attempts, a waiting event goes first', async (plane, key) => {
    plane.fail(key, 1_000);
    await plane.create(Box, key, 'place', { label: 'first' });
    const waited = await plane.raise(Box, key, 'place', { label: 'second' }).catch(() => undefined);
    if (waited) expect((await plane.result(waited)).rejection).toMatchObject({ code: 'already_in_progress' });
    // It was answered while the attempts went on: the box has not been lost yet, or was lost by them alone.
    expect((await plane.read(Box, key)).attempt).toBeGreaterThan(0);

    plane.fail(`${key}-job`, 1);
    const { letGo } = plane.hold(Job, `${key}-job`);
    await plane.create(Job, `${key}-job`, 'start');
    await plane.until(async () => (await plane.read(Job, `${key}-job`)).running?.action === 'work');
    await plane.raise(Job, `${key}-job`, 'stop');
    letGo();
    await plane.until(async () => (await plane.read(Job, `${key}-job`)).state === 'Stopped');
  }),
  scenario('S2.5', 'the same request id runs once; with other content it is an error', async (plane, key) => {
    await place(plane, key);
    const relabel = (label: string) => plane.raise(Box, key, 'relabel', { label }, { requestId: `${key}-once` });
    await plane.result(await relabel('one'));
    const { version } = await plane.read(Box, key);
    await plane.forget(Box, key);
    expect((await relabel('one')).answer).toMatchObject({ status: 'accepted', outcome: { version } });
    expect(await rejection(relabel('two'))).toMatchObject({ code: 'request_conflict' });
    expect((await plane.read(Box, key)).version).toBe(version);
    // The same request as a plain signal; and one that is new, whose operation has its name.
    await plane.signal(Box, key, 'relabel', { label: 'one' }, { request: `${key}-once` });
    await plane.signal(Box, key, 'relabel', { label: 'three' }, { request: `${key}-new` });
    await plane.until(async () => (await plane.read(Box, key)).properties['label'] === 'three');
    const answer = { status: 'accepted', operation: `${key}-new` } as const;
    const taken = { entity: { type: 'Box', key }, event: 'relabel', requestId: `${key}-new`, answer };
    expect(await plane.result(taken)).toMatchObject({ name: `relabel Box/${key}`, outcome: 'success' });
    expect((await plane.read(Box, key)).version).toBe(version + 1);
  }),
  scenario('S2.6', 'anyone may ask what is valid now, and why the rest is not', async (plane, key) => {
    await place(plane, key);
    const allowed = await plane.allowed(Box, key);
    expect(allowed.filter((each) => each.allowed).map(({ event }) => event)).toEqual([
      'relabel',
      'look',
      'break',
      'remove',
    ]);
    expect(allowed.find(({ event }) => event === 'place')).toMatchObject({ rejection: { code: 'already_done' } });
  }),
];
