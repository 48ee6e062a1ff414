import { z } from 'zod';
import { component, delay, sequence } from '../../src/components/index.js';
import { defineEntity, deleted, initial, stable, unstable } from '../../src/definition/index.js';
import { defineDistributedOperation } from '../../src/distributed/index.js';

/*
 * Declarations with which the service of the reference is made: a service has calls for each entity type.
 */

export const Website = defineEntity('Website', {
  key: z.string(),
  properties: z.object({ url: z.string().optional() }),
  dimensions: { tenant: 'tenant' },
  states: { Absent: initial(), Deploying: unstable(), Live: stable(), Gone: deleted() },
  events: {
    create: { in: 'Absent', params: z.object({ plan: z.enum(['small', 'large']) }) },
    takeDown: { in: 'Live', roles: ['owner', 'operator'] },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Deploying' },
    deploy: { in: 'Deploying', to: 'Live' },
    takeDown: { on: 'takeDown', in: 'Live', to: 'Gone' },
  },
});

export const Backup = component('Backup', {
  attributes: z.object({ of: z.string() }),
  deploys: () => sequence({ pause: delay({ time: '1s' }) }),
});

export const checksum = defineDistributedOperation('checksum', {
  argument: z.object({ algorithm: z.enum(['sha256', 'sha512']) }),
  on: 'primary',
  canFail: false,
  progress: { schema: z.object({ done: z.number(), total: z.number() }), kept: 'executor' },
});
