import { describe, expect, it } from 'vitest';
import { Parcel } from '../entities/parcel.js';
import { Site } from '../entities/site.js';
import { Puppet } from '../support/entities.js';

/** A site that is open, with a port and no link. */
function open(): Puppet {
  const site = new Puppet(Site, 'shop', { size: 2 });
  site.raise('build');
  site.end('Building');
  site.now = site.snapshot.nextAttemptAt!;
  site.startAutomatic();
  site.end('Open', { properties: { size: 2, cluster: 'west', port: 80 } });
  return site;
}

describe('links and subordinates', () => {
  it('start out empty (S1.1)', () => {
    const { links, subordinates } = new Puppet(Site, 'shop', { size: 2 }).snapshot;
    expect(links).toEqual({ databases: [] });
    expect(subordinates).toEqual({ firewallRules: {} });
  });

  it('change in the same commit as the state and the properties (S1.2, S3.2, commit.1)', () => {
    const site = open();
    const { version } = site.snapshot;
    site.raise('guard', { name: 'office' });
    site.end(undefined, {
      links: { application: 'app', databases: ['a', 'b'] },
      subordinates: { firewallRules: { office: { from: '10.0.0.1', to: '10.0.0.9' } } },
    });
    expect(site.snapshot).toMatchObject({
      version: version + 1,
      links: { application: 'app', databases: ['a', 'b'] },
      subordinates: { firewallRules: { office: { from: '10.0.0.1', to: '10.0.0.9' } } },
    });
  });

  it.each([
    ['a link that is no key', { links: { application: 7 as unknown as string, databases: [] } }, 'links.application'],
    [
      'a link that no key is as long as',
      { links: { application: 'x'.repeat(201), databases: [] } },
      'links.application',
    ],
    ['a list of keys that is none', { links: { databases: 'a' } }, 'links.databases: is not a list of keys'],
    ['a key named twice', { links: { databases: ['a', 'a'] } }, 'links.databases: names an entity twice'],
    ['an unknown link', { links: { databases: [], server: 'x' } }, 'links.server: there is no such link'],
    [
      'a subordinate that breaks its schema',
      { subordinates: { firewallRules: { office: { from: '10.0.0.1' } } } },
      'subordinates.firewallRules.office.to',
    ],
    ['an unknown collection', { subordinates: { rules: {} } }, 'subordinates.rules: there is no such collection'],
  ])(
    'with %s are refused: the action has failed, and nothing took effect (S1.2, S3.2, commit.2)',
    (_, result, message) => {
      const site = open();
      const { links, subordinates } = site.snapshot;
      site.raise('guard', { name: 'office' });
      site.end(undefined, { properties: { size: 99 }, ...result });
      expect(site.snapshot).toMatchObject({ state: 'Open', links, subordinates, properties: { size: 2 } });
      expect(site.snapshot.lastError?.code).toBe('constraint_violated');
      expect(site.snapshot.lastError?.message).toContain(message);
    },
  );
});

describe('a fixed property (S1.2)', () => {
  const sender = { name: 'Ada', city: 'London' };
  const packed = () => new Puppet(Parcel, 'p', { sender });

  it.each([
    ['another value', { sender: { name: 'Bob', city: 'London' } }, 'properties.sender'],
    ['a value changed within', { sender: { ...sender, city: 'Paris' } }, 'properties.sender'],
    ['no value', { kind: undefined }, 'properties.kind'],
    ['several', { sender: { ...sender, city: 'Paris' }, kind: 'box' }, 'properties.sender, properties.kind'],
  ])('with %s is refused: the action has failed, and nothing took effect (S3.2, commit.5)', (_, changes, named) => {
    const parcel = packed();
    parcel.raise('correct', { city: 'Paris' });
    parcel.end(undefined, { properties: { ...parcel.snapshot.properties, weight: 9, ...changes } });
    expect(parcel.snapshot).toMatchObject({ state: 'Packed', properties: { sender, kind: 'letter', weight: 1 } });
    expect(parcel.snapshot.lastError).toMatchObject({
      ...{ kind: 'defect', code: 'fixed_property_changed' },
      message: expect.stringContaining(`'correct' of Parcel changed fixed properties: ${named}.`),
    });
  });

  it('makes an automatic action one that is tried again (S3.5)', () => {
    const parcel = packed();
    parcel.raise('weigh');
    parcel.end('Weighing');
    parcel.startAutomatic();
    parcel.end('Weighed', { properties: { ...parcel.snapshot.properties, kind: 'box' } });
    expect(parcel.snapshot).toMatchObject({ state: 'Weighing', attempt: 1, properties: { kind: 'letter' } });
  });

  it('stays as it is where an action sets it to the same, in whatever order of members', () => {
    const parcel = packed();
    parcel.raise('correct', { city: 'Paris' });
    parcel.end(undefined, { properties: { weight: 9, kind: 'letter', sender: { city: 'London', name: 'Ada' } } });
    expect(parcel.snapshot.lastError).toBeUndefined();
    expect(parcel.snapshot.properties).toEqual({ sender, kind: 'letter', weight: 9 });
  });

  it('gets the default of a new version also where the entity lives already', () => {
    const parcel = packed();
    parcel.snapshot = { ...parcel.snapshot, properties: { sender, weight: 1 } };
    parcel.raise('correct', { city: 'Paris' });
    parcel.end();
    expect(parcel.snapshot).toMatchObject({ properties: { kind: 'letter' } });
    expect(parcel.snapshot.lastError).toBeUndefined();
  });
});

describe('the constraint of a state (S1.6)', () => {
  it('refuses a commit that would break it, naming state, path and reason, and changes nothing (commit.2)', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.raise('build');
    site.end('Building');
    site.now = site.snapshot.nextAttemptAt!;
    site.startAutomatic();
    site.end('Open', { properties: { size: 3 } });
    expect(site.snapshot).toMatchObject({ state: 'Building', properties: { size: 2 }, attempt: 1 });
    expect(site.snapshot.lastError?.code).toBe('constraint_violated');
    expect(site.snapshot.lastError?.message).toMatch(/'build' of Site went to Open.*properties\.port: .*number/);
  });

  it('is kept also when the action stays in its state', () => {
    const site = open();
    site.raise('guard', { name: 'office' });
    site.end(undefined, { properties: { size: 2, cluster: 'west' } });
    expect(site.snapshot).toMatchObject({ state: 'Open', lastError: { code: 'constraint_violated' } });
    expect(site.snapshot.properties['port']).toBe(80);
  });

  it('of the state after the last attempt keeps the entity where it is, exhausted', () => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.raise('build');
    site.end('Building');
    for (let attempt = 1; attempt <= 2; attempt++) {
      site.now = site.snapshot.nextAttemptAt!;
      site.startAutomatic();
      site.throws('no_ground');
    }
    expect(site.snapshot).toMatchObject({
      state: 'Building',
      exhausted: true,
      lastError: { code: 'constraint_violated' },
    });
    expect(site.snapshot.lastError?.message).toMatch(/no_ground.*Broken.*links\.application/);
    expect(site.snapshot.ledger.recent[0]?.outcome).toMatchObject({
      health: 'error',
      error: { code: 'constraint_violated' },
    });
  });

  it('lets the entity go there when it holds', () => {
    const site = new Puppet(Site, 'shop', { size: 2, application: 'app' });
    site.raise('build');
    site.end('Building');
    site.now = site.snapshot.nextAttemptAt!;
    site.startAutomatic();
    site.throws('hopeless', true);
    expect(site.snapshot).toMatchObject({ state: 'Broken', exhausted: false });
  });
});

describe('a terminal state (S1.3)', () => {
  it('keeps the entity as it is: readable, at rest for good, with its key', () => {
    const site = open();
    site.raise('archive');
    site.end('Archived');
    expect(site.snapshot).toMatchObject({ state: 'Archived', properties: { port: 80 } });
    expect(site.next()).toEqual({ kind: 'rest' });
  });

  it('rejects every event with a code of its own, or with the one that is declared (S2.2)', () => {
    const archived = open();
    archived.raise('archive');
    archived.end('Archived');
    const before = archived.snapshot;
    expect(archived.raise('drop')).toMatchObject({
      status: 'rejected',
      rejection: { code: 'terminal', state: 'Archived', validNow: [] },
    });
    expect(archived.snapshot).toBe(before);
    const sealed = open();
    sealed.raise('seal');
    sealed.end('Sealed');
    expect(sealed.raise('archive')).toMatchObject({ status: 'rejected', rejection: { code: 'sealed' } });
  });
});

describe('a wait on a transition (S3.5)', () => {
  const building = (waitMs?: number) => {
    const site = new Puppet(Site, 'shop', { size: 2 });
    site.raise('build');
    site.end('Building', waitMs === undefined ? {} : { waitMs });
    return site;
  };
  const delay = ({ snapshot, now }: Puppet) => snapshot.nextAttemptAt! - now;

  it("that the action declares goes before the state's own, and the one that it chooses before both", () => {
    expect(delay(building())).toBe(5_000);
    expect(delay(building(300))).toBe(300);
  });

  it('paces an action that goes to its own state, and counts as an attempt', () => {
    const site = building(0);
    site.startAutomatic();
    site.end('Building');
    expect(delay(site)).toBe(7_000);
    expect(site.snapshot.attempt).toBe(1);
  });

  it('is chosen for the next attempt by an action that then stays or fails', () => {
    const stays = building(0);
    stays.startAutomatic();
    stays.end(undefined, { retryAfterMs: 42_000 });
    expect(delay(stays)).toBe(42_000);
    const fails = building(0);
    fails.startAutomatic();
    fails.throws('no_ground', false, 9_000);
    expect(delay(fails)).toBe(9_000);
    const breaks = building(0);
    breaks.startAutomatic();
    breaks.end('Open', { retryAfterMs: 8_000 });
    expect(delay(breaks)).toBe(8_000);
  });

  it('is the growing delay of the state where nothing else is said', () => {
    const site = building(0);
    site.startAutomatic();
    site.end();
    expect(delay(site)).toBe(2_000);
  });
});
