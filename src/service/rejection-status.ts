/** The statuses with which a request can fail. */
export type ProblemStatus =
  400 | 401 | 403 | 404 | 405 | 406 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 431 | 500 | 503 | 504;

const STATUSES: Readonly<Record<string, ProblemStatus>> = {
  absent: 404,
  another_tenant: 404,
  not_allowed: 403,
  unknown_event: 404,
  unknown_type: 404,
  not_public: 404,
  outcome_unknown: 404,
  gone: 410,
  callback_closed: 410,
  malformed: 400,
  invalid_name: 400,
  invalid_description: 400,
  invalid_key: 400,
  invalid_parameters: 400,
  constraint_violated: 400,
  unknown_operation_type: 400,
  invalid_argument: 400,
  event_too_large: 413,
  invalid_request: 400,
  unknown_partition: 400,
  unknown_page: 400,
  unknown_place: 400,
  unknown_target: 404,
  terminated: 410,
  version_conflict: 412,
  request_conflict: 422,
  no_answer: 503,
  try_again: 503,
};

/** The status for the code of a rejection. It is 409, a conflict, for what the state of the entity forbids, declared or not. */
export function statusOf(code: string): ProblemStatus {
  return STATUSES[code] ?? 409;
}
