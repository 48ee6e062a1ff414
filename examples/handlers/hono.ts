import { Hono } from 'hono';
import { requestIdOf, whoIs } from './caller.js';
import { reeve, temporal } from './clients.js';
import { refusal } from './refusal.js';
import { Website } from './website.js';

export const app = new Hono();

/** By update: the answer says that the event was accepted, and has its outcome where it has settled already. */
app.post('/websites/:site/events/:event', async (context) => {
  const { site, event } = context.req.param();
  const actor = whoIs(context.req.header('Authorization'));
  const requestId = requestIdOf(context.req.header('Idempotency-Key'), actor, site);
  const { answer } = await reeve.raiseAny(Website, site, event, { params: await context.req.json(), requestId, actor });
  return context.json(answer, 202);
});

/** By signal: the answer says that Temporal has the event. Only the entity decides whether it is accepted. */
app.post('/websites/:site/visits', async (context) => {
  const { site } = context.req.param();
  const actor = whoIs(context.req.header('Authorization'));
  const requestId = requestIdOf(context.req.header('Idempotency-Key'), actor, site);
  await temporal.workflow.getHandle(`Website/${site}`).signal('visit', {}, { request: requestId, actor });
  return context.body(null, 202);
});

app.onError((error, context) => {
  const { status, ...body } = refusal(error);
  return context.json(body, status);
});
