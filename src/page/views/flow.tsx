import { useReading } from '../api/reading.js';
import type { EventRow, Page, TransitionRow } from '../api/shapes.js';
import { stateInWords } from '../parts/badge.js';
import { EntityLink, OperationLink } from '../parts/links.js';
import { Empty, Read } from '../parts/notice.js';
import { Ago, lasting } from '../parts/time.js';

type Moved = TransitionRow & { readonly event?: EventRow };

/** Shows what went along one arrow of a diagram. */
export function FlowView({
  type,
  from,
  to,
  period,
  onClose,
}: {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly period: string;
  onClose(): void;
}) {
  const filter = `start_state eq '${from}' and end_state eq '${to}' and event/state_machine_type eq '${type}'`;
  const options = `$filter=${encodeURIComponent(filter)}&$orderby=transition_time%20desc&$expand=event&$top=100`;
  const reading = useReading<Page<Moved>>(`/api/transitions?${options}`, period, 5_000);
  return (
    <section aria-labelledby="flow-title">
      <div class="title">
        <h2 id="flow-title">
          {stateInWords(type, from)} → {stateInWords(type, to)}
        </h2>
        <button type="button" class="small" onClick={onClose}>
          Show the entities
        </button>
      </div>
      <Read reading={reading.value}>
        {({ value }) =>
          value.length === 0 ? (
            <Empty>There are no such transitions.</Empty>
          ) : (
            <ul class="lines">
              {value.map((row) => (
                <li key={`${row.event_id} ${row.transition_ordinal} ${row.transition_time}`}>
                  <span class="grow">{row.event && <EntityLink id={`${type}/${row.event.keys}`} short />}</span>
                  <span class="mono">{row.action_name}</span>
                  {row.outcome !== 'success' && <span class="count bad">{row.outcome}</span>}
                  <span class="faint">
                    {lasting(Date.parse(row.transition_time) - Date.parse(row.transition_start_time))}
                  </span>
                  <Ago at={row.transition_time} />
                  {row.event && <OperationLink id={row.event.request_id} />}
                </li>
              ))}
            </ul>
          )
        }
      </Read>
    </section>
  );
}
