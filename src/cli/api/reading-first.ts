import { dataDirectoryFrom, readStack } from '../../stack/data-directory.js';
import { Unreachable } from '../unreachable.js';
import type { Answered, Api, Asked, Change, OpenApi } from './api.js';
import type { Needs } from './needs.js';
import { Problem } from './problem.js';
import { openRemoteApi } from './remote.js';

/** The needs of commands that only read. */
const READING: readonly Needs[] = ['store', 'store first', 'either'];
/** A service that is stopped or hangs takes connections and never answers. */
const ANSWERS_WITHIN_MS = 2_000;
/** With one of these, the command may mean other services than those of the stack. */
const OTHER_SERVICES = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'];

/**
 * The management service of the running stack, for a command that only reads; nothing where it does not answer, or asks for
 * credentials. It has loaded all that a reader would have to load: that takes a command seconds.
 */
export async function servedByStack(needs: Needs, env = process.env): Promise<Api | undefined> {
  if (!READING.includes(needs) || OTHER_SERVICES.some((name) => env[name])) return undefined;
  const stack = await readStack(dataDirectoryFrom(env)).catch(() => undefined);
  if (stack?.serviceUrl === undefined) return undefined;
  const live = await fetch(`${stack.serviceUrl}/health/live`, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
  return live ? openRemoteApi({ url: stack.serviceUrl }).api : undefined;
}

/** Reads from a service. What it cannot tell is asked of the command itself, which also says why. */
export function readingFirst(service: Api, openOwn: () => Promise<OpenApi>): OpenApi {
  let own: Promise<OpenApi> | undefined;
  const ownApi = async () => (await (own ??= openOwn())).api;
  const api: Api = {
    async ask(method: 'GET' | 'POST', path: string, asked?: Asked): Promise<Answered> {
      if (method === 'GET' && own === undefined) {
        try {
          return await service.ask(method, path, asked);
        } catch (thrown) {
          if (!isOfService(thrown)) throw thrown;
        }
      }
      return (await ownApi()).ask(method, path, asked);
    },
    async *follow(path, known): AsyncGenerator<Change> {
      yield* (await ownApi()).follow(path, known);
    },
  };
  return {
    api,
    async close() {
      await (await own)?.close();
    },
  };
}

/** Tells whether a request failed because of the service, and not because of its content. */
function isOfService(thrown: unknown): boolean {
  if (!(thrown instanceof Problem)) return thrown instanceof Unreachable;
  return thrown.status >= 500 || thrown.status === 401 || thrown.status === 429;
}
