import { pathOfEntity } from '../../actions/entity-actions.js';
import { Problem } from '../../api/problem.js';
import type { ServedType, WatchedEntity } from '../../api/shapes.js';
import { StateDiagram } from '../../diagram/diagram.js';
import { useWatch } from '../../live/live.js';
import { StateBadge } from '../../parts/badge.js';
import { Commands, Copy } from '../../parts/commands.js';
import { ExplanationView } from '../../parts/explanation.js';
import { InTemporal, OperationLink } from '../../parts/links.js';
import { Loading, Notice, ProblemNotice } from '../../parts/notice.js';
import { Ago, Since } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { typeOf } from '../../session/session.js';
import { Around } from './around.js';
import { AwaitedAnswers } from './answers.js';
import { AsOf, chosenVersion } from './as-of.js';
import { EventButtons } from './events.js';
import { History } from './history.js';
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
  // What is told of an entity is an entity; with the problem that it is gone, it is how it was.
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
  const chosen = chosenVersion(entity);
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
        <InTemporal address={entity['@reeve.execution']} />{' '}
        <Copy text={incidentOf(entity)} what={entity.id} label="Copy as incident" />
      </p>
      {entity.stale && !gone && (
        <Notice tone="warn" title="No worker answers for it.">
          This is how it was <Ago at={entity.reported_time} />. Its valid events are not known.
        </Notice>
      )}
      <StuckPanel type={type} entity={entity} />
      {!gone && <AwaitedAnswers type={type} entity={entity} tick={tick} />}
      <LastFailure entity={entity} />
      <div class="columns">
        <div class="main">
          <section aria-label="State diagram">
            <StateDiagram
              type={type.name}
              at={entity.state}
              notes={{ states: { [entity.state]: { text: gone ? 'it was here' : here(entity), classes: 'present' } } }}
            />
          </section>
          {!gone && !entity.settled && (
            <section class="card" aria-labelledby="waits-title">
              <h2 id="waits-title">Waits for</h2>
              <ExplanationView path={path} tick={tick} />
              <Commands call={{ method: 'GET', path: `${path}/explanation`, reeve: `reeve explain ${entity.id}` }} />
            </section>
          )}
          <History type={type} entity={entity} tick={tick} />
        </div>
        <div class="side">
          {!gone && <EventButtons type={type} entity={entity} />}
          <Around type={type} entity={entity} />
          <Commands call={{ method: 'GET', path, reeve: `reeve get ${entity.id}` }} />
        </div>
      </div>
    </>
  );
}

/** Why it is in an error state. What stops an entity that is stuck stands in its panel. */
function LastFailure({ entity: { health, stuck, last_failure: failure, id } }: { readonly entity: WatchedEntity }) {
  if (!failure || health !== 'error' || stuck) return null;
  const { code, message, time, operation } = failure;
  return (
    <Notice tone="bad" title={`It failed: ${message} (${code})`}>
      <Ago at={time} />, in operation <OperationLink id={operation} on={id} />.
    </Notice>
  );
}

function standingOf({
  settled,
  running,
  waiting,
  exhausted,
  attempt,
  attempts,
  next_attempt_time: next,
}: WatchedEntity): string {
  if (exhausted) return 'It has used up its attempts.';
  if (running)
    return `It runs ${running.action}${(attempt ?? 0) > 1 ? `, attempt ${attempt}${attempts === null ? '' : ` of ${attempts}`}` : ''}.`;
  if (next !== null)
    return `It tries again soon, attempt ${(attempt ?? 0) + 1}${attempts === null ? '' : ` of ${attempts}`}.`;
  if (waiting.length > 0) return `${waiting.length} events wait for their turn.`;
  return settled ? 'It rests.' : 'It waits for others.';
}

/** What it waits for, in the few words for which there is room in its state. */
function here({ settled, running, exhausted, attempt, attempts, next_attempt_time: next }: WatchedEntity): string {
  if (exhausted) return 'attempts used up';
  const count = `${attempt ?? 1}${attempts === null ? '' : ` of ${attempts}`}`;
  if (running) return (attempt ?? 0) > 1 ? `attempt ${count} runs` : 'works here';
  if (next !== null) return `attempt ${count} failed`;
  return settled ? 'it is here' : 'waits for others';
}

function incidentOf(entity: WatchedEntity): string {
  const { id, state, health, version, operation, stuck, last_error, last_failure, state_entry_time: since } = entity;
  const error = last_error ?? last_failure;
  return [
    `${id} is in ${state} (${health}) since ${since}, version ${version}`,
    ...(stuck ? [`stuck: ${stuck.message}`, stuck.what_to_do] : []),
    ...(error ? [`last error ${error.code}: ${error.message}`] : []),
    ...(operation === null ? [] : [`operation ${operation}`]),
    location.href,
    ...(entity['@reeve.execution'] === undefined ? [] : [entity['@reeve.execution']]),
  ].join('\n');
}
