import { useRef } from 'preact/hooks';
import { useReading } from '../api/reading.js';
import type { ServedType, TransitionSummary } from '../api/shapes.js';
import { StateDiagram } from '../diagram/diagram.js';
import { stateInWords } from '../parts/badge.js';
import { Notice } from '../parts/notice.js';
import { lasting } from '../parts/time.js';
import { go, linkTo, place } from '../router.js';
import { rightsOn, typeOf } from '../session/session.js';
import { useSummary } from './attention.js';
import { EntityList } from './entity-list.js';
import { fleetNotes } from './fleet-notes.js';
import { FlowView } from './flow.js';

const PERIODS = { '1h': 'hour', '24h': 'day', '7d': 'week' } as const;

/** The entities of a type: the diagram with how many are where, and the list behind it. */
export function EntitiesView({ type: name }: { readonly type: string }) {
  const type = typeOf(name);
  const summary = useSummary();
  const list = useRef<HTMLDivElement>(null);
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
  // The list is below the diagram: whoever chooses in that sees this.
  const below = (change: Readonly<Record<string, string | undefined>>) => {
    choose(change);
    requestAnimationFrame(() => list.current?.scrollIntoView({ block: 'nearest' }));
  };
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
        near={counts.map((each) => each.state)}
        {...(state !== undefined && { at: state })}
        choosing={{
          state: (chosen) => ({
            label: `Entities in ${chosen}`,
            choose: () => below({ state: chosen === state ? undefined : chosen }),
          }),
          arrow: (start, end) => ({
            label: `From ${start} to ${end}`,
            choose: () => below({ from: start, to: end }),
          }),
        }}
      />
      <StateTimes type={type} flow={flow.data} />
      <div ref={list} class="below">
        {from !== null && to !== null ? (
          <FlowView type={name} from={from} to={to} period={period} onClose={() => choose({})} />
        ) : (
          <EntityList
            type={name}
            title={<h2>{state === undefined ? 'All' : `In ${stateInWords(name, state)}`}</h2>}
            more={({ is, time, text }, rows) =>
              is === undefined &&
              time === undefined &&
              text === undefined &&
              rows.length > 0 &&
              (rightsOn(name)?.raise.length ?? 0) > 0 && (
                <a class="button small" href={linkTo(['many', name], { state })}>
                  An event for all of these
                </a>
              )
            }
          />
        )}
      </div>
    </>
  );
}

export function canCreate(type: ServedType): boolean {
  const rights = rightsOn(type.name);
  return rights !== undefined && (rights.create.length > 0 || (rights.construct && type.construct !== undefined));
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
