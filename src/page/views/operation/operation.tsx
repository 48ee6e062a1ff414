import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CancelOperation } from '../../actions/cancel-operation.js';
import { Problem } from '../../api/problem.js';
import { useReading, useRows } from '../../api/reading.js';
import type { CallRow, EventRow, OperationRepresentation, OperationRow, Page } from '../../api/shapes.js';
import { useWatch } from '../../live/live.js';
import { subjectOf } from '../../parts/asked.js';
import { OutcomeBadge } from '../../parts/badge.js';
import { Commands, Copy } from '../../parts/commands.js';
import { ExplanationView } from '../../parts/explanation.js';
import { EntityLink, InTemporal } from '../../parts/links.js';
import { Loading, Notice, ProblemNotice, Read } from '../../parts/notice.js';
import { At, lasting, Since } from '../../parts/time.js';
import { quoted } from '../../../protocol/odata-text.js';
import { Later } from '../../parts/later.js';
import { linkTo, place } from '../../router.js';
import { useTitle } from '../../title.js';
import { Waterfall } from './waterfall.js';

/** One operation: how it is, what it waits for, and all that it did as a tree in time. */
export function OperationView({ id }: { readonly id: string }) {
  const on = place.value.options.get('on') ?? undefined;
  const { data, problem } = useWatch(subjectOf(id, on)).value ?? {};
  // The data that is told of an operation is an operation.
  const operation = data as OperationRepresentation | undefined;
  // The answer of an operation that settled at once has no name: its row has it, and that of one that was canceled tells by whom.
  const asked = operation && (operation.name === null || isCanceled(operation));
  const row = useOperationRow(asked ? id : undefined, `${operation?.outcome} ${operation?.cancel}`);
  const name = operation?.name ?? row?.name;
  useTitle(name);
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['operations'])}>Operations</a>
      </nav>
      <div class="title">
        <h1>{name ?? <span class="mono">{id}</span>}</h1>
        {operation && (
          <OutcomeBadge outcome={operation.hung && operation.outcome === 'running' ? 'hung' : operation.outcome} />
        )}
      </div>
      {problem && <ProblemNotice problem={new Problem(problem)} />}
      {!operation && !problem && <Loading />}
      {operation && <Operation id={id} on={on} operation={operation} canceler={row?.['@reeve.cancel_caller']} />}
    </>
  );
}

/** Reads the row of an operation, which comes a moment later. */
export function useOperationRow(id: string | undefined, tick: unknown): OperationRow | undefined {
  const path = id && `/api/operations?$filter=${encodeURIComponent(`request_id eq ${quoted(id)}`)}`;
  return useReading<Page<OperationRow>>(path, tick, 5_000).value.data?.value[0];
}

function isCanceled({ outcome, cancel }: OperationRepresentation): boolean {
  return outcome === 'canceled' || (cancel !== null && cancel !== 'none');
}

function Operation({
  id,
  on,
  operation,
  canceler,
}: {
  readonly id: string;
  readonly on: string | undefined;
  readonly operation: OperationRepresentation;
  /** The caller who has asked to cancel it, where that is known. */
  readonly canceler: string | undefined;
}) {
  const {
    outcome,
    workflow_start_time: start,
    workflow_end_time: end,
    errors,
    rejection,
    hung,
    cancel,
    cancel_refusals: refusals,
    stale,
  } = operation;
  const running = outcome === 'running';
  const path = `/api/operations/${encodeURIComponent(id)}`;
  const tick = `${outcome} ${operation.open} ${operation.participants.map(({ version }) => version).join()}`;
  return (
    <>
      <p class="standing">
        {start !== null && (
          <>
            Began at <At at={start} />
            {running ? (
              <>
                , for <Since at={start} />
              </>
            ) : (
              end !== null && <>, took {lasting(Date.parse(end) - Date.parse(start))}</>
            )}
            .{' '}
          </>
        )}
        {running && cancel !== null && cancel !== 'none' ? (
          <>
            Cancel {cancel}
            {canceler !== undefined && (cancel === 'requested' ? ` by ${canceler}` : `, requested by ${canceler}`)}
            .{' '}
          </>
        ) : (
          canceler !== undefined && <>Cancel requested by {canceler}. </>
        )}
        <span class="mono faint">{id}</span> <InTemporal address={operation['@reeve.execution']} />{' '}
        <Copy text={incidentOf(id, operation)} what={operation.name ?? id} label="Copy as incident" />
      </p>
      {stale && running && (
        <Notice tone="warn" title="No worker answers for it.">
          This is its last state in the store.
        </Notice>
      )}
      {hung && running && (
        <Notice tone="warn" title="It exceeds its time budget.">
          It may still end. Its waits are below.
        </Notice>
      )}
      {rejection && (
        <Notice tone="bad" title={`Its event was rejected: ${rejection.code}`}>
          {rejection.message}
        </Notice>
      )}
      {errors.length > 0 && (
        <section class="card need bad" aria-labelledby="errors-title">
          <h2 id="errors-title">{outcome === 'failed' ? 'Cause of the failure' : 'Errors'}</h2>
          <ul class="lines">
            {errors.map((error, index) => (
              <li key={index}>
                <span>
                  <EntityLink id={error.entity} /> {error.event}
                </span>
                <span class="grow message">
                  {error.message} ({error.code})
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {refusals.length > 0 && (
        <section class="card need" aria-labelledby="refusals-title">
          <h2 id="refusals-title">{cancel === 'refused' ? 'Refused to cancel, and continues' : 'Refused to cancel'}</h2>
          <ul class="lines">
            {refusals.map(({ entity, event, code, message, time }) => (
              <li key={entity}>
                <span>
                  <EntityLink id={entity} /> {event}
                </span>
                <span class="grow message">
                  {message} ({code}), at <At at={time} />
                </span>
              </li>
            ))}
          </ul>
          {running && cancel === 'refused' && (
            <p class="hint">Fix what it waits for, below. A refused cancel can be accepted in another state.</p>
          )}
        </section>
      )}
      {running && (
        <p>
          <CancelOperation id={id} on={on} name={operation.name} />
        </p>
      )}
      {running && (
        <section class="card" aria-labelledby="waits-title">
          <h2 id="waits-title">Waits for</h2>
          <ExplanationView path={path} tick={tick} />
        </section>
      )}
      <Steps id={id} tick={tick} running={running} />
      <Commands call={{ method: 'GET', path, reeve: `reeve operations show ${id}` }} />
    </>
  );
}

const loadSequence = () => import('./sequence.js').then(({ SequenceDrawing }) => SequenceDrawing);

/** An operation with more events than this is read less often. */
const LARGE = 300;

function Steps({ id, tick, running }: { readonly id: string; readonly tick: string; readonly running: boolean }) {
  const path = `/api/operations/${encodeURIComponent(id)}/events?$orderby=event_id&$expand=transitions,workflow_error`;
  const large = useSignal(false);
  // The store hears of changes a moment later. What is large is not read again and again.
  const everyMs = large.value ? 15_000 : running ? 1_000 : 5_000;
  const events = useRows<EventRow>(path, large.value ? running : tick, everyMs);
  const calls = useRows<CallRow>(
    `/api/calls?$filter=${encodeURIComponent(`operation/request_id eq ${quoted(id)}`)}`,
    large.value ? running : tick,
    everyMs * 2,
  );
  const asSequence = useSignal(false);
  const count = events.value.data?.rows.length ?? 0;
  useEffect(() => {
    large.value = count > LARGE;
  }, [count]);
  return (
    <section class="card" aria-labelledby="steps-title">
      <div class="head">
        <h2 id="steps-title">Steps</h2>
        <button
          type="button"
          class="small"
          aria-pressed={asSequence.value}
          onClick={() => (asSequence.value = !asSequence.value)}
        >
          As a sequence
        </button>
      </div>
      <Read reading={events.value}>
        {({ rows, more }) => (
          <>
            {more && (
              <Notice tone="warn" title={`These are the first ${rows.length} events.`}>
                The command below lists all of them.
              </Notice>
            )}
            {asSequence.value ? (
              <Later load={loadSequence} props={{ events: rows, calls: calls.value.data?.rows ?? [] }} />
            ) : (
              <Waterfall events={rows} calls={calls.value.data?.rows ?? []} />
            )}
          </>
        )}
      </Read>
    </section>
  );
}

function incidentOf(
  id: string,
  { name, outcome, errors, workflow_start_time: start, ...rest }: OperationRepresentation,
): string {
  return [
    `${name ?? 'operation'}: ${outcome}, begun ${start ?? '?'}, operation ${id}`,
    ...errors.map((error) => `${error.entity}, ${error.event}: ${error.message} (${error.code})`),
    location.href,
    ...(rest['@reeve.execution'] === undefined ? [] : [rest['@reeve.execution']]),
  ].join('\n');
}
