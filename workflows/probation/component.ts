import { z } from 'zod';
import { component, databaseLive, during, livenessTest, ref, timeField } from '../../src/components/index.js';

/**
 * For some time, a database has to answer: as after a failover, a move or a change of its size. It is asked at the beginning of each
 * minute, and whenever somebody pings the deployment.
 */
export const Probation = component('Probation', {
  attributes: z.object({
    /** The address with which to connect. */
    url: z.string(),
    time: timeField.default(600_000),
  }),
  roles: { deploy: ['owner', 'operator'], read: ['reader', 'owner', 'operator'], operate: ['owner', 'operator'] },
  deploys: () =>
    during({
      time: ref('../time'),
      action: livenessTest({
        condition: databaseLive({ url: ref('../url') }),
        message: 'the database does not answer',
      }),
    }),
});
