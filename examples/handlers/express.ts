import express, { type ErrorRequestHandler } from 'express';
import { requestIdOf, whoIs } from './caller.js';
import { reeve, temporal } from './clients.js';
import { refusal } from './refusal.js';
import { Website } from './website.js';

export const app = express();
app.use(express.json());

/** By update: the answer says that the event was accepted, and has its outcome where it has settled already. */
app.post('/websites/:site/events/:event', async (request, response) => {
  const { site, event } = request.params;
  const actor = whoIs(request.get('Authorization'));
  const requestId = requestIdOf(request.get('Idempotency-Key'), actor, site);
  const { answer } = await reeve.raiseAny(Website, site, event, { params: request.body as unknown, requestId, actor });
  response.status(202).json(answer);
});

/** By signal: the answer says that Temporal has the event. Only the entity decides whether it is accepted. */
app.post('/websites/:site/visits', async (request, response) => {
  const { site } = request.params;
  const actor = whoIs(request.get('Authorization'));
  const requestId = requestIdOf(request.get('Idempotency-Key'), actor, site);
  await temporal.workflow.getHandle(`Website/${site}`).signal('visit', {}, { request: requestId, actor });
  response.status(202).end();
});

/** Express knows it for a handler of errors by its four parameters. */
const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  const { status, ...body } = refusal(error);
  response.status(status).json(body);
};
app.use(refuse);
