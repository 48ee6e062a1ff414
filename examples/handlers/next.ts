import { requestIdOf, whoIs } from './caller.js';
import { reeve, temporal } from './clients.js';
import { refusal } from './refusal.js';
import { Website } from './website.js';

/**
 * By update: the answer says that the event was accepted, and has its outcome where it has settled already. Its file in the App Router is
 * `app/websites/[site]/events/[event]/route.ts`.
 */
export async function POST(request: Request, { params }: { params: Promise<{ site: string; event: string }> }) {
  try {
    const { site, event } = await params;
    const actor = whoIs(request.headers.get('Authorization'));
    const requestId = requestIdOf(request.headers.get('Idempotency-Key'), actor, site);
    const { answer } = await reeve.raiseAny(Website, site, event, { params: await request.json(), requestId, actor });
    return Response.json(answer, { status: 202 });
  } catch (thrown) {
    return refused(thrown);
  }
}

/**
 * By signal: the answer says that Temporal has the event. Only the entity decides whether it is accepted. It is the `POST` of
 * `app/websites/[site]/visits/route.ts`.
 */
export async function postVisit(request: Request, { params }: { params: Promise<{ site: string }> }) {
  try {
    const { site } = await params;
    const actor = whoIs(request.headers.get('Authorization'));
    const requestId = requestIdOf(request.headers.get('Idempotency-Key'), actor, site);
    await temporal.workflow.getHandle(`Website/${site}`).signal('visit', {}, { request: requestId, actor });
    return new Response(null, { status: 202 });
  } catch (thrown) {
    return refused(thrown);
  }
}

function refused(thrown: unknown): Response {
  const { status, ...body } = refusal(thrown);
  return Response.json(body, { status });
}
