import type { Context } from 'hono';
import type { Logger } from 'pino';
import { entityId } from '../protocol/names.js';
import type { Access } from './access.js';
import type { Guard } from './guard.js';

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
