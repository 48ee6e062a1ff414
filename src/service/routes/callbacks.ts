import { z } from '@hono/zod-openapi';
import { answerSchema, type CallbackAnswer } from '../../protocol/callback.js';
import { entityId } from '../../protocol/names.js';
import { Rejected } from '../../protocol/errors.js';
import type { CallbackKeys } from '../../temporal/callback-address.js';
import { answeredWithin } from '../answer-limit.js';
import { CALLBACK_PATH, callbackToken } from '../callback-path.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const answered = z.object({ status: z.literal('answered'), entity: z.string() }).openapi('AnsweredCall');

/** Serves the addresses where calls are answered. Whoever was given an address may answer there, and nobody else. A1 */
export function serveCallbacks(
  app: ServiceApp,
  { reeve, settings }: ServiceParts,
  keys: CallbackKeys | undefined,
): void {
  const route = {
    method: 'post',
    path: CALLBACK_PATH,
    operationId: 'answerCall',
    tag: 'callbacks',
    summary: 'Answer a call',
    description:
      'The address itself is the proof. The first answer counts, and the same answer again gets the same response. It is ' +
      '`409` when the call has had another answer, and `410` when nobody waits for it any more.',
    open: true,
    request: {
      params: z.object({ token: z.string().max(4_000) }),
      body: { content: { 'application/json': { schema: answerSchema().openapi('CallAnswer') } }, required: true },
    },
    responses: { 200: jsonResponse('The call has been answered.', answered) },
    problems: [404, 409, 410],
  } as const;
  serve(app, route, async (context) => {
    const question = keys?.questionOf(callbackToken(context.req.path) ?? '');
    if (!question) throw nothingToAnswer();
    const { guard } = context.var;
    guard.answer(question);
    const answer = (await context.req.json()) as CallbackAnswer;
    try {
      await guard.entity(answeredWithin(settings.answerMs, reeve.answer(question, answer)));
    } catch (thrown) {
      if (!(thrown instanceof Rejected) || thrown.code !== 'request_conflict') throw thrown;
      throw new ProblemError(
        409,
        'answered_otherwise',
        'The call has had another answer already, and the first one counts.',
      );
    }
    return context.json({ status: 'answered', entity: entityId(question.of) }, 200);
  });
}

/** The answer for a token that was made up, cut or changed. It does not tell which calls exist. */
export function nothingToAnswer(): ProblemError {
  return new ProblemError(404, 'absent', 'There is nothing to answer at this address.');
}
