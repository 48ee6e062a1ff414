import type { ComponentChildren } from 'preact';
import { useReading } from '../api/reading.js';
import type { EntityRow, Page } from '../api/shapes.js';
import { shellWord } from '../../definition/shell-word.js';
import { entityHasText, quoted } from '../../protocol/odata-text.js';
import { StateBadge, stateInWords } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { EntityLink, OperationLink } from '../parts/links.js';
import { Choice, Heads, OneOf, TextFilter, type Column } from '../parts/listing.js';
import { Rows } from '../parts/more-rows.js';
import { Since } from '../parts/time.js';
import { ask, linkTo, place } from '../router.js';
import { types } from '../session/session.js';
import { useSummary } from './attention.js';

const STANDINGS: Readonly<Record<string, { readonly words: string; readonly condition: string }>> = {
  error: { words: 'in an error state', condition: "health eq 'error'" },
  stuck: { words: 'stuck', condition: 'stuck_since ne null' },
  moving: { words: 'in progress', condition: 'settled eq false' },
  rest: { words: 'at rest', condition: 'settled eq true' },
};

/** How long they may have been in their state, as the command line takes it and as OData does. */
const TIMES: Readonly<Record<string, { readonly within: boolean; readonly since: string; readonly duration: string }>> =
  {
    'at most an hour': { within: true, since: '1h', duration: 'PT1H' },
    'at most a day': { within: true, since: '1d', duration: 'P1D' },
    'at most a week': { within: true, since: '7d', duration: 'P7D' },
    'over an hour': { within: false, since: '1h', duration: 'PT1H' },
    'over a day': { within: false, since: '1d', duration: 'P1D' },
    'over a week': { within: false, since: '7d', duration: 'P7D' },
  };

/** The filters and the order of a list of entities, as its address has them. */
type Asked = Readonly<Record<'type' | 'state' | 'is' | 'time' | 'text' | 'sort', string | undefined>>;

/** All entities, of all types. */
export function AllEntitiesView() {
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['fleet'])}>Fleet</a>
      </nav>
      <EntityList title={<h1>Entities</h1>} />
    </>
  );
}

/**
 * A list of entities that can be filtered and sorted by each column.
 * @param type those of one type; of all types without it
 * @param more what else can be done with those that are listed
 */
export function EntityList({
  type,
  title,
  more,
}: {
  readonly type?: string;
  readonly title: ComponentChildren;
  more?(asked: Asked, rows: readonly EntityRow[]): ComponentChildren;
}) {
  const summary = useSummary();
  const { options } = place.value;
  const chosen = (name: string) => options.get(name) ?? undefined;
  const asked: Asked = {
    ...{ type: type ?? chosen('type'), state: chosen('state'), is: chosen('is') },
    ...{ time: chosen('time'), text: chosen('text'), sort: chosen('sort') },
  };
  const filter = filterOf(asked);
  const sort = asked.sort ?? 'key';
  const query = filter === '' ? '' : `$filter=${encodeURIComponent(filter)}&`;
  const path = `/api/entities?${query}$orderby=${encodeURIComponent(sort === 'key' ? 'key,type' : `${sort},key`)}&$count=true`;
  const reading = useReading<Page<EntityRow>>(path, summary?.at);
  const { data } = reading.value;
  const counted = summary?.items.filter((item) => asked.type === undefined || item.type === asked.type) ?? [];
  return (
    <section aria-label="Entities">
      <div class="title">
        {title}
        <span class="faint total">{data?.['@odata.count']}</span>
        {more?.(asked, data?.value ?? [])}
      </div>
      <div class="filters">
        <OneOf
          label="How they are"
          of={Object.fromEntries(Object.entries(STANDINGS).map(([name, { words }]) => [name, words]))}
          chosen={asked.is}
          onChoose={(is) => ask({ is })}
        />
        {type === undefined && (
          <Choice
            label="Type"
            of={(types.value ?? []).map(({ name }) => name)}
            chosen={asked.type}
            onChoose={(wanted) => ask({ type: wanted, state: undefined })}
          />
        )}
        <Choice
          label="State"
          of={[...new Set([...counted.map(({ state }) => state), ...[asked.state ?? []].flat()])].toSorted()}
          chosen={asked.state}
          wordsOf={(state) => (asked.type === undefined ? state : stateInWords(asked.type, state))}
          onChoose={(state) => ask({ state })}
        />
        <Choice label="For" of={Object.keys(TIMES)} chosen={asked.time} onChoose={(time) => ask({ time })} />
        <TextFilter
          label="Text"
          hint="key, state, event or code"
          text={asked.text ?? ''}
          onText={(text) => ask({ text })}
        />
      </div>
      <Rows reading={reading.value} path={path}>
        {(rows) => (
          <EntityTable rows={rows} ofAll={type === undefined} sort={sort} onSort={(by) => ask({ sort: by })} />
        )}
      </Rows>
      <Commands call={{ method: 'GET', path, reeve: commandOf(asked) }} />
    </section>
  );
}

function filterOf({ type, state, is, time, text }: Asked): string {
  const { within, duration } = TIMES[time ?? ''] ?? {};
  const conditions = [
    ...(type === undefined ? [] : [`type eq ${quoted(type)}`]),
    ...(state === undefined ? [] : [`state eq ${quoted(state)}`]),
    ...(is === undefined ? [] : [STANDINGS[is]?.condition ?? []].flat()),
    ...(duration === undefined ? [] : [`state_entry_time ${within ? 'ge' : 'lt'} now() sub duration'${duration}'`]),
    ...(text === undefined ? [] : [entityHasText(text)]),
  ];
  return conditions.join(' and ');
}

function commandOf({ type, state, is, time, text, sort }: Asked): string {
  const { within, since } = TIMES[time ?? ''] ?? {};
  const inError = is === 'error';
  const where = filterOf({
    ...{ type: undefined, state: undefined, time: undefined },
    is: inError ? undefined : is,
    text,
    sort,
  });
  return [
    `reeve entities${type === undefined ? '' : ` ${type}`}`,
    ...(state === undefined ? [] : [`--state ${state}`]),
    ...(inError ? ['--error'] : []),
    ...(since === undefined ? [] : [`${within ? '--since' : '--for'} ${since}`]),
    ...(where === '' ? [] : [`--where ${shellWord(where)}`]),
    ...(sort === undefined ? [] : [`--sort ${shellWord(sort)}`]),
  ].join(' ');
}

function columnsOf(ofAll: boolean): readonly Column[] {
  return [
    { title: 'Key', by: 'key' },
    ...(ofAll ? [{ title: 'Type', by: 'type' }] : []),
    { title: 'State', by: 'state' },
    // Since when, so the longest is the first in time.
    { title: 'For', by: 'state_entry_time' },
    { title: 'Operation', by: 'operation' },
    { title: 'Version', by: 'version', mostFirst: true, number: true },
  ];
}

function EntityTable({
  rows,
  ofAll,
  sort,
  onSort,
}: {
  readonly rows: readonly EntityRow[];
  readonly ofAll: boolean;
  readonly sort: string;
  onSort(sort: string): void;
}) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Entities, a scrollable table">
      <table>
        <Heads columns={columnsOf(ofAll)} sort={sort} onSort={onSort} />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.type}/${row.key}`}>
              <td>
                <EntityLink id={`${row.type}/${row.key}`} short />
              </td>
              {ofAll && <td>{row.type}</td>}
              <td>
                <StateBadge {...row} />
                {row.need && <p class="line bad">{causeOf(row.need)}</p>}
              </td>
              <td data-label="for">
                <Since at={row.state_entry_time} />
              </td>
              <td data-label={row.operation === null ? undefined : 'operation'}>
                {row.operation !== null && <OperationLink id={row.operation} />}
              </td>
              <td class="number" data-label="version">
                {row.version}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function causeOf({ error, message }: NonNullable<EntityRow['need']>): string {
  return error ? `${error.message} (${error.code})` : message;
}
