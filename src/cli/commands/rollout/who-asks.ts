import { randomUUID } from 'node:crypto';
import { ALL_TENANTS } from '../../../protocol/actor.js';
import { OPERATOR } from '../../../definition/roles.js';
import { messageOf } from '../../../definition/thrown.js';
import type { RolloutOptions } from '../../../rollout/index.js';
import { auditRowOf } from '../../../service/audit-row-of.js';
import { operatorSubject } from '../../api/local/operator.js';
import { withOwnStore } from '../../store-session.js';

/** Tells who rolls a build out or back, for its note, and writes that to the audit trail, if there is a store. Q2, S6.5 */
export function whoAsks(build: string): Required<Pick<RolloutOptions, 'by' | 'noted'>> {
  const by = operatorSubject();
  return {
    by,
    async noted(action, why) {
      const row = auditRowOf({
        ...{ at: Date.now(), requestId: randomUUID(), access: { action }, decision: 'allowed' },
        actor: { subject: by, tenant: ALL_TENANTS, roles: [OPERATOR] },
        reason: `Build ${build}${why === undefined ? '' : `: ${why}`}.`,
      });
      try {
        await withOwnStore((store) => store.writer.audit([row]));
      } catch (thrown) {
        console.error(`This '${action}' is missing in the audit trail: ${messageOf(thrown)}`);
      }
    },
  };
}
