import { expect } from 'vitest';
import type { AnyEntity } from '../../src/definition/entity.js';
import { receiveAccepted } from '../../src/kernel/successors/acceptance.js';
import { admit, admitWaiting } from '../../src/kernel/turns/admit.js';
import { comeToBe, newborn } from '../../src/kernel/actions/birth.js';
import { commit, fail, type ActionResult } from '../../src/kernel/actions/commit.js';
import { construct } from '../../src/kernel/rules/construction.js';
import { lookAfterSuccessors, receiveStranger } from '../../src/kernel/successors/look.js';
import { startAutomatic } from '../../src/kernel/turns/automatic.js';
import { nextStep, type NextStep } from '../../src/kernel/turns/next.js';
import { receive } from '../../src/kernel/successors/receive.js';
import type { Message } from '../../src/kernel/run/outbox.js';
import type { Effect, Step } from '../../src/kernel/rules/step.js';
import { react } from '../../src/kernel/triggers/subscription.js';
import { startTimer } from '../../src/kernel/triggers/timers.js';
import { undelivered } from '../../src/kernel/successors/undelivered.js';
import type { Answer } from '../../src/protocol/answer.js';
import type { Report } from '../../src/protocol/report.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { Accepted, Look } from '../../src/protocol/successor-messages.js';
import type { EntityRef } from '../../src/protocol/names.js';
import { parseCreation, parseEntityMessage, parseOperationMessage } from '../../src/protocol/parse.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';

/** A look, and at whom it is directed. */
export interface SentLook {
  readonly to: EntityRef;
  readonly look: Look;
}

/** Drives the pure decisions of one entity by hand, with a clock that stands still until it is moved. */
export class Puppet {
  snapshot: Snapshot;
  now = 1_000;
  readonly effects: Message[] = [];
  /** The records that the store has been told. */
  readonly records: StoreRecord[] = [];

  constructor(
    readonly entity: AnyEntity,
    key = 'k',
    values?: Readonly<Record<string, unknown>>,
  ) {
    const ref = { type: entity.name, key };
    const constructed = construct(entity, ref, 'create', values);
    if (!constructed.accepted) throw new Error(constructed.rejection.message);
    this.snapshot = newborn(entity, ref, 'life-1', this.now, constructed.contents);
  }

  /** Comes to be without an event. */
  comeToBe(request?: RaiseRequest): void {
    this.apply(comeToBe(this.entity, this.snapshot, request, this.now));
  }

  raise(event: string, params?: unknown, request: Partial<RaiseRequest> = {}): Answer {
    const raised = { id: `${event}-id`, event, ...(params !== undefined && { params }), ...request };
    const step = admit(this.entity, this.snapshot, raised, this.now);
    this.apply(step);
    return step.answer;
  }

  /** Ends the running action with a result. */
  end(to?: string, result: Partial<ActionResult> = {}): void {
    const { properties, links, subordinates } = this.snapshot;
    const full: ActionResult = {
      ...{ properties, links, subordinates },
      raises: [],
      ...(to !== undefined && { to }),
      ...result,
    };
    this.apply(commit(this.entity, this.snapshot, full, this.now));
  }

  throws(code: string, final = false, retryAfterMs?: number): void {
    this.apply(
      fail(this.entity, this.snapshot, { kind: 'retryable', code, message: code }, this.now, final, retryAfterMs),
    );
  }

  /** Starts the automatic action if its time has come; fails the test otherwise. */
  startAutomatic(): void {
    const next = nextStep(this.entity, this.snapshot, this.now);
    if (next.kind !== 'automatic') throw new Error(`the automatic action is not next, but: ${next.kind}`);
    this.apply(startAutomatic(this.entity, this.snapshot, this.now));
  }

  /** Tells what comes next, at the time to which the clock is set. */
  next(): NextStep {
    return nextStep(this.entity, this.snapshot, this.now);
  }

  /** Moves the clock to the time of what is scheduled; fails the test when nothing is. */
  pass(): number {
    const next = this.next();
    if (next.kind !== 'rest' || next.until === undefined) throw new Error(`nothing is scheduled, but: ${next.kind}`);
    this.now = next.until;
    return this.now;
  }

  /** Raises the event of the timer that is due; fails the test when none is. */
  startTimer(): void {
    const next = this.next();
    if (next.kind !== 'timer') throw new Error(`no timer is next, but: ${next.kind}`);
    this.apply(startTimer(this.entity, this.snapshot, this.now));
  }

  admitWaiting(): void {
    this.apply(admitWaiting(this.entity, this.snapshot, this.now));
  }

  /** Looks at the subscriptions because a time has come; fails the test when it has not. */
  lookAgain(): void {
    const next = nextStep(this.entity, this.snapshot, this.now);
    if (next.kind !== 'subscriptions') throw new Error(`the subscriptions are not next, but: ${next.kind}`);
    this.apply(react(this.entity, this.snapshot, this.now));
  }

  /** Looks after the successors; fails the test when it is not the time for it. Returns what was asked of whom. */
  look(): readonly SentLook[] {
    const next = this.next();
    if (next.kind !== 'look') throw new Error(`no look is next, but: ${next.kind}`);
    const step = lookAfterSuccessors(this.entity, this.snapshot, this.now);
    this.apply(step);
    return step.effects.flatMap((effect) =>
      effect.kind === 'send' && effect.message.kind === 'look' ? [{ to: effect.to, look: effect.message }] : [],
    );
  }

  /** A look has found nobody. */
  miss({ to, look }: SentLook): void {
    this.apply(undelivered(this.entity, this.snapshot, to, look, this.now));
  }

  /** A look has found another life, which knows nothing of the request. */
  meetStranger({ to, look }: SentLook): void {
    const from = { ...to, life: 'another-life' };
    const stranger = { kind: 'stranger', from, toLife: this.snapshot.life, request: look.request } as const;
    this.apply(receiveStranger(this.entity, this.snapshot, stranger, this.now));
  }

  report(report: Report): void {
    this.apply(receive(this.entity, this.snapshot, report, this.now));
  }

  accepted(accepted: Accepted): void {
    this.apply(receiveAccepted(this.entity, this.snapshot, accepted, this.now));
  }

  /** The effects since the last time. */
  taken(): readonly Message[] {
    return this.effects.splice(0);
  }

  /** Takes a step, which has to survive a new run as it is, and to be understood by those who hear of it. */
  apply({ snapshot, effects }: Step): void {
    mustBePlain({ snapshot, effects });
    for (const effect of effects) mustBeUnderstood(effect);
    this.snapshot = snapshot;
    for (const effect of effects) {
      if (effect.kind === 'record') this.records.push(effect.record);
      else this.effects.push(effect);
    }
  }
}

/** Snapshots go from run to run, and messages between processes, as JSON: nothing of them may get lost on the way. */
function mustBePlain(value: unknown): void {
  expect(value).toStrictEqual(JSON.parse(JSON.stringify(value)));
}

function mustBeUnderstood(effect: Effect): void {
  expect(problemOf(effect), JSON.stringify(effect)).toBeUndefined();
}

function problemOf(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'tell':
      return parseOperationMessage(effect.message);
    case 'send':
      return parseEntityMessage(effect.message);
    case 'create':
      return parseCreation(effect.creation);
    case 'open':
    case 'record':
      return undefined;
    default:
      return 'there is no such effect';
  }
}
