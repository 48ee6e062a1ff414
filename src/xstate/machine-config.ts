import { displayEvent, displayState } from '../definition/display-name.js';
import { parseDuration } from '../definition/duration.js';
import type { AnyEntity } from '../definition/entity.js';
import { describeGuards } from '../definition/guard.js';
import { asList } from '../definition/names.js';
import { stateArrows, type ArrowCause } from '../definition/state-arrows.js';
import type { OneShotTimer } from '../definition/timer.js';

type Json = Readonly<Record<string, unknown>>;

/** A machine as JSON, as `createMachine` of XState v5 takes it. */
export interface MachineConfig {
  readonly id: string;
  readonly description?: string;
  readonly initial: string;
  readonly states: Readonly<Record<string, Json>>;
}

/**
 * Shows a declaration as a machine of XState. An automatic action is code that takes time and can fail, so it becomes an `invoke`: `onDone`
 * has its targets, and `onError` the states for used up attempts. Where code chooses between targets, all but the last have a guard.
 */
export function machineConfig(entity: AnyEntity): MachineConfig {
  const states = Object.keys(entity.states);
  return {
    id: entity.name,
    ...(entity.description !== undefined && { description: entity.description }),
    initial: states.find((name) => entity.states[name]!.initial)!,
    states: Object.fromEntries(states.map((name) => [name, stateConfig(entity, name)])),
  };
}

const TAGS = ['deleted', 'error', 'unstable', 'waiting'];

function stateConfig(entity: AnyEntity, name: string): Json {
  const { ending, health, stability, waiting, description, deadline } = entity.states[name]!;
  const tags = [ending, health, stability, waiting && 'waiting'].filter((tag) => TAGS.includes(tag as string));
  const caused = (is: (cause: ArrowCause) => boolean) => transitions(entity, name, is);
  const on = Object.keys(entity.events)
    .filter((event) => asList(entity.events[event]!.in).includes(name))
    .map((event) => [event, caused((cause) => cause.event === event)]);
  const limits = Object.values(entity.limits ?? {}).filter((limit) => limit.in.includes(name));
  const after = [...(deadline ? [deadline] : []), ...limits].flatMap((timer) => {
    const ms = lengthOf(timer);
    const taken = caused(({ event }) => event === timer.raise);
    return ms === undefined ? [] : [[ms, taken.map((each) => ({ ...each, meta: { raise: timer.raise } }))]];
  });
  const automatic = Object.entries(entity.actions).find(
    ([, action]) => action.on === undefined && asList(action.in).includes(name),
  );
  const onError = caused(({ action }) => action === undefined);
  return {
    ...(ending !== undefined && { type: 'final' }),
    ...words(name, displayState(entity, name), description),
    ...(tags.length > 0 && { tags }),
    ...(on.length > 0 && { on: Object.fromEntries(on) as Json }),
    ...(after.length > 0 && { after: Object.fromEntries(after) as Json }),
    ...(automatic && {
      invoke: {
        src: automatic[0],
        onDone: caused(({ action, event }) => action !== undefined && event === undefined),
        ...(onError.length > 0 && { onError }),
      },
    }),
  };
}

/** The transitions out of a state for one cause. */
function transitions(entity: AnyEntity, state: string, is: (cause: ArrowCause) => boolean): readonly Json[] {
  const found = stateArrows(entity).flatMap(({ from, to, causes }) =>
    from === state ? causes.filter(is).map((cause) => ({ to, ...cause })) : [],
  );
  return found.map(({ to, event, action }, index) => {
    const { when, description, stays } = event === undefined ? {} : entity.events[event]!;
    const chosen = index < found.length - 1 ? `${action ?? 'the error'} chooses ${to}` : '';
    const guard = [describeGuards(when).slice(1, -1), chosen].filter((each) => each !== '').join('; ');
    return {
      target: to,
      ...(to === state && !stays && { reenter: true }),
      ...(guard !== '' && { guard: { type: guard } }),
      ...(event !== undefined && { actions: [action], ...words(event, displayEvent(entity, event), description) }),
    };
  });
}

/** The length of a timer in milliseconds. One that a property holds has none, so its event is in `on` alone. */
function lengthOf({ after }: Pick<OneShotTimer, 'after'>): number | undefined {
  return typeof after === 'object' || after === undefined ? undefined : parseDuration(after);
}

function words(name: string, shown: string, description: string | undefined): Json {
  const said = [...(shown === name ? [] : [shown]), ...(description === undefined ? [] : [description])];
  return said.length === 0 ? {} : { description: said.join(': ') };
}
