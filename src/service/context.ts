import type { Context } from 'hono';
import type { Logger } from 'pino';
import type { ReeveClient } from '../client/client.js';
import { entityId } from '../protocol/names.js';
import type { Access } from './access.js';
import type { AuditTrail } from './audit-trail.js';
import type { ChangeStreams } from './change-streams.js';
import type { Guard } from './guard.js';
import type { EntityModule } from './module.js';
import type { ServiceStore } from './service-store.js';
import type { ServiceSettings } from './settings.js';

/** What the routes work with. */
export interface ServiceParts {
  readonly reeve: ReeveClient;
  readonly modules: readonly EntityModule[];
  readonly settings: ServiceSettings;
  readonly audit: AuditTrail;
  readonly store: ServiceStore | undefined;
  readonly streams: ChangeStreams;
  /** The address of a workflow in Temporal's UI; absent where no UI is known. S5.6 */
  readonly execution: ((workflowId: string) => string) | undefined;
  readonly log: Logger;
}

/** What every request carries. */
export interface ServiceEnv {
  /** Given by the server; not there where the application is called without one. */
  readonly Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } };
  readonly Variables: {
    /** Of the HTTP request: in its answer and in each line of the log. */
    requestId: string;
    /** Of all routes but the public ones. */
    guard: Guard;
    log: Logger;
    /** The operation that the request has opened, or asked for again. */
    operation?: string;
  };
}

export type ServiceContext = Context<ServiceEnv>;

/** Whether somebody has the role for something. Whose it is, is decided when it is found. S6.5 @throws ProblemError 403 */
export function permit(context: ServiceContext, access: Access): void {
  const { entity, operation } = access;
  context.set('log', context.var.log.child({ ...(entity && { entity: entityId(entity) }), operation }));
  context.var.guard.permit(access);
}
