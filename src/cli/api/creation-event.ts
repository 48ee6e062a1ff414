import { UsageError } from '../usage-error.js';
import type { Api } from './api.js';
import { describedType } from './type-paths.js';

/** The usual name of the event that creates. */
const USUAL = 'create';

/** The event by which an entity of the type comes to be, where nobody names one. @throws UsageError */
export async function creationEvent(api: Api, type: string): Promise<string> {
  const { creation: events } = await describedType(api, type);
  if (events.includes(USUAL)) return USUAL;
  const [only, ...others] = events;
  if (only === undefined) throw new UsageError(`No event creates a ${type}. Create it without one: --no-event.`);
  if (others.length === 0) return only;
  throw new UsageError(
    `One of several events creates a ${type}. Name it: ${events.map((event) => `--event ${event}`).join(', or ')}.`,
  );
}
