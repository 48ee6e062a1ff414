import { quoted } from '../../../protocol/odata-text.js';
import { useSignal } from '@preact/signals';
import { useReading } from '../../api/reading.js';
import type { CallRow, EventRow, Page, ServedType, TransitionRow, WatchedEntity } from '../../api/shapes.js';
import { Answered } from '../../parts/answered.js';
import { eventInWords, ResultMark, stateInWords } from '../../parts/badge.js';
import { Commands } from '../../parts/commands.js';
import { OperationLink } from '../../parts/links.js';
import { MoreRows } from '../../parts/more-rows.js';
import { Empty, Read } from '../../parts/notice.js';
import { At, lasting } from '../../parts/time.js';
import { To } from '../../parts/to.js';
import type { OpenValues } from '../../parts/event-values.js';
import { Values, ValuesButton } from '../../parts/values-button.js';
import { chosenVersion, linkToVersion } from './as-of.js';

/** The way that an entity took: its events, the latest first, each with its transitions. */
export function History({
  type,
  entity,
  tick,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly tick: string;
}) {
  const path = `/api/entities/${type.name}/${encodeURIComponent(entity.key)}/events`;
  const options = '?$orderby=event_id%20desc&$top=100&$expand=transitions($orderby=transition_ordinal)';
  // The store hears of changes a moment later.
  const reading = useReading<Page<EventRow>>(path + options, tick, 2_000);
  // An entity may have had a million events: only the first page is asked about.
  const oldest = reading.value.data?.value.at(-1)?.event_id;
  const answers = `event_id ge ${oldest} and entity_type eq ${quoted(type.name)} and entity_key eq ${quoted(entity.key)} and mode eq 'callback'`;
  const callbacks = `/api/calls?$filter=${encodeURIComponent(answers)}&$orderby=start_time%20desc&$top=100`;
  const answered =
    useReading<Page<CallRow>>(oldest === undefined ? undefined : callbacks, tick, 5_000).value.data?.value ?? [];
  return (
    <section class="card" aria-labelledby="history-title">
      <h2 id="history-title">History</h2>
      <Read reading={reading.value}>
        {(page) => (
          <MoreRows page={page}>
            {(rows) =>
              rows.length === 0 ? (
                <Empty>There is nothing yet.</Empty>
              ) : (
                <ol class="history">
                  {rows.map((row) => (
                    <EventItem
                      key={row.event_id}
                      row={row}
                      entity={entity}
                      answered={answered.filter(({ event_id: event }) => event === row.event_id)}
                    />
                  ))}
                </ol>
              )
            }
          </MoreRows>
        )}
      </Read>
      <Commands call={{ method: 'GET', path, reeve: `reeve events --entity ${entity.id}` }} />
    </section>
  );
}

function EventItem({
  row,
  entity,
  answered,
}: {
  readonly row: EventRow;
  readonly entity: WatchedEntity;
  readonly answered: readonly CallRow[];
}) {
  const { type } = entity;
  const values = useSignal<OpenValues | undefined>(undefined);
  const { event, event_type: kind, start_time: start, end_time: end, request_id: operation, transitions = [] } = row;
  const caller = row['@reeve.caller'];
  return (
    <li>
      <div class="event-line">
        <strong>{eventInWords(type, event)}</strong>
        {kind !== 'raised' && <span class="count">{kind}</span>}
        {caller !== undefined && <span class="faint">by {caller}</span>}
        <ResultMark result={row['@reeve.result']} />
        <span class="grow" />
        <span class="faint">{end === null ? 'running' : lasting(Date.parse(end) - Date.parse(start))}</span>
        <At at={start} />
        <OperationLink id={operation} />
        <ValuesButton open={values} about={`${event} at ${start}`} />
      </div>
      {row.exception_details !== null && <p class="line bad">{row.exception_details}</p>}
      {transitions.length > 0 && (
        <ol class="way">
          {transitions.map((each) => (
            <Transition key={each.transition_ordinal} each={each} entity={entity} />
          ))}
        </ol>
      )}
      <Answered calls={answered} />
      <Values event={row.event_id} operation={operation} open={values} />
    </li>
  );
}

function Transition({ each, entity }: { readonly each: TransitionRow; readonly entity: WatchedEntity }) {
  const { type } = entity;
  const chosen = chosenVersion(entity);
  const tag = each['@reeve.version'];
  const dot = tag.lastIndexOf('.');
  const made = { life: tag.slice(0, dot), version: Number(tag.slice(dot + 1)) };
  const isChosen = chosen?.version === made.version && chosen.life === made.life;
  const took = Date.parse(each.transition_time) - Date.parse(each.transition_start_time);
  // An abort was asked for.
  const wentWrong = each.outcome !== 'success' && each.outcome !== 'aborted';
  return (
    <li class={each.end_state_health === 'error' || wentWrong ? 'bad' : ''}>
      <span>{stateInWords(type, each.start_state)}</span>
      <To />
      <strong>{stateInWords(type, each.end_state)}</strong>
      {each.action_name !== null && <span class="mono faint">{each.action_name}</span>}
      {each.retry_count > 0 && <span class="count warn">{each.retry_count} tries before</span>}
      {each.outcome !== 'success' && <span class={`count ${wentWrong ? 'bad' : ''}`}>{each.outcome}</span>}
      <span class="faint">{lasting(took)}</span>
      <a
        class="version"
        href={linkToVersion(entity, made)}
        title="Show this version"
        {...(isChosen && { 'aria-current': 'true' as const })}
      >
        version {made.version}
      </a>
    </li>
  );
}
