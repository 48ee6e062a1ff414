import type { Changes } from '../../protocol/change.js';
import type { Api } from './api.js';

export type { Change, Changes } from '../../protocol/change.js';

/** Which changes are meant. */
export interface ChangesAsked {
  readonly after?: string | undefined;
  readonly types?: string | undefined;
  readonly kinds?: string | undefined;
  readonly limit?: number | undefined;
}

/** Reads on in the feed. @throws Problem, Unreachable */
export async function readChanges(api: Api, { after, types, kinds, limit }: ChangesAsked): Promise<Changes> {
  const query = {
    ...(after !== undefined && { after }),
    ...(types !== undefined && { types }),
    ...(kinds !== undefined && { kinds }),
    ...(limit !== undefined && { limit: String(limit) }),
  };
  return (await api.ask('GET', '/api/changes', { query })).body as Changes;
}

/** Tells who reads the feed. */
export interface Listener {
  readonly name: string;
  readonly behind: number;
  readonly lag_ms: number;
  readonly seen_time: string;
}

/** @throws Problem, Unreachable */
export async function readListeners(api: Api): Promise<readonly Listener[]> {
  const { body } = await api.ask('GET', '/api/changes/listeners');
  return (body as { readonly items: readonly Listener[] }).items;
}
