import { describe, expect, it } from 'vitest';
import { currentOperation, decide, decideRaised } from '../../src/kernel/rules/decide.js';
import { validEvents } from '../../src/kernel/rules/valid-now.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import type { Engagement, Snapshot } from '../../src/protocol/snapshot.js';
import { Site } from '../entities/site.js';
import { Vault } from '../entities/vault.js';
import { Puppet } from '../support/entities.js';

const site = (more: Partial<Snapshot> = {}): Snapshot => ({
  ...new Puppet(Site, 'shop', { size: 2 }).snapshot,
  ...more,
});
const refused = (state: string, event: string, entity: typeof Site = Site) => {
  const decision = decide(entity, site({ state }), { event });
  return decision.accepted ? undefined : decision.rejection;
};

describe('why an event is not valid (S2.2, decide.1)', () => {
  it('is that the entity has ended, unless the declaration says otherwise', () => {
    expect(refused('Archived', 'drop')).toMatchObject({ code: 'terminal', validNow: [] });
    expect(refused('Archived', RETRY_EVENT)?.code).toBe('terminal');
    expect(refused('Sealed', 'archive')?.code).toBe('sealed');
    expect(refused('Deleted', 'drop')?.code).toBe('gone');
    expect(refused('Empty', 'created')?.code).toBe('already_exists');
    expect(refused('Deleted', 'created')?.code).toBe('gone');
  });

  it('is said in the words of the declaration where it has some, which are never continued', () => {
    for (const message of ['The seal is on it: wait for it to be off', 'The seal is on it: wait for it to be off.']) {
      const archive = { ...Site.events.archive, otherwise: { Sealed: { code: 'sealed', message } } };
      const worded = { ...Site, events: { ...Site.events, archive } } as unknown as typeof Site;
      expect(refused('Sealed', 'archive', worded)?.message).toMatch(
        /^The seal is on it: wait for it to be off\. Site\/shop is Sealed\. Valid now: /,
      );
    }
    expect(refused('Sealed', 'archive')?.message).toMatch(/^'archive' is not valid while/);
  });

  it('names the operation that runs, where one does', () => {
    const engagement = { operation: 'latest' } as Engagement;
    const operation = { id: 'rests', open: true, position: '1' };
    expect(currentOperation(site())).toBeUndefined();
    expect(currentOperation(site({ operation }))).toBe('rests');
    expect(currentOperation(site({ operation: { ...operation, open: false } }))).toBeUndefined();
    const engagements = [{ ...engagement, operation: 'earlier' }, engagement];
    expect(currentOperation(site({ operation, engagements }))).toBe('latest');
    expect(currentOperation(site({ engagements }))).toBe('latest');
    expect(refused('Archived', 'drop')).not.toHaveProperty('operation');
    const running = decideRaised(Site, site({ operation }), { event: 'drop', expects: { life: 'life-1', version: 9 } });
    expect(running).toMatchObject({ rejection: { code: 'version_conflict', operation: 'rests' } });
    const idle = decideRaised(Site, site(), { event: 'drop', expects: { life: 'life-1', version: 9 } });
    expect(idle).not.toHaveProperty('rejection.operation');
  });
});

describe('the events that are valid in a state (S2.6)', () => {
  it('are without the internal ones for those outside only', () => {
    expect(validEvents(Vault, 'Open')).toContain('seal');
    expect(validEvents(Vault, 'Open', false)).toContain('seal');
    expect(validEvents(Vault, 'Open', true)).not.toContain('seal');
    expect(validEvents(Vault, 'Nowhere')).toEqual([]);
  });
});
