import { partitionsInWords } from '../../../cli/explanation/partition-words.js';
import { Problem } from '../../api/problem.js';
import type { DistributedRepresentation } from '../../api/shapes.js';
import { useWatch } from '../../live/live.js';
import { DistributedBadge } from '../../parts/badge.js';
import { Commands, Copy } from '../../parts/commands.js';
import { InTemporal } from '../../parts/links.js';
import { Empty, Loading, Notice, ProblemNotice } from '../../parts/notice.js';
import { At, lasting, Since } from '../../parts/time.js';
import { linkTo } from '../../router.js';
import { rightsOver } from '../../session/session.js';
import { useOperationRow } from '../operation/operation.js';
import { distributedPath, Steering } from './steering.js';

type Told = DistributedRepresentation & { readonly '@reeve.execution'?: string };

/** One distributed operation: how far it is, where its jobs run, and what an operator can do about it. */
export function DistributedView({ name }: { readonly name: string }) {
  const { data, problem } = useWatch(`distributed/${name}`).value ?? {};
  // The data that is told of a distributed operation is one.
  const operation = data as Told | undefined;
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['distributed'])}>Distributed operations</a>
      </nav>
      <div class="title">
        <h1>
          {operation ? (
            <>
              {operation.type} {operation.instance} <span class="faint">on {operation.target}</span>
            </>
          ) : (
            <span class="mono">{name}</span>
          )}
        </h1>
        {operation && <DistributedBadge {...operation} />}
      </div>
      {problem && <ProblemNotice problem={new Problem(problem)} />}
      {!operation && !problem && <Loading />}
      {operation && <Distributed operation={operation} />}
    </>
  );
}

/** A cancel was asked for. */
const REASON_TONES: Readonly<Record<string, 'good' | 'quiet'>> = { succeeded: 'good', cancelled: 'quiet' };

function Distributed({ operation }: { readonly operation: Told }) {
  const {
    name,
    type,
    object,
    reason,
    start_time: start,
    end_time: end,
    lanes,
    troubles,
    failures,
    blocked,
    retries,
  } = operation;
  const isCanceled = operation.outcome === 'cancelled' || operation.state === 'stopping';
  const request = operation.request_id ?? undefined;
  const canceler = useOperationRow(isCanceled ? request : undefined, operation.outcome)?.['@reeve.cancel_caller'];
  return (
    <>
      <p class="standing">
        Began at <At at={start} />
        {end === null ? (
          <>
            , for <Since at={start} />
          </>
        ) : (
          <>, took {lasting(Date.parse(end) - Date.parse(start))}</>
        )}
        . {object !== null && <>It works on {object}. </>}
        {canceler !== undefined && <>Cancel requested by {canceler}. </>}
        <InTemporal address={operation['@reeve.execution']} />{' '}
        <Copy text={incidentOf(operation)} what={name} label="Copy as incident" />
      </p>
      {operation.stale && end === null && (
        <Notice tone="warn" title="No worker answers for it.">
          This is how it was at <At at={operation.reported_time} />.
        </Notice>
      )}
      {reason !== null && (
        <Notice tone={REASON_TONES[operation.outcome ?? ''] ?? 'bad'} title={reason}>
          {operation.outcome === null ? 'It ends for this reason.' : 'It has ended for this reason.'}
        </Notice>
      )}
      <Progress operation={operation} />
      {end === null && rightsOver(type)?.operate && <Steering operation={operation} />}
      <Blocked blocked={end === null ? blocked : []} postponed={troubles.filter(({ attempts }) => attempts === 0)} />
      <Retried
        id="failures-title"
        title="Jobs that have failed"
        lines={failures.map(({ partition, message }) => ({ what: `Partition ${partition}`, message }))}
      />
      <Retried
        id="troubles-title"
        title="Jobs that are retried"
        lines={troubles
          .filter(({ attempts }) => attempts > 0)
          .map(({ partition, ...tried }) => ({ what: `Partition ${partition}`, ...tried }))}
      />
      <Retried
        id="retries-title"
        title="Other retries"
        lines={retries.map(({ call, place, ...tried }) => ({
          what: place === null ? call : `Clean-up at ${place}`,
          ...tried,
        }))}
      />
      {end === null && (
        <section class="card" aria-labelledby="lanes-title">
          <h2 id="lanes-title">Places</h2>
          {lanes.length === 0 ? (
            <Empty>No job runs now.</Empty>
          ) : (
            <ul class="lines">
              {lanes.map(({ number, place, partitions, partition, ended }) => (
                <li key={number}>
                  <strong>{place}</strong>
                  <span class="grow">{partitionsInWords(partitions)}</span>
                  {ended === undefined ? (
                    <span class="count warn">waits for an executor</span>
                  ) : (
                    <span class="faint">
                      {partition !== undefined && `at partition ${partition}, `}
                      {ended} ended
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      <Commands call={{ method: 'GET', path: distributedPath(name), reeve: `reeve distributed show ${name}` }} />
    </>
  );
}

function Progress({ operation }: { readonly operation: Told }) {
  const { done, jobs, at_once: atOnce, estimated_end_time: estimated, state, lanes, stale } = operation;
  const waiting = stale ? 0 : lanes.filter(({ ended }) => ended === undefined).length;
  const percent = `${(done * 100).toFixed(done === 1 ? 0 : 1)} %`;
  const rate = rateOf(operation);
  return (
    <section class="card" aria-labelledby="progress-title">
      <h2 id="progress-title">Progress</h2>
      <div class="progress">
        <progress max={1} value={done} aria-label="Progress" />
        <strong>{percent}</strong>
      </div>
      <div class="figures in-card">
        <Fact title={`of ${jobs.all} jobs have ended`} value={jobs.succeeded + jobs.failed} />
        <Fact title={`run now, at most ${atOnce}`} value={jobs.running - waiting} />
        {waiting > 0 && <Fact title="wait for an executor" value={waiting} bad />}
        <Fact title="have failed" value={jobs.failed} bad={jobs.failed > 0} />
        {rate !== undefined && <Fact title="jobs a second" value={rate} />}
        {estimated !== null && state === 'running' && (
          <Fact title="left at this speed" value={<Left until={estimated} from={operation.reported_time} />} />
        )}
      </div>
    </section>
  );
}

function Left({ until, from }: { readonly until: string; readonly from: string }) {
  return <time dateTime={until}>{lasting(Date.parse(until) - Date.parse(from))}</time>;
}

function Fact({
  title,
  value,
  bad = false,
}: {
  readonly title: string;
  readonly value: preact.ComponentChildren;
  readonly bad?: boolean;
}) {
  return (
    <div class={`figure ${bad ? 'bad' : ''}`}>
      <strong>{value}</strong>
      <span>{title}</span>
    </div>
  );
}

/** How many jobs it did in a second so far, of what is done; nothing while it is paused. */
function rateOf({ done, jobs, state, ...times }: Told): string | undefined {
  const { start_time: start, end_time: end, reported_time: said, paused_ms: pausedMs } = times;
  const seconds = (Date.parse(end ?? said) - Date.parse(start) - pausedMs) / 1_000;
  return seconds > 0 && state !== 'paused' ? ((done * jobs.all) / seconds).toFixed(1) : undefined;
}

interface RetriedProps {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly {
    readonly what: string;
    /** The number of attempts so far. */
    readonly attempts?: number;
    readonly message?: string | undefined;
  }[];
}

/** Shows why jobs wait, if any waits for something else than its turn, or has postponed itself. */
function Blocked({
  blocked,
  postponed,
}: Pick<Told, 'blocked'> & {
  readonly postponed: Told['troubles'];
}) {
  if (blocked.length + postponed.length === 0) return null;
  return (
    <section class="card need warn" aria-labelledby="blocked-title">
      <h2 id="blocked-title">Jobs that wait</h2>
      <ul class="lines">
        {blocked.map(({ partitions, message, since_time: since, pids }, at) => {
          // The message may name some of them.
          const others = pids.filter((pid) => !message.includes(`${pid}`));
          return (
            <li key={at}>
              <span>{partitionsInWords(partitions, 'Partition')}</span>
              <span class="grow message">
                {message}
                {others.length > 0 && ` Held by ${others.length === 1 ? 'pid' : 'pids'} ${others.join(', ')}.`}
              </span>
              {since !== null && (
                <span class="faint">
                  for <Since at={since} />
                </span>
              )}
            </li>
          );
        })}
        {postponed.map(({ partition, message }) => (
          <li key={`postponed ${partition}`}>
            <span>Partition {partition}</span>
            <span class="grow message">{message ?? 'It gave no reason.'}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows what has failed and is tried again, if anything is. */
function Retried({ id, title, lines }: RetriedProps) {
  if (lines.length === 0) return null;
  return (
    <section class="card need warn" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="lines">
        {lines.map(({ what, attempts, message }, at) => (
          <li key={at}>
            <span>{what}</span>
            <span class="grow message">{message ?? 'It gave no reason.'}</span>
            {attempts !== undefined && (
              <span class="faint">
                {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function incidentOf({ name, state, outcome, jobs, reason, troubles, ...rest }: Told): string {
  return [
    `${name}: ${outcome ?? state}, ${jobs.succeeded} of ${jobs.all} jobs done, ${jobs.failed} failed`,
    ...(reason === null ? [] : [reason]),
    ...troubles.map(
      ({ partition, attempts, message = '?' }) => `partition ${partition}, ${attempts} attempts: ${message}`,
    ),
    location.href,
    ...(rest['@reeve.execution'] === undefined ? [] : [rest['@reeve.execution']]),
  ].join('\n');
}
