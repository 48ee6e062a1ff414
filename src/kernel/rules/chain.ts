/*
 * Chains of actions that begin each other, so that nothing goes round for ever, or often. S1.5a
 *
 * chain.1. An event from outside, or one that time raises, begins a chain. What follows from its action without them makes it longer:
 *     the automatic action of the next state, the event of a subscription, of a deployment that ended at once or of a deadline that was
 *     past when its state was entered, what it raises on others, and what their reports set off.
 * chain.2. The answer of a resource, a wait that is over and a loss come from outside, or with time: what follows begins a new chain.
 *     An inline call is no more than a part of its action: it ends in the same workflow task.
 * chain.3. An action that makes a chain too long fails with `infinite_loop`, and its attempts are used up. An event of another entity that
 *     would begin such an action is rejected.
 * chain.4. Actions are counted. The count goes along into the next run. L7
 * chain.5. After a chain that was too long, time gives only a few actions each second for the next ones that it, an answer or another entity
 *     begins. Otherwise a timer would begin the same loop again and again, and keep the worker busy. Each chain may have a few actions,
 *     and one that an event from outside begins may have all.
 */
import type { Chain } from '../../protocol/chain.js';
import { toErrorRecord } from '../../protocol/errors.js';
import { Defect } from '../../definition/action-errors.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { entityId } from '../../protocol/names.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/**
 * How many actions a chain has at most. An entity that goes through every state of a large machine needs some dozens, and one that
 * takes a hundred others in turn, none of which calls anything, some hundreds. A workflow task with so many actions takes less than a
 * second of its ten.
 */
export const LONGEST_CHAIN = 500;
/** How many actions a new chain may have at least after one that was too long. chain.5 */
const LEAST = 10;
/** How many actions more a new chain may have for each second since then. chain.5 */
const GIVEN_BACK_PER_SECOND = 10;
/** How many of the last actions are named. */
const NAMED = 6;

/** The chain with one more action, which a present one begins by itself. chain.1 */
export function lengthened(chain: Chain | undefined, on: string, action: string): Chain {
  const length = (chain?.length ?? 1) + 1;
  if (length < LONGEST_CHAIN - NAMED) return { length };
  return { length, last: [...(chain?.last ?? []), `${on}.${action}`].slice(-NAMED) };
}

/** The snapshot in the chain that another entity has told of, or at the beginning of one. */
export function inChain(snapshot: Snapshot, told: Chain | undefined, now: number): Snapshot {
  const chain = chainAt(snapshot, told, now);
  if (snapshot.chain === chain) return snapshot;
  const { chain: _, ...rest } = snapshot;
  return chain ? { ...rest, chain } : rest;
}

/** The snapshot after something from outside has come, or time has gone on. chain.2 */
export function unchained(snapshot: Snapshot, now: number): Snapshot {
  return inChain(snapshot, undefined, now);
}

/**
 * The chain in which something begins here: the one of which another entity has told, or a new one. Where one was too long a short time ago,
 * it is as long as if that still went on. chain.5
 */
export function chainAt({ wentRoundAt }: Snapshot, told: Chain | undefined, now: number): Chain | undefined {
  if (wentRoundAt === undefined) return told;
  const length = LONGEST_CHAIN - LEAST - Math.floor(((now - wentRoundAt) / 1_000) * GIVEN_BACK_PER_SECOND);
  return length > (told?.length ?? 0) ? { length } : told;
}

/** Notes whether the automatic action runs only after a wait. chain.2 */
export function pacedBy(snapshot: Snapshot, now: number): Snapshot {
  const { chain, nextAttemptAt = 0 } = snapshot;
  if (!chain) return snapshot;
  const { waits, ...rest } = chain;
  const waitsNow = nextAttemptAt > now;
  return waitsNow === (waits ?? false) ? snapshot : { ...snapshot, chain: waitsNow ? { ...rest, waits: true } : rest };
}

/** Gives what a message tells of the chain in which it is sent. */
export function toldChain({ chain }: Snapshot): { readonly chain?: Chain } {
  if (!chain) return {};
  const { waits: _, ...told } = chain;
  return { chain: told };
}

/** Why nothing of the running action may take effect; nothing where it may. chain.3 */
export function goesRound(snapshot: Snapshot): ErrorRecord | undefined {
  const { running, chain } = snapshot;
  if (!running || !chain || chain.length <= LONGEST_CHAIN) return undefined;
  const last = chain.last ?? [`${entityId(snapshot)}.${running.action}`];
  return toErrorRecord(new Defect('infinite_loop', `'${running.action}' is in an infinite loop: ${roundTrip(last)}`));
}

/**
 * Tells whether the action that goes round leads to the state that is declared for the end of attempts. It does once: where that goes round
 * too, the entity rests.
 */
export function mayGoOn({ chain }: Snapshot): boolean {
  return (chain?.length ?? 1) <= LONGEST_CHAIN + 1;
}

/** Tells whether the error of an action says that it goes round. */
export function isRound(error: Pick<ErrorRecord, 'code'> | undefined): boolean {
  return error?.code === 'infinite_loop';
}

/** Rejects an event whose action would make the chain too long. chain.3 */
export function refuseRound(
  snapshot: Snapshot,
  { event, from, chain }: Pick<RaiseRequest, 'event' | 'from' | 'chain'>,
): Rejection | undefined {
  if (!from || !chain || chain.length < LONGEST_CHAIN) return undefined;
  const entity = entityId(snapshot);
  const last = [...(chain.last ?? []), `${entity}.${event}`];
  return {
    code: 'infinite_loop',
    message: `'${event}' was rejected: it would continue an infinite loop. ${roundTrip(last)}`,
    entity,
    event,
    state: snapshot.state,
  };
}

function roundTrip(last: readonly string[]): string {
  return (
    `${LONGEST_CHAIN} actions have started each other without a pause. The last ones: ${last.join(' -> ')}. ` +
    `Make one of them wait (wait: '1s'), or do not start the next one.`
  );
}
