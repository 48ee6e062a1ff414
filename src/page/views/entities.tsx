import { useReading } from '../api/reading.js';
import type { EntityRow, Page, ServedType, TransitionSummary } from '../api/shapes.js';
import { StateDiagram } from '../diagram/diagram.js';
import { StateBadge, stateInWords } from '../parts/badge.js';
import { Commands } from '../parts/commands.js';
import { EntityLink, OperationLink } from '../parts/links.js';
import { MoreRows } from '../parts/more-rows.js';
import { Empty, Notice, Read } from '../parts/notice.js';
import { lasting, Since } from '../parts/time.js';
import { go, linkTo, place } from '../router.js';
import { rightsOn, typeOf } from '../session/session.js';
import { useSummary } from './attention.js';
import { fleetNotes } from './fleet-notes.js';
import { FlowView } from './flow.js';

const PERIODS = { '1h': 'hour', '24h': 'day', '7d': 'week' } as const;

/** The entities of a type: the diagram with how many are where, and the list behind it. */
export function EntitiesView({ type: name }: { readonly type: string }) {
  const type = typeOf(name);
  const summary = useSummary();
  const { options } = place.value;
  const period = options.get('period') ?? '1h';
  const flow = useReading<TransitionSummary>(`/api/transitions/summary?from=${period}`, summary?.at, 30_000).value;
  if (!type) {
    return (
      <Notice instead tone="bad" title={`There is no type ${name}.`}>
        It may not exist, or you may not read it.
      </Notice>
    );
  }
  const counts = summary?.items.filter((item) => item.type === name) ?? [];
  const state = options.get('state') ?? undefined;
  const [from, to] = [options.get('from'), options.get('to')];
  const choose = (change: Readonly<Record<string, string | undefined>>) =>
    go(linkTo(['entities', name], { ...(period !== '1h' && { period }), ...change }), { replacing: true });
  return (
    <>
      <div class="title">
        <h1>{name}</h1>
        {canCreate(type) && (
          <a class="button primary" href={linkTo(['create', name])}>
            New {name}
          </a>
        )}
      </div>
      {type.description !== undefined && <p class="faint">{type.description}</p>}
      <div class="periods" role="group" aria-label="Period of the counts on the arrows">
        <span class="faint">Arrows: the last</span>
        {Object.entries(PERIODS).map(([each, words]) => (
          <button
            key={each}
            type="button"
            class="small"
            aria-pressed={each === period}
            onClick={() => choose({ period: each, state })}
          >
            {words}
          </button>
        ))}
      </div>
      <StateDiagram
        type={name}
        notes={fleetNotes(type, counts, flow.data, state)}
        choosing={{
          onState: (chosen) => choose({ state: chosen === state ? undefined : chosen }),
          onArrow: (start, end) => choose({ from: start, to: end }),
        }}
      />
      <StateTimes type={type} flow={flow.data} />
      {from !== null && to !== null ? (
        <FlowView type={name} from={from} to={to} period={period} onClose={() => choose({})} />
      ) : (
        <EntityList type={type} state={state} tick={summary?.at} onAll={() => choose({})} />
      )}
    </>
  );
}

export function canCreate(type: ServedType): boolean {
  const rights = rightsOn(type.name);
  return rights !== undefined && (rights.create.length > 0 || (rights.construct && type.construct !== undefined));
}

function EntityList({
  type,
  state,
  tick,
  onAll,
}: {
  readonly type: ServedType;
  readonly state: string | undefined;
  readonly tick: string | undefined;
  onAll(): void;
}) {
  const filter = state === undefined ? '' : `&$filter=${encodeURIComponent(`state eq '${state}'`)}`;
  const path = `/api/entities?$filter=${encodeURIComponent(`type eq '${type.name}'${state === undefined ? '' : ` and state eq '${state}'`}`)}&$orderby=key&$count=true`;
  const reading = useReading<Page<EntityRow>>(path, tick);
  return (
    <section aria-labelledby="list-title">
      <div class="title">
        <h2 id="list-title">{state === undefined ? 'All' : `In ${stateInWords(type.name, state)}`}</h2>
        {state !== undefined && (
          <button type="button" class="small" onClick={onAll}>
            Show all
          </button>
        )}
        <span class="faint">{reading.value.data?.['@odata.count']}</span>
        {(rightsOn(type.name)?.raise.length ?? 0) > 0 && (reading.value.data?.value.length ?? 0) > 0 && (
          <a class="button small" href={linkTo(['many', type.name], { state })}>
            An event for all of these
          </a>
        )}
      </div>
      <Read reading={reading.value}>
        {(page) => (
          <MoreRows page={page}>
            {(rows) => (rows.length === 0 ? <Empty>There are none.</Empty> : <EntityTable rows={rows} />)}
          </MoreRows>
        )}
      </Read>
      <Commands
        call={{
          ...{ method: 'GET', path: `${type.path}?$orderby=key${filter}` },
          reeve: `reeve entities ${type.name}${state === undefined ? '' : ` --state ${state}`}`,
        }}
      />
    </section>
  );
}

export function EntityTable({ rows }: { readonly rows: readonly EntityRow[] }) {
  return (
    <div class="table-frame" tabIndex={0} role="group" aria-label="Entities, a scrollable table">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col">For</th>
            <th scope="col">Operation</th>
            <th scope="col" class="number">
              Version
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.type}/${row.key}`}>
              <td>
                <EntityLink id={`${row.type}/${row.key}`} short />
              </td>
              <td>
                <StateBadge {...row} />
              </td>
              <td class="number">
                <Since at={row.state_entry_time} />
              </td>
              <td>{row.operation === null ? <span class="faint">none</span> : <OperationLink id={row.operation} />}</td>
              <td class="number">{row.version}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** How long entities were in the states that they left, as a list beside the diagram. */
function StateTimes({ type, flow }: { readonly type: ServedType; readonly flow: TransitionSummary | undefined }) {
  const states = flow?.states.filter((each) => each.type === type.name) ?? [];
  const rejections = flow?.rejections.filter((each) => each.type === type.name) ?? [];
  if (states.length === 0 && rejections.length === 0) return null;
  return (
    <details class="figures-below">
      <summary>Times in states, and rejections</summary>
      <ul class="lines">
        {states.map((each) => (
          <li key={each.state}>
            <span class="grow">{stateInWords(type.name, each.state)}</span>
            <span class="faint">{each.left} left it</span>
            <span>half within {lasting(each.p50_ms ?? 0)}</span>
            <span>95 % within {lasting(each.p95_ms ?? 0)}</span>
          </li>
        ))}
        {rejections.map((each) => (
          <li key={`${each.event} ${each.state} ${each.code}`}>
            <span class="grow">
              {each.event} {each.state !== null && <>in {stateInWords(type.name, each.state)}</>}
            </span>
            <span class="count warn">
              {each.total} × {each.code}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
