import fastify from 'fastify';
import { requestIdOf, whoIs } from './caller.js';
import { reeve, temporal } from './clients.js';
import { refusal } from './refusal.js';
import { Website } from './website.js';

export const app = fastify();

/** By update: the answer says that the event was accepted, and has its outcome where it has settled already. */
app.post<{ Params: { site: string; event: string } }>('/websites/:site/events/:event', async (request, reply) => {
  const { site, event } = request.params;
  const actor = whoIs(request.headers.authorization);
  const requestId = requestIdOf(request.headers['idempotency-key'], actor, site);
  const { answer } = await reeve.raiseAny(Website, site, event, { params: request.body, requestId, actor });
  return reply.code(202).send(answer);
});

/** By signal: the answer says that Temporal has the event. Only the entity decides whether it is accepted. */
app.post<{ Params: { site: string } }>('/websites/:site/visits', async (request, reply) => {
  const { site } = request.params;
  const actor = whoIs(request.headers.authorization);
  const requestId = requestIdOf(request.headers['idempotency-key'], actor, site);
  await temporal.workflow.getHandle(`Website/${site}`).signal('visit', {}, { request: requestId, actor });
  return reply.code(202).send();
});

/** Fastify's own refusals, such as that of a body that is no JSON, have their status and code already. */
app.setErrorHandler((error: { readonly statusCode?: number }, _request, reply) => {
  if (error.statusCode !== undefined) return reply.send(error);
  const { status, ...body } = refusal(error);
  return reply.code(status).send(body);
});
