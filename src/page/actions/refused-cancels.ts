import { isRefusedCancel } from '../../protocol/odata-text.js';
import { useReading } from '../api/reading.js';
import type { EventRow, Page } from '../api/shapes.js';

/** The operations among these of which an entity has refused to cancel. */
export function useRefused(operations: readonly string[]): ReadonlySet<string> {
  const filter = encodeURIComponent(isRefusedCancel(operations));
  const path = operations.length === 0 ? undefined : `/api/events?$filter=${filter}`;
  const { data } = useReading<Page<EventRow>>(path, 0, 5_000).value;
  return new Set(data?.value.map(({ request_id: id }) => id));
}
