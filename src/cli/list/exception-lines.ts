import { placesIn } from '../../protocol/thrown-at.js';
import type { ListedEvent } from './event-columns.js';
import { oneLine } from './table.js';

/** As many places as say where it was thrown and from where that was called. */
const PLACES = 3;

/** The exceptions of events for people: what was thrown, and where in their own code. */
export function exceptionLines(events: readonly ListedEvent[]): readonly string[] {
  return events.flatMap(({ state_machine_type: type, keys, event, exception_details: details }) => {
    if (details === null) return [];
    const [thrown = ''] = details.split('\n');
    const places = placesIn(details).slice(0, PLACES);
    return [`  ${type}/${keys}, ${event}: ${oneLine(thrown)}`, ...places.map((place) => `    ${oneLine(place)}`)];
  });
}
