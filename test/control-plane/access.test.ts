import { expect, it } from 'vitest';
import { newborn } from '../../src/kernel/actions/birth.js';
import { refusePermission } from '../../src/kernel/rules/permission.js';
import { refuseRole } from '../../src/service/access.js';
import { controlPlane } from '../../workflows/definitions.js';

/** All that others than operators may do, in words of its own; whoever adds an event says here who may raise it. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  LogicalServer: [
    'create',
    'created',
    'delete',
    'setFirewallRule',
    'removeFirewallRule',
    'addStandby',
    'removeStandby',
  ],
  PartitionedTable: ['create', 'created', 'delete'],
  LogicalDatabase: ['create', 'created', 'scale', 'rename', 'copyTo', 'moveTo', 'delete'],
};
const READERS = ['reader', 'owner', 'operator'];

it('the reference control plane lets each role do what is meant for it, at the service and at the entity (S6.5)', () => {
  const wrong: string[] = [];
  for (const entity of controlPlane) {
    const ref = { type: entity.name, key: 'k' };
    const snapshot = newborn(entity, ref, 'life', 0, { properties: {}, links: {}, subordinates: {} });
    const outside = Object.keys(entity.events).filter((event) => !entity.events[event]!.internal);
    for (const role of ['nobody', 'reader', 'owner', 'operator']) {
      for (const tenant of ['*', 'acme']) {
        const actor = { subject: 'alice', tenant, roles: [role] };
        const check = (what: string, expected: boolean, allowed: boolean) => {
          if (allowed !== expected) wrong.push(`${role} of ${tenant}: ${what} ${entity.name}: ${String(allowed)}`);
        };
        const mine = tenant === '*';
        const asked = (access: object) =>
          refuseRole(entity, actor, { action: 'read', entity: ref, ...access }) === undefined;
        check('read', mine && READERS.includes(role), asked({}));
        for (const action of ['retry', 'mark-lost']) check(action, mine && role === 'operator', asked({ action }));
        for (const event of [...outside, 'created']) {
          const owners = role === 'owner' && (OWNERS[entity.name] ?? []).includes(event);
          const expected = mine && (role === 'operator' || owners);
          const access = event === 'created' ? { action: 'create' } : { action: 'raise', event };
          check(`${event} at the service on`, expected, asked(access));
          check(`${event} at the`, expected, refusePermission(entity, snapshot, { event, actor }) === undefined);
          check(`cancel ${event} of`, expected, asked({ action: 'cancel', event }));
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});
