import type { Context } from 'hono';
import type { Logger } from 'pino';
import { entityId } from '../protocol/names.js';
import type { Access } from './access.js';
import type { Guard } from './guard.js';

/** Holds what every request carries. */
export interface ServiceEnv {
  /** The server gives it. It is absent where the application is called without a server. */
  readonly Bindings: { readonly incoming?: { readonly socket: { readonly remoteAddress?: string | undefined } } };
  readonly Variables: {
    /** The id of the HTTP request. It is in the answer and in each line of the log. */
    requestId: string;
    /** Decides on the request. All routes have it except the public ones. */
    guard: Guard;
    log: Logger;
    /** The operation that the request has opened, or asked for again. */
    operation?: string;
  };
}

export type ServiceContext = Context<ServiceEnv>;

/** Checks that somebody has the role for something. Whose it is, is decided when it is found. S6.5 @throws ProblemError 403 */
export function permit(context: ServiceContext, access: Access): void {
  const { entity, operation } = access;
  context.set('log', context.var.log.child({ ...(entity && { entity: entityId(entity) }), operation }));
  context.var.guard.permit(access);
}
