import { read } from '../../api/client.js';
import { useReading } from '../../api/reading.js';
import type { EventRow, EventValuesAnswer, Page, ShownValue } from '../../api/shapes.js';
import { Named } from '../../parts/event-values.js';
import { Read } from '../../parts/notice.js';

/** A call is pending in one of the last events that have not ended. */
const LAST_EVENTS = 3;

/** Shows the input of a pending call: what is asked. */
export function Question({
  type,
  entityKey,
  call,
}: {
  readonly type: string;
  readonly entityKey: string;
  readonly call: string;
}) {
  const open = encodeURIComponent('end_time eq null');
  const path = `/api/entities/${type}/${encodeURIComponent(entityKey)}/events?$filter=${open}&$orderby=event_id%20desc&$top=${LAST_EVENTS}`;
  const reading = useReading(path, 0, undefined, (events, signal) => inputOf(call, events, signal));
  return (
    <Read reading={reading.value}>
      {(input) => (
        <dl class="value-list">
          <Named name="Question" of={input} />
        </dl>
      )}
    </Read>
  );
}

const NOT_FOUND: ShownValue = { status: 'not_recorded' };

async function inputOf(call: string, events: string, signal: AbortSignal): Promise<ShownValue> {
  for (const { event_id: id } of (await read<Page<EventRow>>(events, signal)).value) {
    const { calls } = await read<EventValuesAnswer>(`/api/events/${id}/values`, signal);
    const pending = calls.findLast((each) => each.call === call);
    if (pending) return pending.input;
  }
  return NOT_FOUND;
}
