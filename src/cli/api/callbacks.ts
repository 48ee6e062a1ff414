import type { EntityRef } from '../../protocol/names.js';
import type { PendingCallback } from '../../service/pending-callbacks.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { nameOf } from './entity.js';
import { Problem } from './problem.js';
import { pathOfEntity } from './type-paths.js';

export type { PendingCallback } from '../../service/pending-callbacks.js';

/** The answers that an entity awaits from outside, the oldest first. @throws Problem, Unreachable */
export async function readPendingCallbacks(api: Api, of: EntityRef): Promise<readonly PendingCallback[]> {
  const { body } = await api.ask('GET', `${await pathOfEntity(api, of)}/pending-callbacks`);
  return (body as { readonly items: readonly PendingCallback[] }).items;
}

/** The same; none for who may not see them. @throws Unreachable */
export async function pendingCallbacksIfTold(api: Api, of: EntityRef): Promise<readonly PendingCallback[]> {
  try {
    return await readPendingCallbacks(api, of);
  } catch (thrown) {
    if (thrown instanceof Problem) return [];
    throw thrown;
  }
}

/**
 * The one that is meant: by its call or event, by its id, or as the only one.
 * @throws UsageError, Problem, Unreachable
 */
export async function callbackMeant(api: Api, of: EntityRef, given: string | undefined): Promise<PendingCallback> {
  const all = await readPendingCallbacks(api, of);
  const fitting = all.filter(({ id, call, event }) => given === undefined || [id, call, event].includes(given));
  const [meant] = fitting;
  if (meant && fitting.length === 1) return meant;
  const named = all.map(titleOf).join(', ') || 'nothing';
  if (!meant) throw new UsageError(`${nameOf(of)} does not wait on this callback. It waits on: ${named}.`);
  throw new UsageError(
    `${nameOf(of)} waits on several callbacks that fit: ${named}. Name one by its id, as 'reeve callbacks list --json' shows it.`,
  );
}

/** The call or event that is answered. */
export function titleOf({ call, event }: PendingCallback): string {
  return call ?? event ?? '';
}
