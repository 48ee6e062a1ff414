import type { Logger } from 'pino';
import { ALL_TENANTS } from '../protocol/actor.js';
import type { CallbackQuestion } from '../protocol/callback.js';
import { entityId } from '../protocol/names.js';
import type { CallbackKeys } from '../temporal/callback-address.js';
import type { Credentials } from './authentication/authenticator.js';
import { callbackToken, withoutToken } from './callback-path.js';
import { nothingToAnswer } from './routes/callbacks.js';
import { Allowances } from './allowance.js';
import type { AuditTrail } from './audit-trail.js';
import type { Authenticator } from './authentication/authenticator.js';
import type { ServiceContext } from './context.js';
import type { Declared } from './declared.js';
import { Guard } from './guard.js';
import { ProblemError } from './problem.js';
import type { RefusalsOfNobody } from './refusals-of-nobody.js';
import type { ServiceSettings } from './settings.js';

/** The paths that anybody may ask for. They tell about the service and its declarations, or are files of the page and of
 * the guide, and tell about no entity. */
const PUBLIC =
  /^\/(health\/(live|ready)|openapi\.json|docs(\/(diagrams\/)?[^/]+)?|assets\/[^/]+|favicon\.svg|guide(\/.*)?)?$/;

const FROM_OUTSIDE = { tenant: ALL_TENANTS, roles: [] };
const CHALLENGE = { 'WWW-Authenticate': 'Bearer realm="reeve"' };

/**
 * The one door: every request except the public ones shows who asks, and none is answered unless somebody has decided on it,
 * whichever route it takes. S6.5
 */
export function guardRequests(parts: {
  readonly authenticator: Authenticator;
  readonly declared: Declared;
  readonly audit: AuditTrail;
  /** Counts the refusals of requests that do not show who asks. */
  readonly refusals: RefusalsOfNobody;
  readonly rates: ServiceSettings['rates'];
  readonly log: Logger;
  /** The keys that sign the addresses at which calls are answered from outside. A1 */
  readonly callbacks?: CallbackKeys | undefined;
  /** The sites whose pages may use the codec server. Q5 */
  readonly codecOrigins?: readonly string[];
}) {
  const callers = new Allowances(parts.rates.caller);
  const addresses = new Allowances(parts.rates.nobody);
  return async (context: ServiceContext, next: () => Promise<void>): Promise<void> => {
    if (PUBLIC.test(context.req.path)) return next();
    const { requestId } = context.var;
    const remoteAddress = context.env?.incoming?.socket.remoteAddress;
    const from = { requestId, ...(remoteAddress !== undefined && { remoteAddress }) };
    const token = callbackToken(context.req.path);
    const credentials =
      token === undefined
        ? await parts.authenticator.authenticate(asOfOwnSite(context.req.raw, parts.codecOrigins ?? []))
        : await answerCredentials(context.req.raw, parts.callbacks?.questionOf(token), parts.authenticator);
    if (!credentials) {
      const reason =
        token === undefined
          ? 'The request is not authenticated, or it comes from a page of another site.'
          : 'This address was never issued.';
      const access = { action: `${context.req.method} ${withoutToken(context.req.path)}`.slice(0, 300) };
      parts.refusals.record({ at: Date.now(), actor: undefined, access, decision: 'denied', reason, ...from });
      addresses.take(remoteAddress ?? '');
      if (token !== undefined) throw nothingToAnswer();
      throw new ProblemError('unauthenticated', reason, {}, CHALLENGE);
    }
    const { subject, tenant } = credentials.actor;
    callers.take(JSON.stringify([tenant, subject]));
    const guard = new Guard(credentials, parts.declared, (entry) =>
      parts.audit.record({ at: Date.now(), ...entry, ...from }),
    );
    context.set('guard', guard);
    context.set('log', context.var.log.child({ subject }));
    await next();
    const { decided } = guard;
    guard.end();
    if (context.res.status < 400 && !decided) {
      await context.res.body?.cancel();
      throw new Error(`${context.req.method} ${context.req.path} was answered without a decision on who may do that.`);
    }
  };
}

/** A request to the codec server from a page of a site that is named: such a page counts as one of this site. Q5 */
function asOfOwnSite(request: Request, origins: readonly string[]): Request {
  const origin = request.headers.get('origin');
  const { pathname } = new URL(request.url);
  if (origin === null || !origins.includes(origin) || !pathname.startsWith('/codec/')) return request;
  const headers = new Headers(request.headers);
  headers.delete('origin');
  return new Request(request.url, { method: request.method, headers });
}

/**
 * Anyone who has the address may answer this one call, and may do nothing else. A caller who is known answers in their own name: one
 * with a key or token, and without authentication the user of the service's own page. S6.5
 */
async function answerCredentials(
  request: Request,
  question: CallbackQuestion | undefined,
  authenticator: Authenticator,
): Promise<Credentials | undefined> {
  if (!question) return undefined;
  // Without authentication, everybody on this machine counts as the developer, also a program that was given the address.
  const isKnown = !authenticator.open || request.headers.has('origin');
  const caller = isKnown ? await authenticator.authenticate(request) : undefined;
  const address = { subject: `callback of ${entityId(question.of)}`, ...FROM_OUTSIDE };
  return caller ?? { actor: address, until: question.until };
}
