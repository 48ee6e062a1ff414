import { withoutCredentials } from '../definition/credentials.js';
import type { CallbackAnswer, CallbackQuestion } from './callback.js';
import { Rejected } from './errors.js';
import { ANSWER_EVENT, entityId } from './names.js';
import type { RaiseRequest } from './request.js';

/**
 * Makes what is raised on an entity where somebody answers: the answer to its call, or the event of an address that it has made.
 * @param now when it comes, in milliseconds since 1970
 * @throws Rejected `invalid_parameters` where it takes no failure
 */
export function requestOf(
  { id, of, event, operation }: CallbackQuestion,
  answer: CallbackAnswer,
  now: number,
): RaiseRequest {
  if (event === undefined) {
    return { id, event: ANSWER_EVENT, params: shown(answer), ...(operation !== undefined && { operation }) };
  }
  const entity = entityId(of);
  if ('error' in answer) {
    const message = `This address raises '${event}', and takes its parameters as { "output": ... }. It takes no failure.`;
    throw new Rejected({ code: 'invalid_parameters', message, entity, event });
  }
  return { id, event, params: answer.output, addressedAt: now };
}

/** Hides credentials: everybody who may read the entity reads what comes from outside. */
function shown(answer: CallbackAnswer): CallbackAnswer {
  if (!('error' in answer)) return answer;
  const { code, message } = answer.error;
  return { error: { code, message: withoutCredentials(message) } };
}
