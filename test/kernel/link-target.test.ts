import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineEntity,
  implementActions,
  initial,
  link,
  links,
  unstable,
  type ActionContext,
} from '../../src/definition/index.js';
import { refusalOfLinks, targetsAtBirth } from '../../src/kernel/rules/link-target.js';
import { Depot, Parcel } from '../entities/parcel.js';
import { Puppet } from '../support/entities.js';
import { LoneEntity } from '../support/lone-entity.js';

const sender = { name: 'Ada', city: 'London' };
const ref = { type: 'Parcel', key: 'p' };
const north = new Puppet(Depot, 'north').snapshot;

/** Does what a test says. */
const Carrier = defineEntity('Carrier', {
  key: z.string(),
  properties: z.object({ trips: z.number().default(0) }),
  links: {
    depot: link('Depot', { mustExist: true }),
    route: links('Depot', { mustExist: true }),
    chief: link('Carrier', { mustExist: true }),
    owner: link('Person'),
  },
  states: { Idle: initial(), Driving: unstable({ retry: { attempts: 2, delay: '1s', exhausted: 'Idle' } }) },
  events: { work: { in: 'Idle' }, drive: { in: 'Idle' } },
  actions: {
    work: { on: 'work', in: 'Idle' },
    begin: { on: 'drive', in: 'Idle', to: 'Driving' },
    drive: { in: 'Driving', to: 'Idle' },
  },
});
type Work = (app: ActionContext<typeof Carrier, 'work'>) => Promise<void>;

/** A carrier at its work. */
async function working(work: Work, prepare: (carrier: LoneEntity) => void = () => undefined): Promise<LoneEntity> {
  const implementation = implementActions(Carrier, {
    work: async (app) => {
      app.properties.trips++;
      await work(app);
    },
    begin: async (app) => app.goTo('Driving'),
    drive: async (app) => {
      app.links.depot = 'south';
      return app.goTo('Idle');
    },
  });
  const carrier = new LoneEntity(implementation);
  prepare(carrier);
  await carrier.raise({ id: 'go', event: 'work' });
  return carrier;
}

const asked = (carrier: LoneEntity) =>
  carrier.sent.flatMap(({ to, message }) => (message.kind === 'read' ? [`${to.type}/${to.key}`] : []));

/** Answers for whatever is asked about: it is there. */
async function answer(carrier: LoneEntity, isThere = true): Promise<void> {
  for (const { to, message } of carrier.sent.splice(0)) {
    if (message.kind !== 'read') continue;
    const { type, key, state, version, properties, links: others, subordinates } = { ...north, ...to };
    const seen = { type, key, state, version, properties, links: others, subordinates };
    const view = { ...seen, health: 'normal', settled: true };
    await carrier.hear({
      ...{ kind: 'view', from: to, toLife: 'life-1', wait: message.wait },
      ...(isThere && { view }),
    });
  }
}

describe('a link that asks for something to be there (S1.1)', () => {
  it('is set when what it leads to is there, with all else that the action does (S3.2, link-target.1)', async () => {
    const carrier = await working(async (app) => {
      app.links.depot = 'north';
    });
    expect(asked(carrier)).toEqual(['Depot/north']);
    expect(carrier.snapshot).toMatchObject({ links: { route: [] }, running: { awaits: [{ on: 'Depot/north' }] } });
    await answer(carrier);
    expect(carrier.snapshot).toMatchObject({ links: { depot: 'north' }, properties: { trips: 1 } });
    expect(carrier.snapshot.running).toBeUndefined();
  });

  it.each<[string, (carrier: LoneEntity) => void]>([
    ['never was there', (carrier) => void carrier.absent.add('Depot/north')],
    ['was deleted, or belongs to another tenant', () => undefined],
  ])(
    'is not set when what it leads to %s: the action has failed, and nothing took effect (link-target.2)',
    async (_, prepare) => {
      const carrier = await working(async (app) => {
        app.links.depot = 'north';
      }, prepare);
      await answer(carrier, false);
      expect(carrier.snapshot).toMatchObject({ links: { route: [] }, properties: { trips: 0 } });
      expect(carrier.snapshot.links).not.toHaveProperty('depot');
      expect(carrier.snapshot.lastError).toEqual({
        ...{ kind: 'retryable', code: 'link_target_absent' },
        message:
          "The link 'depot' of Carrier/k leads to Depot/north, which does not exist. Create it first, or check the key.",
      });
    },
  );

  it('names all that are not there, each asked once', async () => {
    const carrier = await working(async (app) => {
      app.links.depot = 'north';
      app.links.route = ['north', 'south'];
    });
    expect(asked(carrier)).toEqual(['Depot/north', 'Depot/south']);
    await answer(carrier, false);
    const { message } = carrier.snapshot.lastError!;
    for (const told of ["'depot' of Carrier/k leads to Depot/north", "'route' of Carrier/k leads to Depot/south"]) {
      expect(message).toContain(told);
    }
  });

  it('is not asked again while it stays, whatever has become of what it leads to (link-target.1)', async () => {
    const carrier = await working(async (app) => {
      app.links.route = [...app.links.route, `depot-${app.properties.trips}`];
    });
    await answer(carrier);
    await carrier.raise({ id: 'again', event: 'work' });
    expect(asked(carrier)).toEqual(['Depot/depot-2']);
    await answer(carrier);
    expect(carrier.snapshot.links).toEqual({ route: ['depot-1', 'depot-2'] });
  });

  it('may lead to the entity itself, and to what the same action creates (link-target.2)', async () => {
    const carrier = await working(async (app) => {
      app.links.chief = app.key;
      app.create(Carrier, 'other', 'work');
      app.construct(Depot, 'new', {});
      app.links.depot = 'new';
    });
    expect(asked(carrier)).toEqual([]);
    expect(carrier.snapshot).toMatchObject({ links: { chief: 'k', depot: 'new' } });
  });

  it('asks for nothing where the declaration does not, and leaves what is no key to the schema', async () => {
    const carrier = await working(async (app) => {
      app.links.owner = 'nobody';
      app.links.route = [7 as unknown as string];
    });
    expect(asked(carrier)).toEqual([]);
    expect(carrier.snapshot.lastError).toMatchObject({ code: 'constraint_violated' });
  });

  it('makes an automatic action one that is tried again (S3.5)', async () => {
    const carrier = await working(
      async () => undefined,
      ({ absent }) => void absent.add('Depot/south'),
    );
    await carrier.raise({ id: 'drive', event: 'drive' });
    expect(carrier.snapshot).toMatchObject({ state: 'Driving', lastError: { code: 'link_target_absent' } });
    carrier.absent.clear();
    await carrier.pass(1_000);
    await answer(carrier);
    expect(carrier.snapshot).toMatchObject({ state: 'Idle', links: { depot: 'south' } });
  });

  it('waits a minute at most for the answer of what it leads to (S3.8)', async () => {
    const carrier = await working(async (app) => {
      app.links.depot = 'north';
    });
    await carrier.pass(60_000);
    expect(carrier.snapshot.lastError).toMatchObject({ code: 'wait_timed_out' });
    expect(carrier.snapshot.links).not.toHaveProperty('depot');
  });
});

describe('what an action creates with such a link (S1.1, S2.1)', () => {
  it('comes to be when what it leads to is there, and otherwise the action has failed (link-target.1)', async () => {
    const post: Work = async (app) => app.construct(Parcel, 'p', { sender, depot: 'north' });
    const there = await working(post);
    expect(asked(there)).toEqual(['Depot/north']);
    expect(there.created).toEqual([]);
    await answer(there);
    expect(there.created).toMatchObject([{ to: ref }]);
    const absent = await working(post, (carrier) => void carrier.absent.add('Depot/north'));
    expect(absent.created).toEqual([]);
    expect(absent.snapshot.lastError).toMatchObject({
      code: 'link_target_absent',
      message: expect.stringContaining("The link 'depot' of Parcel/p leads to Depot/north"),
    });
  });

  it('may lead to whoever creates it, and to what is created beside it (link-target.2)', async () => {
    const carrier = await working(async (app) => {
      app.construct(Depot, 'new', {});
      app.construct(Parcel, 'p', { sender, depot: 'new' });
    });
    expect(asked(carrier)).toEqual([]);
    expect(carrier.created).toHaveLength(2);
    const values = { construct: { sender, depot: 'k' } };
    expect(targetsAtBirth(Parcel, ref, { event: 'created', ...values }, { type: 'Depot', key: 'k' })).toEqual([]);
  });

  it('is not created at once either, where the action would wait for it: it can catch that', async () => {
    const caught: unknown[] = [];
    const create: Work = async (app) => {
      const options = { construct: { sender, depot: 'north' }, within: '1m' } as const;
      await app.createAndWait(Parcel, 'p', 'weigh', options).catch((thrown: unknown) => caught.push(thrown));
    };
    const carrier = await working(create, ({ absent }) => void absent.add('Depot/north'));
    expect(caught).toMatchObject([{ name: 'LinkTargetAbsent', code: 'link_target_absent' }]);
    expect(carrier.created).toEqual([]);
    expect(carrier.snapshot).toMatchObject({ properties: { trips: 1 } });
  });
});

describe('what comes to be from outside with such a link (S1.1, S2.1)', () => {
  const request = { id: 'r', event: 'created', construct: { sender, depot: 'north' } };

  it('has to lead to what is there; where nothing would come to be anyway, nothing is asked', () => {
    const target = { of: 'Parcel/p', link: 'depot', to: { type: 'Depot', key: 'north' } };
    expect(targetsAtBirth(Parcel, ref, request)).toEqual([target]);
    expect(targetsAtBirth(Parcel, ref, { ...request, construct: { sender } })).toEqual([]);
    expect(targetsAtBirth(Parcel, ref, { ...request, construct: { depot: 'north' } })).toEqual([]);
    expect(refusalOfLinks(ref, request, [target], [north])).toBeUndefined();
    expect(refusalOfLinks(ref, request, [], [])).toBeUndefined();
  });

  it('is rejected otherwise, also where what it leads to belongs to another tenant (S6.5)', () => {
    const targets = targetsAtBirth(Parcel, ref, request);
    const rejection = {
      ...{ code: 'link_target_absent', entity: 'Parcel/p', event: 'created' },
      message:
        "The link 'depot' of Parcel/p leads to Depot/north, which does not exist. Create it first, or check the key.",
      issues: [{ path: 'construct.depot', message: 'Depot/north does not exist' }],
    };
    expect(refusalOfLinks(ref, request, targets, [undefined])).toStrictEqual(rejection);
    const actor = { subject: 'ada', tenant: 'acme', roles: [] };
    expect(refusalOfLinks(ref, { ...request, actor }, targets, [{ ...north, tenant: 'other' }])).toStrictEqual(
      rejection,
    );
    expect(refusalOfLinks(ref, { ...request, actor }, targets, [{ ...north, tenant: 'acme' }])).toBeUndefined();
  });
});
