import { useSignal, type Signal } from '@preact/signals';
import { pathOfEntity } from '../../actions/entity-actions.js';
import { reachableFrom } from '../../actions/reachable.js';
import { Problem } from '../../api/problem.js';
import { useReading } from '../../api/reading.js';
import type { ExplainedEntity, Explanation, ServedType, WatchedEntity } from '../../api/shapes.js';
import type { Notes } from '../../../diagram/drawing.js';
import { runnerWords } from '../../../cli/explanation/service-words.js';
import { StateDiagram } from '../../diagram/diagram.js';
import { useWatch } from '../../live/live.js';
import { eventInWords, StateBadge } from '../../parts/badge.js';
import { Commands, Copy } from '../../parts/commands.js';
import { ExplanationView } from '../../parts/explanation.js';
import { EntityLink, InTemporal, OperationLink } from '../../parts/links.js';
import { Loading, Notice, ProblemNotice } from '../../parts/notice.js';
import { Ago, Since } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { typeOf } from '../../session/session.js';
import { Around } from './around.js';
import { AwaitedAnswers } from './answers.js';
import { AsOf, chosenVersion } from './as-of.js';
import { EventButtons } from './events.js';
import { History } from './history.js';
import { here, standingOf } from './standing.js';
import { StuckPanel } from './stuck.js';

/** One entity: how it is, what it waits for, what can be done, and the way that it took. */
export function EntityView({ type: typeName, entityKey }: { readonly type: string; readonly entityKey: string }) {
  const type = typeOf(typeName);
  const id = `${typeName}/${entityKey}`;
  const { data, problem } = useWatch(type && id).value ?? {};
  if (!type) {
    return (
      <Notice instead tone="bad" title={`There is no type ${typeName}.`}>
        It may not exist, or you may not read it.
      </Notice>
    );
  }
  // The data that is told of an entity is an entity; with the problem that it is gone, it is how it was.
  const entity = (data ?? problem?.last) as WatchedEntity | undefined;
  const gone = problem?.code === 'gone';
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['fleet'])}>Fleet</a> / <a href={linkTo(['entities', typeName])}>{typeName}</a>
      </nav>
      <div class="title">
        <h1>
          <span class="faint">{typeName}/</span>
          {entityKey}
        </h1>
        {entity && !gone && !chosenVersion(entity) && <StateBadge {...entity} />}
        {gone && <span class="badge quiet">deleted</span>}
      </div>
      {problem && !gone && <ProblemNotice problem={new Problem(problem)} />}
      {!entity && !problem && <Loading />}
      {entity && <Entity type={type} entity={entity} gone={gone} />}
    </>
  );
}

function Entity({
  type,
  entity,
  gone,
}: {
  readonly type: ServedType;
  readonly entity: WatchedEntity;
  readonly gone: boolean;
}) {
  const tick = `${entity.life}.${entity.version}.${entity.settled}.${entity.attempt}.${entity.running?.action}`;
  const path = pathOfEntity(type, entity.key);
  const raising = useSignal<string | undefined>(undefined);
  const near = reachableFrom(type, entity.state, 2);
  const chosen = chosenVersion(entity);
  const { data: told } = useReading<Explanation>(gone ? undefined : `${path}/explanation`, tick).value;
  const way = wayToError(entity, told);
  const last = told?.lastTask;
  if (chosen) {
    return (
      <>
        <AsOf key={`${chosen.life}.${chosen.version}`} type={type} entity={entity} chosen={chosen} />
        <History type={type} entity={entity} tick={tick} />
      </>
    );
  }
  return (
    <>
      {!entity.settled && !gone && (
        <a class="skip" href="#events-title" onClick={toEvents}>
          To the events
        </a>
      )}
      <p class="standing">
        {gone ? (
          <>It has been deleted. This is its last state.</>
        ) : (
          <>
            {standingOf(entity)} In this state for <Since at={entity.state_entry_time} />, version {entity.version}.
          </>
        )}{' '}
        {entity.operation !== null && !gone && (
          <>
            Operation <OperationLink id={entity.operation} on={entity.id} />.{' '}
          </>
        )}
        {last && (
          <>
            Last run by <b>{runnerWords(last)}</b>, <Ago at={new Date(last.at).toISOString()} />.{' '}
          </>
        )}
        <InTemporal address={entity['@reeve.execution']} />{' '}
        <Copy text={incidentOf(entity, way)} what={entity.id} label="Copy as incident" />
      </p>
      {entity.stale && !gone && (
        <Notice tone="warn" title="No worker answers for it.">
          This is how it was <Ago at={entity.reported_time} />. Its valid events are not known.
        </Notice>
      )}
      <StuckPanel type={type} entity={entity} build={last?.build} />
      {!gone && <AwaitedAnswers type={type} entity={entity} tick={tick} />}
      <LastFailure entity={entity} way={way} />
      {!gone && !entity.settled && (
        <section class="card" aria-labelledby="waits-title">
          <h2 id="waits-title">Waits for</h2>
          <ExplanationView path={path} tick={tick} />
          <Commands call={{ method: 'GET', path: `${path}/explanation`, reeve: `reeve explain ${entity.id}` }} />
        </section>
      )}
      <div class="columns">
        <div class="side">
          {!gone && <EventButtons type={type} entity={entity} raising={raising} />}
          <Around type={type} entity={entity} />
          <Commands call={{ method: 'GET', path, reeve: `reeve get ${entity.id}` }} />
        </div>
        <div class="main">
          <section aria-label="State diagram">
            <StateDiagram
              type={type.name}
              at={entity.state}
              near={[...near]}
              notes={notesOf(type, entity, near, gone)}
              {...(!gone && { choosing: { arrow: (from, to) => raisedAlong(type, entity, from, to, raising) } })}
            />
          </section>
          <History type={type} entity={entity} tick={tick} />
        </div>
      </div>
    </>
  );
}

/** The list of what it waits for may be long. */
function toEvents(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.events')?.focus();
}

/** The notes of its diagram: where it is, which ways it can be sent, and what is far from here. */
function notesOf(type: ServedType, entity: WatchedEntity, near: ReadonlySet<string>, gone: boolean): Notes {
  const far = type.states.filter(({ name }) => !near.has(name)).map(({ name }) => [name, { classes: 'far' }]);
  const arrows = type.states.flatMap(({ name: from }) =>
    type.states.map(({ name: to }) => {
      const open = !gone && eventsAlong(type, entity, from, to).length > 0;
      return [`${from} ${to}`, { classes: open ? 'can' : near.has(from) && near.has(to) ? '' : 'far' }];
    }),
  );
  return {
    states: {
      ...Object.fromEntries(far),
      [entity.state]: { text: gone ? 'it was here' : here(entity), classes: 'present' },
    },
    arrows: Object.fromEntries(arrows),
  };
}

/** The events that it would take now and that lead along an arrow. */
function eventsAlong(type: ServedType, { state, events }: WatchedEntity, from: string, to: string): readonly string[] {
  if (from !== state) return [];
  const along = type.actions.filter(
    (each) => each.in.includes(from) && (each.to.length > 0 ? each.to : [from]).includes(to),
  );
  return events
    .filter(({ event, allowed }) => allowed && along.some(({ on }) => on === event))
    .map(({ event }) => event);
}

/** Raises the event of an arrow. Where several lead along it, their buttons tell which one. */
function raisedAlong(
  type: ServedType,
  entity: WatchedEntity,
  from: string,
  to: string,
  raising: Signal<string | undefined>,
) {
  const [event, ...others] = eventsAlong(type, entity, from, to);
  if (event === undefined || others.length > 0) return undefined;
  return { label: `Raise ${eventInWords(type.name, event)}`, choose: () => (raising.value = event) };
}

/** The operation that has led an entity to its error state, with the errors of others in it. */
type WayToError = Pick<ExplainedEntity, 'causes'> & Pick<Required<ExplainedEntity>, 'enteredIn'>;

/** Tells how an entity came to its error state; nothing where it has failed itself, or is in none. */
function wayToError(
  { health, stuck, last_failure: failure }: WatchedEntity,
  explanation: Explanation | undefined,
): WayToError | undefined {
  const isLed = health === 'error' && !stuck && !failure;
  const root = explanation?.entities[0];
  if (!isLed || root?.kind !== 'entity' || root.enteredIn === undefined) return undefined;
  return { enteredIn: root.enteredIn, causes: root.causes ?? [] };
}

/** Why it is in an error state. What stops an entity that is stuck stands in its panel. */
function LastFailure({
  entity: { health, stuck, last_failure: failure, id },
  way,
}: {
  readonly entity: WatchedEntity;
  readonly way: WayToError | undefined;
}) {
  if (health !== 'error' || stuck) return null;
  if (failure) {
    const { code, message, time, operation } = failure;
    return (
      <Notice tone="bad" title={`It failed: ${message} (${code})`}>
        <Ago at={time} />, in operation <OperationLink id={operation} on={id} />.
      </Notice>
    );
  }
  if (!way) return null;
  const { causes = [], enteredIn } = way;
  return (
    <Notice
      tone="bad"
      title={causes.length === 0 ? 'No action has reported why.' : 'The operation that led here has failed:'}
    >
      {causes.map(({ entity, event, code, message }) => (
        <p key={`${entity} ${event} ${code}`} class="line">
          <EntityLink id={entity} />: {message} ({code})
        </p>
      ))}
      It came to this state in operation <OperationLink id={enteredIn} on={id} />.
    </Notice>
  );
}

function incidentOf(entity: WatchedEntity, way: WayToError | undefined): string {
  const { id, state, health, version, operation, stuck, last_error, last_failure, state_entry_time: since } = entity;
  const error = last_error ?? last_failure;
  return [
    `${id} is in ${state} (${health}) since ${since}, version ${version}`,
    ...(stuck ? [`stuck: ${stuck.message}`, stuck.what_to_do] : []),
    ...(error ? [`last error ${error.code}: ${error.message}`] : []),
    ...(way?.causes ?? []).map((cause) => `because of ${cause.entity}: ${cause.message} (${cause.code})`),
    ...(operation === null ? [] : [`operation ${operation}`]),
    location.href,
    ...(entity['@reeve.execution'] === undefined ? [] : [entity['@reeve.execution']]),
  ].join('\n');
}
