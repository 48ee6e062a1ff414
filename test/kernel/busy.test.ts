import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import { postpone } from '../../src/kernel/actions/postpone.js';
import { defineEntity, initial, rejection, stable, unstable } from '../../src/definition/index.js';
import { Host } from '../entities/host.js';
import { Puppet } from '../support/entities.js';

/** A host that is being deployed. */
function deploying(): Puppet {
  const host = new Puppet(Host);
  host.raise('deploy', undefined, { operation: 'op' });
  host.end('Deploying');
  host.startAutomatic();
  return host;
}

const owner = { type: 'Batch', key: 'b', life: 'batch-life' };

/** A reservation that has been used, and what its owner has been promised. */
function reserved(host: Puppet, events: readonly string[] = []): Puppet {
  const seal = events.length > 0 && { seal: { wait: 'w', version: 1, events } };
  const lease = { wait: 'w', operation: 'o', fence: 1, until: 9_000, hold: 'action', since: 0, looks: 0 } as const;
  host.snapshot = { ...host.snapshot, reservation: { ...lease, owner, used: true, ...seal } };
  return host;
}

describe('an event that comes while an action runs (S2.3)', () => {
  it('is rejected where that is declared, names the action and its operation, and changes nothing (busy.2, S2.2)', () => {
    const host = deploying();
    const before = host.snapshot;
    expect(host.raise('remove')).toEqual({
      status: 'rejected',
      rejection: {
        code: 'host_locked',
        message: "The host is locked. Host/k is Deploying and runs 'install' in operation op. Valid now: note, stop.",
        entity: 'Host/k',
        event: 'remove',
        state: 'Deploying',
        validNow: ['note', 'stop'],
        action: 'install',
        operation: 'op',
      },
    });
    expect(host.snapshot).toEqual(before);
  });

  it('is what is declared for it in the state, for it, for the state or for the entity, in this order', () => {
    const host = deploying();
    expect(host.raise('note', { text: 'a' })).toMatchObject({ status: 'waiting', behind: 'install' });
    expect(host.raise('remove')).toMatchObject({ rejection: { code: 'host_locked' } });
    expect(host.raise('rebuild')).toMatchObject({ rejection: { code: 'deploying' } });
    const enrolled = new Puppet(Host);
    enrolled.raise('deploy');
    const said = expect.stringContaining("'note' is rejected while an action runs.") as string;
    expect(enrolled.raise('note', { text: 'a' })).toMatchObject({
      rejection: { code: 'already_in_progress', message: said, action: 'deploy' },
    });
  });

  it('is rejected also behind others that wait, which stay (busy.2, busy.3)', () => {
    const host = deploying();
    host.raise('note', { text: 'a' });
    expect(host.raise('remove')).toMatchObject({ status: 'rejected' });
    expect(host.snapshot.waiting).toMatchObject([{ event: 'note' }]);
  });

  it('may abort the action instead (S3.2)', () => {
    const host = deploying();
    expect(host.raise('stop')).toMatchObject({ status: 'waiting', behind: 'the abort of install' });
    expect(host.raise('remove')).toMatchObject({ rejection: { code: 'host_locked' } });
  });

  it('gets a declared rejection that is certain first (S2.2)', () => {
    const Lamp = defineEntity('Lamp', {
      key: z.string(),
      properties: z.object({}),
      busy: 'reject',
      states: { Off: initial(), Going: unstable(), On: stable() },
      events: { light: { in: 'Off', otherwise: { Going: rejection('goes_on_already') } }, dim: { in: 'On' } },
      actions: {
        light: { on: 'light', in: 'Off', to: 'Going' },
        glow: { in: 'Going', to: 'On' },
        dim: { on: 'dim', in: 'On', to: 'Off' },
      },
    });
    const lamp = new Puppet(Lamp);
    lamp.raise('light');
    lamp.end('Going');
    lamp.startAutomatic();
    expect(lamp.raise('light', undefined, { id: 'again' })).toMatchObject({ rejection: { code: 'goes_on_already' } });
    expect(lamp.raise('dim')).toMatchObject({ rejection: { code: 'already_in_progress' } });
  });

  it('is not rejected between attempts, nor during a wait (busy.1, S2.4)', () => {
    const host = deploying();
    host.throws('broken');
    expect(host.raise('remove')).toMatchObject({ status: 'accepted' });
  });

  it('is rejected for another entity, which is told, and for a request to cancel (busy.4)', () => {
    const host = deploying();
    host.taken();
    host.raise('remove', undefined, { from: { ...owner, version: 1 }, operation: 'other' } as never);
    const told = host.taken().flatMap((effect) => (effect.kind === 'tell' ? [effect.message] : []));
    expect(told).toMatchObject([{ kind: 'ended', outcome: { rejection: { code: 'host_locked' } } }]);
    expect(host.snapshot.waiting).toEqual([]);
  });

  it('waits where it comes to an address, which takes it once (busy.4)', () => {
    const host = deploying();
    host.snapshot = {
      ...host.snapshot,
      addresses: [{ id: 'answer', event: 'remove', until: 9_000, open: true, at: 0 }] as never,
    };
    expect(host.raise('remove', undefined, { id: 'answer', addressedAt: 1 })).toMatchObject({ status: 'waiting' });
  });

  it('waits where the entity has promised to admit it (busy.5, S3.6)', () => {
    const host = reserved(deploying(), ['sealed']);
    const raised = { from: { ...owner, version: 1 }, operation: 'o' } as never;
    expect(host.raise('remove', undefined, { ...(raised as object), id: 'other' })).toMatchObject({
      status: 'rejected',
    });
    expect(host.raise('remove', undefined, { ...(raised as object), id: 'sealed' })).toMatchObject({
      status: 'waiting',
    });
  });

  it('is rejected while an action is postponed, but not for the owner of a reservation (busy.1, busy.5)', () => {
    const host = deploying();
    host.apply(postpone(host.snapshot, ['Host/k'], host.now));
    expect(host.raise('remove')).toMatchObject({
      rejection: { code: 'host_locked', action: 'install', operation: 'op' },
    });
    expect(allowedEvents(Host, host.snapshot).find(({ event }) => event === 'remove')).toMatchObject({
      allowed: false,
    });
    reserved(host);
    expect(host.raise('remove')).toMatchObject({ rejection: { code: 'host_locked' } });
    const raised = { from: { ...owner, version: 1 }, operation: 'o' } as never;
    expect(host.raise('remove', undefined, raised)).toMatchObject({ status: 'accepted' });
  });
});
