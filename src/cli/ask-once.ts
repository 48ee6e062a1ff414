import { newRequestId } from '../client/new-request-id.js';
import type { Answered, Api, Asked } from './api/api.js';
import { toRepeat } from './to-repeat.js';

/**
 * Sends a request that takes effect once, however often it is repeated with the same id.
 * @throws Problem with the command that repeats it, where no answer has come; Unreachable
 */
export async function askOnce(
  api: Api,
  path: string,
  { headers, ...asked }: Asked = {},
  requestId = newRequestId(),
): Promise<Answered> {
  try {
    return await api.ask('POST', path, { ...asked, headers: { ...headers, 'idempotency-key': requestId } });
  } catch (thrown) {
    throw toRepeat(thrown, requestId);
  }
}
