import { useSignal } from '@preact/signals';
import { ActionDialog, type Action } from '../actions/action-dialog.js';
import { cancelCall, retryCall } from '../actions/entity-actions.js';
import { useReading } from '../api/reading.js';
import type { Attention, Concern, OperationSummary } from '../api/shapes.js';
import { noteAsked } from '../parts/asked.js';
import { CommandHint, Copy } from '../parts/commands.js';
import { inShell } from '../parts/in-shell.js';
import { Empty, Notice, Read } from '../parts/notice.js';
import { lasting, Since } from '../parts/time.js';
import { linkTo, linkToEntity, linkToOperation } from '../router.js';
import { readsEntities, rightsOn, rightsOver, typeOf } from '../session/session.js';
import { groupsOf, useAttention, useSummary, type ConcernGroup } from './attention.js';
import { cancelAction, distributedPath } from './distributed/steering.js';
import { ANSWERING } from './entity/answers.js';
import { Builds } from './rollout.js';

/** The first view: what does not get on without a person. */
export function NeedsYouView() {
  const attention = useAttention();
  if (!readsEntities.value) {
    return (
      <>
        <h1>Needs you</h1>
        <Empty>You may not read entities.</Empty>
      </>
    );
  }
  return (
    <>
      <h1>Needs you</h1>
      <Read reading={attention.value}>{(found) => <Found found={found} />}</Read>
      <h2>Everything else</h2>
      {attention.value.data && <Health {...attention.value.data} />}
      <Overview />
      <Builds />
    </>
  );
}

function Found({ found: { items, partial } }: { readonly found: Attention }) {
  const groups = groupsOf(items);
  return (
    <>
      {partial.length > 0 && (
        <Notice tone="warn" title="Something may be missing.">
          {partial.map((who) => ({ store: 'The store', temporal: 'Temporal' })[who]).join(' and ')} could not be
          queried.
        </Notice>
      )}
      {groups.length === 0 && partial.length === 0 && (
        <Notice tone="good" title="Nothing needs you.">
          Everything is at rest or makes progress.
        </Notice>
      )}
      {groups.map((group) => (
        <Group key={group.cause} group={group} />
      ))}
    </>
  );
}

/** Tells whether those answer on whom everything depends, and which code runs. */
function Health({ workers, partial }: Pick<Attention, 'workers' | 'partial'>) {
  const answers = (who: Attention['partial'][number], name: string) => (
    <li>
      <span class={`dot ${partial.includes(who) ? 'bad' : 'good'}`} />
      {name} {partial.includes(who) ? 'does not answer' : 'answers'}
    </li>
  );
  return (
    <ul class="health" aria-label="Dependencies">
      {answers('temporal', 'Temporal')}
      {answers('store', 'The store')}
      {workers && (
        <li>
          <span class={`dot ${workers.alive === 0 || workers.frozen.length > 0 ? 'bad' : 'good'}`} />
          {workers.alive === 1 ? '1 worker is up' : `${workers.alive} workers are up`}
          {workers.frozen.length > 0 && `, ${workers.frozen.length} frozen`}
          {workers.builds.map(({ build, workers: count }) =>
            build === null ? null : (
              <span key={build} class="faint">
                {' '}
                build {build}
                {workers.builds.length > 1 && ` on ${count}`}
              </span>
            ),
          )}
        </li>
      )}
    </ul>
  );
}

const SHOWN = 5;

function Group({ group: { cause, concerns } }: { readonly group: ConcernGroup }) {
  const all = useSignal(false);
  const [first] = concerns;
  const shown = all.value ? concerns : concerns.slice(0, SHOWN);
  const message = messageOf(first);
  return (
    <section class={`card need ${TONES[first.reason] ?? 'bad'}`}>
      <h2>
        {concerns.length > 1 && `${concerns.length} × `}
        {cause}
      </h2>
      <p class="message">{message}</p>
      <ul class="lines">
        {shown.map((concern) => (
          <ConcernLine
            key={`${concern.kind} ${concern.name} ${concern.operation} ${concern.message}`}
            concern={concern}
            says={messageOf(concern) === message ? undefined : messageOf(concern)}
          />
        ))}
      </ul>
      {shown.length < concerns.length && (
        <button type="button" class="small" onClick={() => (all.value = true)}>
          Show {concerns.length - shown.length} more
        </button>
      )}
      <div class="need-end">
        <CommandHint says={first.what_to_do} command={first.command} />
        <Copy text={incidentOf(cause, concerns)} what={cause} label="Copy as incident" />
      </div>
    </section>
  );
}

/** A wait for a person is no error, and something hung may still end by itself. */
const TONES: Readonly<Record<string, string>> = { hung: 'warn', answer: 'ask', paused: 'ask' };

function messageOf({ error, message }: Concern): string {
  return error ? `${error.message} (${error.code})` : message;
}

function ConcernLine({ concern, says }: { readonly concern: Concern; readonly says: string | undefined }) {
  const action = useSignal<Action | undefined>(undefined);
  const fix = fixOf(concern);
  const place = placeOf(concern);
  return (
    <li>
      <span class="grow">
        {place === undefined ? <strong>{concern.name}</strong> : <a href={place}>{concern.name}</a>}
        {concern.since !== null && (
          <span class="faint">
            {' '}
            for <Since at={concern.since} />
          </span>
        )}
        {says !== undefined && <span class="says">{says}</span>}
      </span>
      {fix && (
        <button type="button" class={`${fix.danger ? 'danger' : 'primary'} small`} onClick={() => (action.value = fix)}>
          {fix.button}
        </button>
      )}
      {place !== undefined && (
        <a class="button small" href={concern.fix === 'answer' ? `${place}?${ANSWERING}=1` : place}>
          {concern.fix === 'answer' ? 'Answer' : 'Why?'}
        </a>
      )}
      {action.value && (
        <ActionDialog
          action={action.value}
          onClose={() => (action.value = undefined)}
          onTaken={(taken) => {
            noteAsked(action.value!.title, taken);
            action.value = undefined;
          }}
        />
      )}
    </li>
  );
}

/** The action that fixes it, where the caller may do that. */
function fixOf({ kind, name, fix, operation, command }: Concern): Action | undefined {
  const [typeName = '', ...key] = name.split('/');
  const type = typeOf(typeName);
  if (fix === 'retry' && type && rightsOn(typeName)?.operate) {
    return {
      title: `Run the action of ${name} again`,
      description: 'Its attempts are reset.',
      button: 'Retry',
      call: () => retryCall(type, { id: name, key: key.join('/') }),
    };
  }
  if (kind === 'distributed') return steeringOf(name, fix, command);
  if (fix !== 'cancel' || operation === null) return undefined;
  const [event = '', on = ''] = name.split(' ');
  if (!rightsOn(on.split('/')[0]!)?.raise.includes(event)) return undefined;
  return {
    title: `Cancel ${name}`,
    description: 'This requests the cancel. Each entity handles it as it declares.',
    button: 'Cancel the operation',
    danger: true,
    call: () => cancelCall(operation, undefined),
  };
}

/** The action that fixes an operation over partitions, by its name: `farms/west/sow/3`. */
function steeringOf(name: string, fix: Concern['fix'], command: string): Action | undefined {
  const [, target = '', type = ''] = /^(.+)\/([^/]+)\/\d+$/.exec(name) ?? [];
  if (!rightsOver(type)?.operate) return undefined;
  if (fix === 'cancel') return { ...cancelAction({ name, type, target }), danger: true };
  if (fix !== 'resume' && fix !== 'proceed') return undefined;
  const [button, description] =
    fix === 'resume'
      ? ['Resume', 'Its jobs continue where they stopped.']
      : [
          'Skip failing clean-ups',
          'Each is tried once more. If it fails again, it is skipped, and its leftovers stay.',
        ];
  const call = { method: 'POST', path: `${distributedPath(name)}/${fix}`, reeve: command } as const;
  return { title: `${button}: ${name}`, description, button, call: () => call };
}

function placeOf({ kind, name, operation }: Concern): string | undefined {
  switch (kind) {
    case 'entity':
      return linkToEntity(name);
    case 'operation':
      return linkToOperation(operation!);
    case 'deployment':
      return linkTo(['deployments', name]);
    case 'distributed':
      return linkTo(['distributed', name]);
    default:
      return undefined;
  }
}

function incidentOf(cause: string, concerns: ConcernGroup['concerns']): string {
  const lines = concerns.map((concern) => {
    const place = placeOf(concern);
    return `- ${concern.name}, since ${concern.since ?? '?'}: ${messageOf(concern)}${place === undefined ? '' : ` ${location.origin}/${place}`}`;
  });
  const [{ what_to_do: whatToDo, command }] = concerns;
  return [cause, ...lines, whatToDo, inShell(command)].join('\n');
}

/** How the rest is: what there is, and what has run in the last day. */
function Overview() {
  const summary = useSummary();
  const operations = useReading<OperationSummary>('/api/operations/summary?from=24h&by=name&$top=1', summary?.at).value
    .data?.all;
  const total = (pick: 'total' | 'in_progress' | 'stuck' | 'hung') =>
    summary?.items.reduce((sum, item) => sum + item[pick], 0);
  const failing = summary?.items.reduce((sum, item) => sum + (item.health === 'error' ? item.total : 0), 0);
  return (
    <div class="figures">
      <Figure to={linkTo(['entities'])} title="entities" value={total('total')} />
      <Figure to={linkTo(['entities'], { is: 'moving' })} title="in progress" value={total('in_progress')} />
      <Figure
        to={linkTo(['entities'], { is: 'error', sort: 'state_entry_time' })}
        title="in an error state"
        value={failing}
        tone="bad"
      />
      <Figure to={linkTo(['operations'], { outcome: 'running' })} title="operations run" value={operations?.running} />
      <Figure
        to={linkTo(['operations'], { outcome: 'success' })}
        title="succeeded in 24 h"
        value={operations?.succeeded}
      />
      <Figure
        to={linkTo(['operations'], { outcome: 'failed' })}
        title="failed in 24 h"
        value={operations?.failed}
        tone="bad"
      />
      <Figure
        to={linkTo(['operations'])}
        title="95 % took at most"
        value={operations?.p95_ms === null || operations === undefined ? undefined : lasting(operations.p95_ms)}
      />
    </div>
  );
}

function Figure({
  to,
  title,
  value,
  tone,
}: {
  to: string;
  title: string;
  value: number | string | null | undefined;
  tone?: 'bad';
}) {
  return (
    <a class={`figure ${tone !== undefined && value ? tone : ''}`} href={to}>
      <strong>{value ?? '–'}</strong>
      <span>{title}</span>
    </a>
  );
}
