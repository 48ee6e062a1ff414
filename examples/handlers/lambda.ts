import { requestIdOf, whoIs } from './caller.js';
import { reeve, temporal } from './clients.js';
import { refusal } from './refusal.js';
import { Website } from './website.js';

/** The members that a handler reads of an event of API Gateway's HTTP API, in format 2.0. The names of headers are lower case. */
export interface GatewayEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly pathParameters: { readonly site: string; readonly event: string };
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

/**
 * By update: the answer says that the event was accepted, and has its outcome where it has settled already. Its route is
 * `POST /websites/{site}/events/{event}`.
 */
export async function raise({ headers, pathParameters: { site, event }, body = '', isBase64Encoded }: GatewayEvent) {
  try {
    const actor = whoIs(headers['authorization']);
    const requestId = requestIdOf(headers['idempotency-key'], actor, site);
    const params: unknown = JSON.parse(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
    const { answer } = await reeve.raiseAny(Website, site, event, { params, requestId, actor });
    return json(202, answer);
  } catch (thrown) {
    return refused(thrown);
  }
}

/**
 * By signal: the answer says that Temporal has the event. Only the entity decides whether it is accepted. Its route is
 * `POST /websites/{site}/visits`.
 */
export async function visit({ headers, pathParameters: { site } }: GatewayEvent) {
  try {
    const actor = whoIs(headers['authorization']);
    const requestId = requestIdOf(headers['idempotency-key'], actor, site);
    await temporal.workflow.getHandle(`Website/${site}`).signal('visit', {}, { request: requestId, actor });
    return { statusCode: 202 };
  } catch (thrown) {
    return refused(thrown);
  }
}

function refused(thrown: unknown) {
  const { status, ...body } = refusal(thrown);
  return json(status, body);
}

function json(statusCode: number, body: object) {
  return { statusCode, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
