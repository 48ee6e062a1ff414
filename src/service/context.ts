import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { ReeveClient } from '../client/client.js';
import type { Actor } from './actor.js';
import type { AuditTrail } from './audit-trail.js';
import type { Access, Authorizer } from './authorizer.js';
import type { ChangeStreams } from './change-streams.js';
import type { EntityModule } from './module.js';
import { ProblemError } from './problem.js';
import type { ServiceStore } from './service-store.js';
import type { ServiceSettings } from './settings.js';

/** What the routes work with. */
export interface ServiceParts {
  readonly reeve: ReeveClient;
  readonly modules: readonly EntityModule[];
  readonly settings: ServiceSettings;
  readonly authorizer: Authorizer;
  readonly audit: AuditTrail;
  readonly store: ServiceStore | undefined;
  readonly streams: ChangeStreams;
  readonly log: Logger;
}

/** What every request carries. */
export interface ServiceEnv {
  readonly Variables: {
    /** Of the HTTP request: in its answer and in each line of the log. */
    requestId: string;
    actor: Actor;
    log: Logger;
  };
}

export type ServiceContext = Context<ServiceEnv>;

/**
 * Lets somebody do something, or not; both are audited, a plain read only when it is refused. S6.5
 * @throws ProblemError 403
 */
export async function permit(context: ServiceContext, parts: ServiceParts, access: Access): Promise<void> {
  const { actor, requestId } = context.var;
  const decided = await parts.authorizer.authorise(actor, access);
  if (decided.allowed && access.action === 'read') return;
  const entry = { at: Date.now(), actor, access, requestId };
  await parts.audit.record(
    decided.allowed ? { ...entry, decision: 'allowed' } : { ...entry, decision: 'denied', reason: decided.reason },
  );
  if (!decided.allowed) throw new ProblemError(403, 'forbidden', decided.reason);
}
