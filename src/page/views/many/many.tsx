import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import { isDestructive } from '../../../cli/explanation/reach/destructive.js';
import { schemaOfEvent } from '../../actions/entity-actions.js';
import { useForm } from '../../actions/alternatives.js';
import { Fields } from '../../actions/fields.js';
import { raiseMany, raiseManyCall, type Each, type One } from '../../actions/raise-many.js';
import { valueOf, type Schema } from '../../actions/schema.js';
import { isForLiving } from '../../actions/ways-to-create.js';
import { useRows } from '../../api/reading.js';
import type { EntityRow, ServedType } from '../../api/shapes.js';
import { eventInWords, stateInWords } from '../../parts/badge.js';
import { Commands } from '../../parts/commands.js';
import { Empty, Notice, Read } from '../../parts/notice.js';
import { go, linkTo, place } from '../../router.js';
import { rightsOn, typeOf } from '../../session/session.js';
import { Outcomes } from './outcomes.js';

/** An event for many entities at once: those of a type, or those that are in one state of it. */
export function ManyView({ type: name }: { readonly type: string }) {
  const type = typeOf(name);
  const events = type?.events.filter((each) => mayRaise(type, each.name)) ?? [];
  const { options } = place.value;
  const [state, event] = [options.get('state') ?? undefined, options.get('event') ?? events[0]?.name];
  if (!type || !event || !events.some((each) => each.name === event)) {
    return (
      <Notice tone="bad" title={`You may raise no such event on a ${name}.`}>
        It may not exist, or it may require another role.
      </Notice>
    );
  }
  return (
    <>
      <nav class="crumbs" aria-label="Where this is">
        <a href={linkTo(['fleet'])}>Fleet</a> / <a href={linkTo(['entities', name], { state })}>{name}</a>
      </nav>
      <h1>
        An event for {state === undefined ? 'every' : 'each'} {name}
        {state !== undefined && <> in {stateInWords(name, state)}</>}
      </h1>
      <div class="periods" role="group" aria-label="Event">
        {events.map((each) => (
          <button
            key={each.name}
            type="button"
            class="small"
            aria-pressed={each.name === event}
            onClick={() => go(linkTo(['many', name], { state, event: each.name }), { replacing: true })}
          >
            {eventInWords(name, each.name)}
          </button>
        ))}
      </div>
      <Many key={event} type={type} event={event} state={state} />
    </>
  );
}

/** Tells whether it is for those that live already, and for whoever asks. */
function mayRaise(type: ServedType, event: string): boolean {
  return isForLiving(type, event) && rightsOn(type.name)?.raise.includes(event) === true;
}

interface ManyProps {
  readonly type: ServedType;
  readonly event: string;
  readonly state: string | undefined;
}

function Many({ type, event, state }: ManyProps) {
  const condition = `type eq '${type.name}'${state === undefined ? '' : ` and state eq '${state}'`}`;
  const reading = useRows<EntityRow>(`/api/entities?$filter=${encodeURIComponent(condition)}&$orderby=key`, 0);
  return (
    <Read reading={reading.value}>
      {({ rows, more }) =>
        rows.length === 0 ? (
          <Empty>There are none.</Empty>
        ) : more ? (
          <Notice tone="warn" title={`There are more than ${rows.length}.`}>
            Choose those of one state, or use the command line.
          </Notice>
        ) : (
          <Form type={type} event={event} rows={rows} />
        )
      }
    </Read>
  );
}

const NO_FIELDS: Schema = { type: 'object', properties: {} };
const PER_SECOND = 5;
const MOST_PER_SECOND = 100;
/** How many the commands name. */
const SHOWN = 3;

function Form({ type, event, rows }: Pick<ManyProps, 'type' | 'event'> & { readonly rows: readonly EntityRow[] }) {
  const form = useId();
  const { schema, filled, choice } = useForm(schemaOfEvent(type, event) ?? NO_FIELDS);
  const perSecond = useSignal(`${PER_SECOND}`);
  const confirmed = useSignal('');
  const outcomes = useSignal<ReadonlyMap<string, One> | undefined>(undefined);
  const ended = useSignal(false);
  // Those that are there when it begins, whatever is created meanwhile.
  const chosen = useRef(rows);
  if (!outcomes.value) chosen.current = rows;
  const stopping = useRef(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);
  const count = chosen.current.length;
  const rate = Number(perSecond.value);
  const allowed = rate > 0 && rate <= MOST_PER_SECOND;
  const destructive = isDestructive(type, event);
  const eventOn = (row: EntityRow, hiding = false): Each => ({
    ...{ entity: `${type.name}/${row.key}`, event },
    ...(schemaOfEvent(type, event) !== undefined && { parameters: valueOf(schema, filled.value, { hiding }) }),
  });
  const begin = async () => {
    const events = chosen.current.map((row) => eventOn(row));
    outcomes.value = new Map(events.map(({ entity }) => [entity, { state: 'waiting' }]));
    const tell = (id: string, one: One) => (outcomes.value = new Map(outcomes.peek()).set(id, one));
    await raiseMany(events, rate, tell, stopping.current.signal);
    ended.value = true;
  };
  if (outcomes.value) {
    return (
      <Outcomes
        title={`${eventInWords(type.name, event)} on ${counted(count, type.name)}`}
        outcomes={outcomes.value}
        {...(!ended.value && { onStop: () => stopping.current.abort() })}
      />
    );
  }
  return (
    <form
      class="card narrow"
      noValidate
      onSubmit={(given) => {
        given.preventDefault();
        void begin();
      }}
    >
      <p>
        It is raised on <strong>{counted(count, type.name)}</strong>, those of each second as one request. Each entity
        accepts or rejects it. A rejected event changes nothing.
      </p>
      {choice}
      <Fields schema={schema} filled={filled} issues={[]} form={form} />
      <div class="field">
        <label for={`${form}-rate`}>in a second</label>
        <input
          id={`${form}-rate`}
          inputMode="decimal"
          autocomplete="off"
          value={perSecond.value}
          aria-invalid={!allowed}
          onInput={(given) => (perSecond.value = given.currentTarget.value)}
        />
        <p class="hint">
          {allowed ? `It takes about ${Math.ceil(count / rate)} s.` : `Write a number up to ${MOST_PER_SECOND}.`}
        </p>
      </div>
      {destructive && (
        <div class="field">
          <label for={`${form}-confirm`}>
            This ends them. To continue, type <strong class="mono">{count}</strong>
          </label>
          <input
            id={`${form}-confirm`}
            autocomplete="off"
            value={confirmed.value}
            onInput={(given) => (confirmed.value = given.currentTarget.value)}
          />
        </div>
      )}
      <button
        type="submit"
        class={destructive ? 'danger' : 'primary'}
        disabled={!allowed || (destructive && confirmed.value !== `${count}`)}
      >
        {eventInWords(type.name, event)} on {counted(count, type.name)}
      </button>
      <Commands call={raiseManyCall(chosen.current.slice(0, SHOWN).map((row) => eventOn(row, true)))} />
    </form>
  );
}

function counted(count: number, type: string): string {
  return `${count} × ${type}`;
}
