import type { Api, OpenApi } from './api.js';
import type { Needs } from './needs.js';
import { readingFirst, servedByStack } from './reading-first.js';
import { remoteSettings } from './remote-settings.js';

/**
 * Works with the management service that `REEVE_API` names, over HTTP. Without `REEVE_API`, it works as the operator, with the
 * same service within this process; or, to read only, with that of the running stack. S6.3
 * @throws Problem, Unreachable, UsageError
 */
export async function withApi<T>(needs: Needs, work: (api: Api) => Promise<T>): Promise<T> {
  const { api, close } = await open(needs);
  try {
    return await work(api);
  } finally {
    await close();
  }
}

/** Over HTTP, the code for Temporal and the store is not loaded. */
async function open(needs: Needs): Promise<OpenApi> {
  const remote = remoteSettings();
  if (remote) return (await import('./remote.js')).openRemoteApi(remote);
  const openOwn = async () => (await import('./local/index.js')).openLocalApi(needs);
  const service = await servedByStack(needs);
  return service ? readingFirst(service, openOwn) : openOwn();
}
