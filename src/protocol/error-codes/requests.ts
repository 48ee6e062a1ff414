import type { ErrorEntry } from './entry.js';

const ODATA = 'The message names the option, the character and the mistake.';

/** The codes with which the management service refuses a request. S6.1 */
export const REQUEST_ERRORS = {
  already_ended: {
    meaning: 'The operation has ended, so it cannot be canceled.',
    cause: 'It ended before the request arrived.',
    remedy: 'Read its outcome: `reeve operations show ID`.',
    hint: "Read its outcome: 'reeve operations show ID'.",
  },
  ambiguous_operation: {
    meaning: 'The request id stands for several operations.',
    cause: 'The same `Idempotency-Key` was sent to several entities.',
    remedy: 'Use one of the operation ids that the message lists.',
  },
  another_namespace: {
    status: 404,
    meaning: 'The codec server has the keys of another namespace.',
    cause: "Temporal's UI asks this service about a namespace that it does not serve.",
    remedy: 'Give the UI the address of the management service of that namespace.',
    hint: 'Ask the management service of that namespace.',
  },
  answered_otherwise: {
    meaning: 'The call has another answer already.',
    cause: 'Two different answers were sent to one callback address. The first one counts.',
    remedy: 'Send one answer for each address. A repeated equal answer gets the same response as the first.',
    hint: 'The first answer counts; send one answer for each address.',
  },
  authentication_unavailable: {
    status: 503,
    meaning: 'The service cannot check credentials now.',
    cause: 'The public keys of the issuer (`REEVE_JWT_KEYS`) cannot be loaded.',
    remedy:
      'Try again. If it stays so, check that the service reaches the address in `REEVE_JWT_KEYS`; its log has the error.',
  },
  contents_unknown: {
    status: 404,
    meaning: 'The contents of the entity at this version are unknown.',
    cause: 'The entity was created before the store kept changes, or changes are missing.',
    remedy: 'Ask for a later version, or read the entity as it is now.',
    hint: 'Ask for a later version.',
  },
  defect: {
    status: 500,
    meaning: 'The code of an action, or of Reeve, has a mistake.',
    cause:
      'An action threw an error that has no code, such as a `TypeError`. As an answer over HTTP: the service met an error that was not foreseen.',
    remedy:
      'Look at the stack: `reeve operations show ID` for an action, the log under `requestId` for the service. Fix the code and roll it out.',
    hint: "Look at the stack in the worker's or the service's log, and fix the code.",
  },
  exists: {
    meaning: 'A deployment of this name runs.',
    cause: 'Names of deployments are unique among those that run.',
    remedy: 'Choose another name, or terminate the one that runs.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'Path, query and headers of the request are too large together.',
    cause: 'A filter, a token or a cookie is very long.',
    remedy: 'Ask for less, or with fewer conditions.',
  },
  inexact_number: {
    status: 400,
    meaning: 'The body has a number that JSON in JavaScript cannot hold exactly.',
    cause: 'An integer is larger than 2^53 - 1, or a decimal has too many digits.',
    remedy: 'Send the number as a text, and declare the member as a text.',
  },
  invalid_description: {
    status: 400,
    meaning: 'The description of components is not valid.',
    cause: 'A kind is unknown, an attribute is wrong, or a reference leads nowhere.',
    remedy: 'Correct the members that `issues` names.',
  },
  invalid_name: {
    status: 400,
    meaning: 'The name cannot name a deployment.',
    cause: 'It has a character that names may not have, or begins with another sign than a letter or digit.',
    remedy: 'Use letters, digits and `. _ ~ -`, and begin with a letter or digit.',
  },
  key_taken: {
    meaning: 'The key is taken.',
    cause: 'An entity with this key exists that you may not see, such as one of another tenant.',
    remedy: 'Choose another key.',
  },
  malformed: {
    status: 400,
    meaning: 'The request, signal or message cannot be read.',
    cause: 'The body is not JSON in UTF-8, or a Temporal client has sent arguments of another form.',
    remedy: 'Send the form that the OpenAPI document at `/openapi.json` describes.',
  },
  malformed_key: {
    status: 400,
    meaning: 'The key in the path cannot be a key.',
    cause: 'It has a control character, is `.` or `..`, or its parts are not written as names and values.',
    remedy: "Percent-encode the key. Write the parts of a key as `(region='eu',name='a')`.",
  },
  malformed_path: {
    status: 400,
    meaning: 'The path is not percent-encoded UTF-8.',
    cause: 'A key was written into the path without being encoded.',
    remedy: 'Encode each key by itself, as `encodeURIComponent` does.',
  },
  malformed_query: {
    status: 400,
    meaning: 'The query is not percent-encoded UTF-8.',
    cause: 'A value was written into the query without being encoded.',
    remedy: 'Encode each value by itself, as `encodeURIComponent` does.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path does not support this method.',
    cause: 'The header `Allow` of the response lists the methods that it supports.',
    remedy: 'Use one of the methods in `Allow`.',
  },
  no_answer: {
    status: 503,
    meaning: 'There was no answer in time.',
    cause:
      'No worker serves the entity, its workflow task keeps failing, or Temporal is slow. As the code of a collector: none of its calls was answered.',
    remedy:
      'Run `reeve doctor` and `reeve explain TYPE/KEY`. Repeat the request with the same request id: it may have been carried out.',
  },
  no_store: {
    status: 503,
    meaning: 'The service has no store.',
    cause: 'It was started without a database, so it has neither lists nor a feed.',
    remedy: 'Set `DATABASE_URL` of the service, and restart it.',
    hint: 'Set DATABASE_URL of the management service.',
  },
  no_version: {
    status: 404,
    meaning: 'The store has no such version of the entity.',
    cause: 'The version is newer than the one in the store, or belongs to an earlier life of the key.',
    remedy: 'Ask for a version that `reeve transitions TYPE/KEY` lists.',
    hint: "'reeve transitions TYPE/KEY' lists the versions.",
  },
  not_acceptable: {
    status: 406,
    meaning: 'The response has no format that the request accepts.',
    cause: 'The header `Accept`, or `$format`, asks for another format.',
    remedy: 'Accept `application/json`. `$metadata` is there as `application/xml`, too.',
  },
  not_begun: {
    status: 503,
    meaning: 'The event of a request for many entities was not sent.',
    cause: 'The time of the request was over before its turn.',
    remedy: 'Repeat the request with the same `Idempotency-Key`. Nothing is raised twice.',
  },
  not_found: {
    status: 404,
    meaning: 'The service has no such path.',
    cause: 'The address is wrong, or belongs to a feature that this service does not have.',
    remedy: 'Compare the path with `/openapi.json`.',
    hint: 'Check the address in REEVE_API, and that the service has the version of this command.',
  },
  not_ready: {
    status: 503,
    meaning: 'The service cannot serve requests yet, or no longer.',
    cause: 'Temporal or the store does not answer.',
    remedy: 'Wait if the service has just been started. Otherwise run `reeve doctor`.',
    hint: "Run 'reeve doctor'.",
  },
  odata_limit: {
    status: 400,
    meaning: 'A query option goes beyond a limit.',
    cause: `An expression is too long or nested too deeply, or \`$top\` is too large. ${ODATA}`,
    remedy: 'Ask for less at once.',
  },
  odata_syntax: {
    status: 400,
    meaning: 'A query option cannot be read.',
    cause: `The syntax of OData 4.01 does not permit it. ${ODATA}`,
    remedy: "Correct the option. Texts are in single quotes, and a quote within a text is written `''`.",
  },
  odata_unknown_name: {
    status: 400,
    meaning: 'A query option names a property that does not exist.',
    cause: `The name is not a column of the list. ${ODATA}`,
    remedy: 'Use a name from `$metadata` or from [the views](../views.md).',
  },
  odata_unsupported: {
    status: 400,
    meaning: 'A query option or function is not supported here.',
    cause: `The service supports a part of OData 4.01. ${ODATA}`,
    remedy: 'Use one of the options that the message lists.',
  },
  odata_wrong_type: {
    status: 400,
    meaning: 'A query option compares values of different types.',
    cause: `A column is compared with a value of another type. ${ODATA}`,
    remedy: 'Write the value in the type of the column: texts in single quotes, times as `2026-01-31T12:00:00Z`.',
  },
  outcome_unknown: {
    status: 404,
    meaning: 'The request was accepted, and its outcome is not known.',
    cause:
      'It was accepted so long ago that neither Temporal nor the store has it, or its operation was terminated in Temporal.',
    remedy: 'Read the entity. Its state shows what has happened.',
    hint: 'Read the entity: its state shows what has happened.',
  },
  payload_key: {
    status: 503,
    meaning: 'The service cannot decrypt payloads.',
    cause:
      'A payload was encrypted with a key that `REEVE_PAYLOAD_KEYS` of this process does not have, or the key is disabled.',
    remedy: 'Give the process the key whose id the message names.',
  },
  position_gone: {
    status: 410,
    meaning: 'The feed of changes no longer has this position.',
    cause: 'The changes after it were deleted (`REEVE_CHANGES_RETENTION`), or the store was restored from a backup.',
    remedy: 'Read the entities that you need, and continue after `begin` of the answer.',
  },
  query_too_large: {
    status: 504,
    meaning: 'The query takes too long, or has too many results.',
    cause: 'A list or a count was canceled after 5 seconds.',
    remedy: 'Filter by type, state or time, and ask for fewer columns and rows.',
  },
  stopping: {
    status: 503,
    meaning: 'This instance of the service is stopping.',
    cause: 'A deployment or a shutdown is under way.',
    remedy: 'Repeat the request. Another instance answers.',
  },
  store_outdated: {
    status: 503,
    meaning: 'The store has another schema than this version needs.',
    cause: 'The migrations of this version have not run.',
    remedy: 'Run `reeve store migrate`.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The store is unavailable, and only the store has the answer.',
    cause: 'PostgreSQL does not answer. Entities continue: their records wait until the store is back.',
    remedy: 'Bring PostgreSQL back, and repeat the request. `reeve doctor` checks the connection.',
    hint: "Repeat it when PostgreSQL is back; 'reeve doctor' checks the connection.",
  },
  temporal_unavailable: {
    status: 503,
    meaning: 'Temporal is unavailable, or refuses requests.',
    cause:
      'The Temporal service is down, limits requests, or refuses the credentials of the service. The log has its error.',
    remedy: 'Run `reeve doctor`. Repeat the request with the same request id.',
  },
  too_deep: {
    status: 400,
    meaning: 'The body has too many levels.',
    cause: 'It is nested more than 100 levels deep.',
    remedy: 'Make it flatter.',
  },
  too_large: {
    status: 413,
    meaning: 'The body of the request, or all outputs of one collector together, are too large.',
    cause: 'They have more bytes than [the limits](../limits.md) permit.',
    remedy: 'Send a smaller body. Let calls give the address of large data.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'The caller, or its address, sends too many requests.',
    cause: 'More than 500 requests a second of one caller, or 5 a second of one address without credentials.',
    remedy: 'Wait for as long as `Retry-After` says. Raise many events in one request with `POST /api/raise`.',
  },
  too_many_streams: {
    status: 429,
    meaning: 'Too many change streams are open.',
    cause: 'An instance has 200 streams, and one caller may have a part of them.',
    remedy: 'Close streams, or follow many things on one stream: `GET /api/watch`.',
  },
  unauthenticated: {
    status: 401,
    meaning: 'The request has no valid key or token.',
    cause: 'The header `Authorization` is missing, the token has expired, or the key was removed.',
    remedy:
      'Send `Authorization: Bearer KEY`. `reeve keys create NAME` makes a key; the command line reads it from `REEVE_API_KEY`.',
  },
  unknown_page: {
    status: 400,
    meaning: 'The token of the page is not one that a page has given.',
    cause: 'The token was changed, or belongs to another list.',
    remedy: 'Begin with the first page, and follow its `@odata.nextLink`.',
  },
  unknown_type: {
    status: 404,
    meaning: 'The service or worker has no such entity type.',
    cause: 'The name is wrong, or the process has an older build.',
    remedy: 'List the types with `reeve types`. Start the process with the declaration.',
  },
  unreadable: {
    status: 400,
    meaning: 'The codec server cannot decode a payload.',
    cause: 'The payload is damaged, or was encrypted with another key.',
    remedy: 'Add the key whose id the message names to `REEVE_PAYLOAD_KEYS`.',
    hint: 'Check the keys in REEVE_PAYLOAD_KEYS.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body has another type than JSON.',
    cause: 'The header `Content-Type` is missing or names another type.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;
