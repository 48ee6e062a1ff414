import type { Attention, Concern } from '../../service/attention/attention-schema.js';
import type { Api } from '../api/api.js';

/** Concerns with one cause: what fixes one may fix all. */
export interface Need {
  readonly cause: string;
  readonly concerns: readonly [Concern, ...Concern[]];
}

/** The most of each kind that the service tells at once. */
export const MOST = 1_000;

/** Asks what needs a person, and groups it by its cause, that with the oldest concern first. S5.4 */
export async function needsOf(
  api: Api,
  top?: number,
): Promise<{ readonly told: Attention; readonly needs: readonly Need[] }> {
  const path = top === undefined ? '/api/attention' : `/api/attention?$top=${Math.min(top, MOST)}`;
  const told = (await api.ask('GET', path)).body as Attention;
  return { told, needs: byCause(told.items) };
}

export function byCause(items: readonly Concern[]): readonly Need[] {
  const groups = new Map<string, Concern[]>();
  for (const each of items) groups.set(each.cause, [...(groups.get(each.cause) ?? []), each]);
  return [...groups].map(([cause, concerns]) => ({ cause, concerns: concerns as [Concern, ...Concern[]] }));
}

/** The reason why something needs a person: its last error says more than that it is in an error state. */
export function whyOf({ message, error }: Concern): string {
  return error ? `${error.code}: ${error.message}` : message;
}
