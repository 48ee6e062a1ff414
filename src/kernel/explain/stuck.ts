/*
 * Entities and operations that do not get on by themselves. S5.4
 *
 * stuck.1. Stuck has one meaning: nothing more happens, neither by the entity or operation itself nor by time, until a person
 *     acts.
 * stuck.2. What is still tried again at a time, or led out by a deadline or a time-out, is not stuck.
 * stuck.3. Where this cannot be known, an entity is not called stuck.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { stateOf } from '../rules/step.js';
import { isRound } from '../rules/chain.js';
import { explainEntity } from './explain.js';
import type { SuccessorStanding } from './successor-standing.js';
import { successorsIn, type Unmet } from './unmet.js';
import type { Wait } from './wait.js';

/**
 * `exhausted`: an action has used up its attempts. `dead_end`: it rests for successors, and none of them will move. `deadlock`:
 * entities rest for each other. `task_fails`: a task of its workflow fails again and again. `no_worker`: no worker takes its
 * tasks or calls. `call_repeats`: each worker that makes its call is lost. `call_paused`: somebody has paused its call.
 * `no_store`: it cannot be created before the store tells whether its request is new.
 */
export type StuckReason =
  'exhausted' | 'dead_end' | 'deadlock' | 'task_fails' | 'no_worker' | 'call_repeats' | 'call_paused' | 'no_store';

/** Why something does not get on until a person acts. */
export interface Stuck {
  /** Since when, in milliseconds since 1970. A wait for successors counts from the entry into the state. */
  readonly since: number;
  readonly reason: StuckReason;
  /** A clause for people: `all attempts of 'install' are used up`. */
  readonly message: string;
  /** Whole sentences for the person who acts. */
  readonly whatToDo: string;
}

/** The part of an entity that matters here. */
interface Resting {
  /** `LogicalServer/orders` */
  readonly entity: string;
  readonly state: string;
  /** When it came into its state. */
  readonly since: number;
  readonly waits: readonly Wait[];
}

/** Tells whether an entity is stuck, as far as it knows itself: a successor without a final report may still move. */
export function stuckEntity(entity: AnyEntity, snapshot: Snapshot): Stuck | undefined {
  const { state, enteredAt, running, exhausted } = snapshot;
  // This comes first because it is asked after every task.
  if (running || !(exhausted || stateOf(entity, snapshot).waiting)) return undefined;
  const resting = { entity: entityId(snapshot), state, since: enteredAt, waits: explainEntity(entity, snapshot) };
  return stuckBy(resting, mayMove);
}

/** Tells whether an entity is stuck, where more is known of its successors. */
export function stuckBy(resting: Resting, moves: (successor: SuccessorStanding) => boolean): Stuck | undefined {
  const { entity, state, since, waits } = resting;
  // stuck.2
  if (waits.some(goesOn)) return undefined;
  const exhausted = waits.find((wait) => wait.kind === 'exhausted');
  if (exhausted) {
    const round = isRound(exhausted.lastError);
    return {
      ...{ since: exhausted.since, reason: 'exhausted' },
      message: round
        ? `'${exhausted.action}' is in an infinite loop: its actions start each other without a pause`
        : `all attempts of '${exhausted.action}' are used up`,
      whatToDo:
        `${round ? LET_IT_END : 'Fix the cause of its error'}; 'reeve retry ${entity}' runs the action again. Or raise an event ` +
        `that is valid in ${state}: 'reeve get ${entity}' lists them.`,
    };
  }
  const ways = waits.filter((wait) => wait.kind === 'subscription');
  const guarded = waits.flatMap(guardOf);
  if (ways.length + guarded.length === 0 || ways.some((way) => mayAppear(way, moves))) return undefined;
  const [guard] = guarded;
  if (guard) {
    // The action of a tick may change what the guard asks for. stuck.3
    if (waits.some((wait) => wait.kind === 'timer' && wait.guard === undefined)) return undefined;
    return {
      ...{ since, reason: 'dead_end' },
      message: `it waits in ${state}, and '${guard.event}' is allowed only if ${guard.guard}: nothing changes that by itself`,
      whatToDo: `Raise an event on ${entity} that changes that, or that leaves ${state}: 'reeve get ${entity}' lists the valid ones.`,
    };
  }
  const keeping = new Set(ways.flatMap(({ unmet }) => unmet.flatMap(successorsIn)).map(({ entity: name }) => name));
  const whom = keeping.size > 0 ? `: ${[...keeping].slice(0, MOST_NAMES).join(', ')}` : '';
  return {
    ...{ since, reason: 'dead_end' },
    message: `it waits in ${state} for successors, but none of them will change state by itself${whom}`,
    whatToDo:
      `Raise an event on ${entity} that leaves ${state} ('reeve get ${entity}' lists the valid ones), or fix ` +
      `its successors.`,
  };
}

const LET_IT_END =
  'Make one of the actions in its error wait, or do not start the next one, and start workers with the fixed code';

/** How many names a message lists; more would not help. */
const MOST_NAMES = 5;

/** Tells whether something happens by itself, at once or at a time. */
function goesOn(wait: Wait): boolean {
  switch (wait.kind) {
    case 'exhausted':
    case 'subscription':
    case 'lost':
    case 'failed':
      return false;
    // A tick has come before and has not led out, so it does not count.
    case 'timer':
      return wait.period === undefined && !wait.calendar && wait.guard === undefined;
    default:
      return true;
  }
}

/** The event that waits for a guard, where that is all for which it waits. */
function guardOf(wait: Wait): readonly { readonly event: string; readonly guard: string }[] {
  if (wait.kind !== 'subscription' && wait.kind !== 'timer') return [];
  const { event, guard } = wait;
  return guard === undefined || (wait.kind === 'subscription' && wait.used) ? [] : [{ event, guard }];
}

/** Tells whether the pattern of a subscription may come, or count again. */
function mayAppear(
  way: Extract<Wait, { kind: 'subscription' }>,
  moves: (successor: SuccessorStanding) => boolean,
): boolean {
  if (way.guard !== undefined) return false;
  if (way.again !== undefined) return true;
  // A match that is used up counts again when the pattern was gone in between.
  if (way.used) return false;
  return way.unmet.every((part) => mayBeMet(part, moves));
}

function mayBeMet(part: Unmet, moves: (successor: SuccessorStanding) => boolean): boolean {
  if (part.kind === 'pattern') return part.successors.some(moves);
  return part.choices.some((choice) => choice.every((each) => mayBeMet(each, moves)));
}

/** Tells whether a successor may still move. One that has settled may have timers, and others may raise events on it. stuck.3 */
function mayMove({ is }: SuccessorStanding): boolean {
  return is !== 'lost' && is !== 'rejected';
}
