import { WorkflowNotFoundError } from '@temporalio/client';
import { Rejected } from 'reeve/client';
import { NotAuthenticated } from './caller.js';

/** The answer to a request that was refused: the status, and the members of its body. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 413 | 415 | 422 | 503;
  readonly code: string;
  readonly message: string;
}

/** The statuses of rejection codes, as in the management service. All others are 409: the state of the entity forbids the event. */
const STATUSES: Readonly<Record<string, Refusal['status']>> = {
  absent: 404,
  unknown_event: 404,
  not_public: 404,
  not_allowed: 403,
  gone: 410,
  invalid_key: 400,
  invalid_parameters: 400,
  invalid_request: 400,
  event_too_large: 413,
  request_conflict: 422,
  no_answer: 503, // the caller repeats it with the same Idempotency-Key
  try_again: 503,
};

/** Returns the answer for what a handler has thrown. Throws it again if it is no refusal: the framework then answers 500. */
export function refusal(thrown: unknown): Refusal {
  if (thrown instanceof Rejected) {
    const { code, message, entity } = thrown.rejection;
    if (code === 'another_tenant') return absent(entity); // nobody learns which keys another tenant has
    return { status: STATUSES[code] ?? 409, code, message };
  }
  if (thrown instanceof WorkflowNotFoundError) return absent(thrown.workflowId);
  if (thrown instanceof NotAuthenticated) return { status: 401, code: 'not_authenticated', message: thrown.message };
  if (thrown instanceof SyntaxError) return { status: 400, code: 'malformed', message: 'Send a body that is JSON.' };
  throw thrown;
}

function absent(entity: string): Refusal {
  return { status: 404, code: 'absent', message: `${entity} does not exist.` };
}
