import type { EntityRef } from '../../protocol/names.js';
import { quoted } from '../../protocol/odata-text.js';
import type { EventValuesAnswer } from '../../service/values/value-schema.js';
import type { Api } from './api.js';
import { readList, type ListedRow } from './list.js';
import { Problem } from './problem.js';

/** A call is pending in one of the last events that have not ended. */
const LAST_EVENTS = 3;

/**
 * Finds the question that a pending call asks: its input, from the history of its entity. Nothing where no call asks, the store or the history
 * does not have it, or the caller may not see it. @throws Unreachable
 */
async function questionOf(api: Api, of: EntityRef, call: string | undefined): Promise<unknown> {
  if (call === undefined) return undefined;
  try {
    const { rows } = await readList<ListedRow<'state_machine_events'>>(api, '/api/events', {
      ...{ view: 'state_machine_events', order: 'event_id desc', top: LAST_EVENTS },
      conditions: [`state_machine_type eq ${quoted(of.type)}`, `keys eq ${quoted(of.key)}`, 'end_time eq null'],
    });
    for (const { event_id: id } of rows) {
      const { calls } = (await api.ask('GET', `/api/events/${id}/values`)).body as EventValuesAnswer;
      const pending = calls.findLast((each) => each.call === call);
      if (pending) return pending.input.value;
    }
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Problem) return undefined;
    throw thrown;
  }
}

/** Pending callbacks, each with its question where that is known. @throws Unreachable */
export async function withQuestions<Pending extends { readonly call?: string | undefined }>(
  api: Api,
  of: EntityRef,
  pending: readonly Pending[],
): Promise<readonly (Pending & { readonly input?: unknown })[]> {
  return Promise.all(
    pending.map(async (each) => {
      const question = await questionOf(api, of, each.call);
      return { ...each, ...(question !== undefined && { input: question }) };
    }),
  );
}
