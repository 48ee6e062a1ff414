import { randomBytes } from 'node:crypto';
import { operationSpanId, type TraceSpan } from './trace-span.js';

/** An HTTP request that opened an operation, or asked for the same again. */
export interface TracedRequest {
  readonly operation: string;
  readonly requestId: string;
  readonly method: string;
  /** The route as it is declared, without the key. */
  readonly route: string;
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The `traceparent` header, if the caller has sent one. */
  readonly traceparent?: string;
}

/** The request in the trace of its operation, with a link to the caller's own trace. S5.5 */
export function spanOfRequest(request: TracedRequest): TraceSpan {
  const { operation, requestId, method, route, status, startedAt, endedAt, traceparent } = request;
  return {
    ...{ name: `${method} ${route}`, kind: 'server', operation, startedAt, endedAt },
    spanId: randomBytes(8).toString('hex'),
    parentId: operationSpanId(operation),
    attributes: {
      ...{ 'reeve.operation': operation, 'reeve.request_id': requestId, 'http.request.method': method },
      ...{ 'http.route': route, 'http.response.status_code': status },
    },
    ...(status >= 500 && { error: `HTTP ${status}` }),
    ...(traceparent !== undefined && { caller: traceparent }),
  };
}
