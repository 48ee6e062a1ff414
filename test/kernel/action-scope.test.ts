import { describe, expect, it } from 'vitest';
import { idFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { z } from 'zod';
import { ActionScope } from '../../src/kernel/author/action-scope.js';
import { any, type AnyEntity } from '../../src/definition/index.js';
import type { Snapshot, Successor } from '../../src/protocol/snapshot.js';
import { Site } from '../entities/site.js';
import { Puppet } from '../support/entities.js';

/** An action that runs on a site, and what it has done when it ends. */
function scope(
  entity: AnyEntity = Site,
  successors: readonly Successor[] = [],
  more: Partial<Snapshot> = {},
): ActionScope {
  const site = new Puppet(Site, 'shop', { size: 2, application: 'app' });
  site.raise('build');
  return new ActionScope(entity, {
    snapshot: () => ({ ...site.snapshot, successors, ...more }),
    now: () => site.now,
    reading: (_, read) => read(),
    isAlone: () => true,
    noteAsked: () => undefined,
    call: () => Promise.reject(new Error('no call is expected')),
    runTree: () => Promise.reject(new Error('no components are expected')),
    collect: () => Promise.reject(new Error('no call is expected')),
    makeAddress: () => {
      throw new Error('no address is expected');
    },
    raiseAndWait: () => Promise.reject(new Error('no raise is expected')),
    reserve: () => Promise.reject(new Error('nothing is expected to be reserved')),
    read: () => Promise.reject(new Error('nothing is expected to be read')),
  });
}

describe('an action', () => {
  it('changes properties, links and subordinates in a draft of its own (S1.2, S3.3)', () => {
    const action = scope();
    const { properties, links, subordinates } = action.context;
    properties['port'] = 80;
    links['application'] = 'other';
    subordinates['firewallRules']!['office'] = { from: 'a', to: 'b' };
    const again = scope().context;
    expect(again.links['application']).toBe('app');
    expect(again.subordinates['firewallRules']).toEqual({});
    expect(action.end(undefined)).toMatchObject({
      properties: { size: 2, port: 80 },
      links: { application: 'other' },
      subordinates: { firewallRules: { office: { from: 'a', to: 'b' } } },
    });
  });

  it('creates with values, with an event or without one (S2.1)', () => {
    const action = scope();
    action.context.create(Site, 'one', 'build', { construct: { size: 1 }, role: 'first' });
    action.context.construct(Site, 'two', { size: 2 }, { role: 'second' });
    expect(action.end(undefined).raises).toMatchObject([
      { to: { key: 'one' }, creates: true, request: { event: 'build', construct: { size: 1 } }, role: 'first' },
      { to: { key: 'two' }, creates: true, request: { event: 'created', construct: { size: 2 } }, role: 'second' },
    ]);
  });

  it('asks to be told of acceptance only where a subscription asks for it (S4.3)', () => {
    const subscriptions = { heard: { when: any({ is: 'accepted' }), raise: 'drop' } };
    for (const [entity, follows] of [
      [Site, false],
      [{ ...Site, subscriptions }, true],
    ] as const) {
      const action = scope(entity);
      action.context.raise(Site, 'one', 'drop');
      expect(action.end(undefined).raises[0]?.follows ?? false).toBe(follows);
    }
  });

  it('raises nothing but what it declares to raise (S3.1)', () => {
    const { begin } = Site.actions;
    const declares = (...raises: readonly `${string}.${string}`[]): AnyEntity => ({
      ...Site,
      actions: { ...Site.actions, begin: { ...begin, raises } },
    });
    const allowed = scope(declares('Site.build')).context;
    allowed.create(Site, 'one', 'build', { construct: { size: 1 } });
    expect(() => allowed.construct(Site, 'one', { size: 1 })).toThrow(
      expect.objectContaining({ code: 'undeclared_raise', message: expect.stringContaining("raised 'Site.created'") }),
    );
    expect(() => scope(declares()).context.raise(Site, 'one', 'drop')).toThrow('declares to raise: nothing');
    expect(() => scope().context.raise(Site, 'one', 'drop')).not.toThrow();
  });

  it('sees what has come of what was raised before: pending, rejected with its code, or how it settled (S3.3)', () => {
    const place = { operation: 'op', position: '1.1', request: 'r', version: 1 };
    const outcome = { state: 'Broken', version: 1, health: 'error', waiting: false } as const;
    const rejection = { code: 'not_valid', message: 'no', entity: 'Site/two', event: 'drop' };
    const error = { kind: 'retryable', code: 'oops', message: 'it broke' } as const;
    const { successors } = scope(Site, [
      { ...place, type: 'Site', key: 'one', event: 'pending', role: 'first' },
      { ...place, type: 'Site', key: 'two', event: 'rejected', outcome: { ...outcome, rejection } },
      { ...place, type: 'Site', key: 'three', event: 'settled', outcome: { ...outcome, error, lost: true } },
    ]).context;
    expect(successors).toEqual([
      { type: 'Site', key: 'one', role: 'first', operation: 'op', event: 'pending' },
      expect.objectContaining({ key: 'two', event: 'rejected', rejection }),
      expect.objectContaining({ key: 'three', event: 'settled', state: 'Broken', health: 'error', error, lost: true }),
    ]);
  });

  it('can do nothing any more once it has ended (S3.2)', () => {
    const action = scope();
    action.end(undefined);
    const ended = expect.objectContaining({ code: 'action_ended' });
    expect(() => action.context.raise(Site, 'one', 'drop')).toThrow(ended);
    const failed = scope();
    failed.abandon();
    expect(() => failed.context.raise(Site, 'one', 'drop')).toThrow(ended);
  });

  it('raises nothing on itself, and neither reads nor reserves itself: it would wait for its own end (S1.5a, S3.3)', async () => {
    const meant = expect.objectContaining({ code: 'meant_itself' });
    expect(() => scope().context.raise(Site, 'shop', 'drop')).toThrow(meant);
    const waits = [
      async () => scope().context.raiseAndWait(Site, 'shop', 'drop', { within: '1s' }),
      async () => scope().context.read(Site, 'shop', { within: '1s' }),
      async () => scope().context.reserve(Site, 'shop', { within: '1s' }),
    ];
    for (const wait of waits) await expect(wait()).rejects.toThrow(meant);
  });

  it('chooses the delay of its next attempt (S3.5)', () => {
    const action = scope();
    action.context.retryAfter('5s');
    expect(action.retryAfterMs).toBe(5_000);
    expect(action.end(undefined)).toMatchObject({ retryAfterMs: 5_000 });
  });

  it('leaves out what it did not say, and says who has to act on an error that it reports (S3.1, S3.5)', () => {
    const { properties, links, subordinates } = scope().context;
    const contents = { properties, links, subordinates, raises: [] };
    expect(scope().end(undefined)).toStrictEqual(contents);
    const { context } = scope();
    expect(scope().end(context.goTo('Open' as never))).toStrictEqual({ ...contents, to: 'Open' });
    const error = { code: 'half', message: 'half done', detail: 'for nobody' };
    expect(scope().end(context.goTo('Open' as never, { wait: '3s', error }))).toStrictEqual({
      ...{ ...contents, to: 'Open', waitMs: 3_000 },
      error: { kind: 'needs_operator', code: 'half', message: 'half done' },
    });
  });

  it('knows its entity, operation and attempt (S3.3, S3.5)', () => {
    const { context } = scope();
    expect(context).toMatchObject({ type: 'Site', key: 'shop', state: 'Empty', attempt: 1, operation: 'build-id' });
    expect(context.now()).toBe(1_000);
    expect(scope(Site, [], { attempt: 3 }).context.attempt).toBe(3);
  });

  it('gives up with an error for a person (S3.5)', () => {
    const gaveUp = expect.objectContaining({ name: 'GivenUp', code: 'hopeless', message: 'no way' });
    expect(() => scope().context.giveUp({ code: 'hopeless', message: 'no way' })).toThrow(gaveUp);
  });

  it('names what it raises by its entry, its action and the place in it (S3.4)', () => {
    const action = scope();
    action.context.raise(Site, 'one', 'drop');
    const params = z.object({ any: z.number() });
    const Measured = { ...Site, events: { ...Site.events, build: { ...Site.events.build, params } } };
    action.context.create(Measured, 'one', 'build', { any: 1 }, { construct: { size: 1 }, role: 'first' });
    const quiet = { judges: false };
    expect(action.end(undefined).raises).toStrictEqual([
      {
        ...quiet,
        to: { type: 'Site', key: 'one' },
        creates: false,
        request: { id: `Site/shop#life-1/0/begin/drop/1.${idFingerprint('Site/one')}@0000000001000`, event: 'drop' },
      },
      {
        ...{ ...quiet, to: { type: 'Site', key: 'one' }, creates: true, role: 'first' },
        request: {
          id: `Site/shop#life-1/0/begin/build/2.${idFingerprint('Site/one')}@0000000001000`,
          event: 'build',
          params: { any: 1 },
          construct: { size: 1 },
        },
      },
    ]);
  });

  it('names what it raises in the same place on another entity by another id: operations know events by their ids (S3.4, S4.1)', () => {
    const [one, two] = ['one', 'two'].map((key) => {
      const action = scope(Site, [], { attempt: 2 });
      action.context.raise(Site, key, 'drop');
      return action.end(undefined).raises[0]?.request.id;
    });
    expect(one).not.toBe(two);
  });

  it('has reports judged only where it has subscriptions, and gives values only to what it creates (S2.1, S4.2)', () => {
    const subscriptions = { heard: { when: any({ in: 'Open' }), raise: 'drop' } };
    const action = scope({ ...Site, subscriptions });
    action.context.raise(Site, 'one', 'drop', { construct: { size: 1 } } as object);
    const [raised] = action.end(undefined).raises;
    expect(raised).toMatchObject({ judges: true });
    expect(raised?.request).not.toHaveProperty('construct');
  });

  it('raises again under the same id, but for what has come to a bad end (S2.2, S3.4)', () => {
    const id = `Site/shop#life-1/0/begin/drop/1.${idFingerprint('Site/one')}@0000000001000`;
    const again = `${id}~1`;
    const outcome = { state: 'Open', version: 1, health: 'normal', waiting: false } as const;
    const error = { kind: 'retryable', code: 'oops', message: 'it broke' } as const;
    const successor = (more: Partial<Successor> = {}): Successor => ({
      ...{ type: 'Site', key: 'one', operation: 'op', position: '1.1', request: id, version: 1, event: 'settled' },
      ...{ outcome, ...more },
    });
    const pending = successor({ event: 'pending' });
    const { outcome: _, ...unanswered } = pending;
    const idOf = (successors: readonly Successor[], more: Partial<Snapshot> = {}) => {
      const action = scope(Site, successors, { attempt: 2, ...more });
      action.context.raise(Site, 'one', 'drop');
      return action.end(undefined).raises[0]?.request.id;
    };
    expect(idOf([])).toBe(id);
    expect(idOf([unanswered])).toBe(id);
    expect(idOf([successor()])).toBe(id);
    expect(idOf([successor({ outcome: { ...outcome, health: 'error' } })])).toBe(again);
    expect(idOf([successor({ outcome: { ...outcome, error } })])).toBe(again);
    expect(idOf([successor({ request: again })])).toBe(again);
    expect(idOf([successor({ request: again, outcome: { ...outcome, error } })])).toBe(`${id}~2`);
    expect(idOf([successor({ request: again })], { rejectedRaises: [id, again] })).toBe(`${id}~2`);
    expect(idOf([successor({ request: 'another', outcome: { ...outcome, error } })])).toBe(id);
    expect(idOf([successor({ key: 'two', outcome: { ...outcome, error } }), successor()])).toBe(id);
    expect(idOf([], { rejectedRaises: [id] })).toBe(again);
    expect(idOf([successor()], { rejectedRaises: ['another'] })).toBe(id);
  });
});
