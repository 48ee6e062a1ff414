import { z } from '@hono/zod-openapi';
import type { Resource } from '../../definition/resource.js';
import { answerSchema, type CallbackAnswer, type CallbackQuestion } from '../../protocol/callback.js';
import { ANSWER_EVENT, entityId } from '../../protocol/names.js';
import { Rejected } from '../../protocol/errors.js';
import type { CallbackKeys } from '../../temporal/callback-address.js';
import { answeredWithin } from '../answer-limit.js';
import { CALLBACK_PATH, callbackToken } from '../callback-path.js';
import { shapeOf } from '../pending-callbacks.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const answered = z.object({ status: z.literal('answered'), entity: z.string() }).openapi('AnsweredCall');

const ANSWERED_OTHERWISE = 'The call has had another answer already, and the first one counts.';
const DELETED = 'What had asked for this answer has been deleted, so it comes too late.';

/** Serves the addresses where calls are answered. Whoever was given an address may answer there, and nobody else. A1 */
export function serveCallbacks(
  app: ServiceApp,
  { reeve, settings, modules }: ServiceParts,
  keys: CallbackKeys | undefined,
): void {
  const resources = modules.flatMap((each) => each.resources ?? []);
  const route = {
    method: 'post',
    path: CALLBACK_PATH,
    operationId: 'answerCall',
    tag: 'callbacks',
    summary: 'Answer a call',
    description:
      'The address itself is the proof. The first answer counts, and a repeated answer gets the same response. It is ' +
      '`409` if the call had another answer, and `410` if it is no longer pending.',
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
    const answering = async () => {
      refuseOutput(resources, question, answer);
      await reeve.answer(question, answer);
    };
    try {
      await guard.entity(answeredWithin(settings.answerMs, answering()));
    } catch (thrown) {
      if (!(thrown instanceof Rejected)) throw thrown;
      if (thrown.code === 'absent' || thrown.code === 'gone') throw new ProblemError('callback_closed', DELETED);
      if (thrown.code === 'request_conflict') throw new ProblemError('answered_otherwise', ANSWERED_OTHERWISE);
      throw thrown;
    }
    return context.json({ status: 'answered', entity: entityId(question.of) }, 200);
  });
}

/** Refuses an output that the call does not take, so that whoever has given it can mend it. @throws Rejected */
function refuseOutput(resources: readonly Resource[], { call, of }: CallbackQuestion, answer: CallbackAnswer): void {
  const shape = call === undefined ? undefined : shapeOf(resources, call);
  if (call === undefined || !shape || !('output' in answer)) return;
  const { error } = shape.output.safeParse(answer.output);
  if (!error) return;
  const issues = error.issues.map(({ path, message }) => ({ path: ['output', ...path].join('.'), message }));
  const message = `The output is not valid for ${call}.`;
  throw new Rejected({ code: 'invalid_parameters', message, entity: entityId(of), event: ANSWER_EVENT, issues });
}

/** The answer for a token that was made up, cut or changed. It does not tell which calls exist. */
export function nothingToAnswer(): ProblemError {
  return new ProblemError('absent', 'There is nothing to answer at this address.');
}
