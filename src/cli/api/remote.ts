import { messageOf } from '../../definition/thrown.js';
import { Unreachable } from '../unreachable.js';
import type { OpenApi } from './api.js';
import { HttpApi } from './http-api.js';
import type { Problem } from './problem.js';
import type { RemoteSettings } from './remote-settings.js';

/** The management service elsewhere, with the rights of the key. S6.3, S6.5 */
export function openRemoteApi({ url, key }: RemoteSettings): OpenApi {
  const api = new HttpApi({
    ...{ remote: url, base: url },
    send: (request) => send(url, request, key),
    retell: (problem) => withRemedy(problem, key !== undefined),
  });
  return { api, close: () => Promise.resolve() };
}

async function send(url: string, request: Request, key: string | undefined): Promise<Response> {
  // An API key and a token are sent in the same way.
  if (key !== undefined) request.headers.set('authorization', `Bearer ${key}`);
  try {
    return await fetch(request);
  } catch (thrown) {
    const cause = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
    throw new Unreachable(`The management service at ${url} (REEVE_API) cannot be reached: ${messageOf(cause)}.`);
  }
}

function withRemedy(problem: Problem, hasKey: boolean): Problem {
  if (problem.code !== 'unauthenticated') return problem;
  return problem.saying(
    hasKey
      ? 'The service rejects the API key or token in REEVE_API_KEY: it is invalid, expired or revoked.'
      : 'The service requires authentication. Set REEVE_API_KEY to an API key or a JSON Web Token.',
  );
}
