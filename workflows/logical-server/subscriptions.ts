import { all, and, any, none, or } from '../../src/definition/index.js';
import { Alias } from '../alias/definition.js';
import { DatabaseService } from '../database-service/definition.js';
import { DnsRecord } from '../dns-record/definition.js';
import { SqlApplication } from '../sql-application/definition.js';

/** The conditions that a server waits for while its resources are created, one after the other. */
export const subscriptions = {
  // A resource that does not even begin has failed as well. This happens while an earlier one of that name is still being
  // deleted.
  failed: { when: or(any({ is: 'failed' }), any({ is: 'rejected' })), raise: 'resourceFailed' },
  application: {
    when: and(all({ of: SqlApplication, in: 'Ready' }), none({ of: DatabaseService })),
    raise: 'applicationReady',
  },
  service: { when: and(all({ of: DatabaseService, in: 'Ready' }), none({ of: Alias })), raise: 'serviceReady' },
  ready: {
    when: and(
      all({ of: SqlApplication, in: 'Ready' }),
      all({ of: DatabaseService, in: 'Ready' }),
      all({ of: Alias, in: 'Ready' }),
      all({ of: DnsRecord, in: 'Ready' }),
    ),
    raise: 'resourcesReady',
  },
} as const;
