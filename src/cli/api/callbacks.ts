import type { EntityRef } from '../../protocol/names.js';
import type { OpenCallback } from '../../service/open-callbacks.js';
import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { nameOf } from './entity.js';
import { Problem } from './problem.js';
import { pathOfEntity } from './type-paths.js';

export type { OpenCallback } from '../../service/open-callbacks.js';

/** The answers that an entity awaits from outside, the oldest first. @throws Problem, Unreachable */
export async function readOpenCallbacks(api: Api, of: EntityRef): Promise<readonly OpenCallback[]> {
  const { body } = await api.ask('GET', `${await pathOfEntity(api, of)}/open-callbacks`);
  return (body as { readonly items: readonly OpenCallback[] }).items;
}

/** The same; none for who may not see them. @throws Unreachable */
export async function openCallbacksIfTold(api: Api, of: EntityRef): Promise<readonly OpenCallback[]> {
  try {
    return await readOpenCallbacks(api, of);
  } catch (thrown) {
    if (thrown instanceof Problem) return [];
    throw thrown;
  }
}

/**
 * The one that is meant: by its call or event, by its id, or as the only one.
 * @throws UsageError, Problem, Unreachable
 */
export async function callbackMeant(api: Api, of: EntityRef, given: string | undefined): Promise<OpenCallback> {
  const all = await readOpenCallbacks(api, of);
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
export function titleOf({ call, event }: OpenCallback): string {
  return call ?? event ?? '';
}
