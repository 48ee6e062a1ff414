/*
 * All that an action sees and can do: a draft of its entity, which the kernel commits when the action has ended.
 */
import { CallFailed, Defect, GivenUp, ReservationEnded } from '../../definition/action-errors.js';
import type {
  ActionContext,
  RaiseOutcome,
  ReportedError,
  TransitionError,
  SuccessorView,
  Transition,
} from '../../definition/action-context.js';
import { CREATED } from '../../definition/created.js';
import { toMilliseconds, type Duration } from '../../definition/duration.js';
import type { AnyEntity, EventShape } from '../../definition/entity.js';
import { splitArguments } from '../../definition/event-arguments.js';
import type { ReadOptions, Reservable, ReserveOptions } from '../../definition/entity-view.js';
import type { Call } from '../../definition/resource.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { entityId, sameEntity, type EntityRef } from '../../protocol/names.js';
import { firstRaise, raisedAgain } from '../../protocol/raise-id.js';
import { raisedAt } from '../../protocol/request-id.js';
import type { ReservedEntity, SeenEntity } from '../../protocol/reading.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { keyPartsOf, refTo } from '../../definition/key.js';
import type { KeyOf } from '../../definition/key-schema.js';
import type { CallOptions } from '../../definition/affinity.js';
import type { Description } from '../../definition/component-description.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { TreeToRun } from './action-tree.js';
import type { AnswerAddress } from '../../definition/answer-address.js';
import type { CollectibleCall, CollectOptions } from '../../definition/collect.js';
import type { CallbackRound } from '../../protocol/callback.js';
import { idFingerprint } from '../ledger/fingerprint.js';
import { StableNames, type Named } from '../ledger/stable-names.js';
import { Gathering } from '../callbacks/gathering.js';
import type { ReservationTerms } from './awaiting.js';
import type { CollectTerms } from './collecting.js';
import type { PlacedCall } from '../run/placed-call.js';
import type { ActionResult } from '../actions/commit.js';
import type { Contents } from '../rules/contents.js';
import { keptContents, seenContents } from '../rules/seen-contents.js';
import { asksAboutRejection } from '../rules/expected-rejection.js';
import { notRejected } from '../engagements/rejected-raises.js';
import { endedLease, inKeyOrder, outOfOrder } from '../reservations/holding.js';
import { interestIn } from '../successors/interest.js';
import type { RaiseIntent } from '../successors/raise.js';
import { entryName } from '../triggers/staying.js';
import { targetsAtBirth } from '../rules/link-target.js';
import { LONGEST_CODE, LONGEST_MESSAGE } from '../../definition/limits.js';
import { cut } from '../../definition/thrown.js';
import { checkAgainst, decode, plain } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';

/** All that the scope needs from the code that runs the action. */
export interface ScopeHost {
  snapshot(): Snapshot;
  now(): number;
  call(placed: PlacedCall): Promise<unknown>;
  /** Goes on when the gathering is decided. A3 */
  collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void>;
  /** Runs a tree of components to its end. W1 */
  runTree(tree: TreeToRun): Promise<EndRecord>;
  /** Remembers for later attempts what the action asks for. S3.4 */
  noteAsked(named: Named): void;
  /** The address of this id, by which an event is raised from outside. A2 */
  makeAddress(address: { readonly id: string; readonly event: string; readonly withinMs: number }): CallbackRound;
  raiseAndWait(intent: RaiseIntent, withinMs: number): Promise<RaiseOutcome>;
  read(of: EntityRef, withinMs: number): Promise<SeenEntity | undefined>;
  reserve(to: EntityRef, terms: ReservationTerms): Promise<ReservedEntity | undefined>;
  /** Tells whether nothing that the action has asked for is under way. */
  isAlone(): boolean;
  /** Gives what the action reads without awaiting it: the same when it runs again. */
  reading<T>(what: string, read: () => T): T;
}

type KeyGiven = KeyOf<AnyEntity>;
type AnyContext = ActionContext<AnyEntity, string>;

interface TransitionOptions {
  readonly wait?: Duration;
  readonly error?: ReportedError;
}

function transitionTo(to: string, options?: TransitionOptions): Transition {
  return {
    to,
    ...(options?.wait !== undefined && { waitMs: toMilliseconds(options.wait) }),
    ...(options?.error && { error: reported(options.error) }),
  };
}

/** One execution of an action. */
export class ActionScope {
  readonly context: AnyContext;
  readonly #entity: AnyEntity;
  readonly #host: ScopeHost;
  readonly #start: Snapshot;
  readonly #raises: RaiseIntent[] = [];
  readonly #draft: Contents;
  #retryAfterMs: number | undefined;
  readonly #names: StableNames;
  #ended = false;

  /** @throws Defect where the declaration cannot read what the entity holds */
  constructor(entity: AnyEntity, host: ScopeHost) {
    this.#entity = entity;
    this.#host = host;
    this.#start = host.snapshot();
    this.#names = new StableNames(
      `${entryName(entity, this.#start)}/${this.#start.running?.action}`,
      this.#start.asked,
    );
    const { properties, links, subordinates } = this.#start;
    this.#draft = seenContents(entity, { properties, links, subordinates });
    this.context = this.#makeContext();
  }

  /** The parameters of the event that has started it, as its code sees them. @throws Defect */
  get params(): unknown {
    const { params, action } = this.#start.running ?? {};
    const event = action === undefined ? undefined : this.#entity.actions[action]?.on;
    const schema = event === undefined ? undefined : this.#entity.events[event]?.params;
    // A copy: whoever changes it does not change what the next attempt gets.
    const stored = params === undefined ? undefined : (JSON.parse(JSON.stringify(params)) as unknown);
    return schema ? this.#seen(schema, stored, `The parameters of '${event}' cannot be read`) : stored;
  }

  /**
   * Ends the execution. What the action does after this is a defect, since nobody waits for it.
   * @throws Defect where it leaves what cannot be stored
   */
  end(returned: unknown): ActionResult {
    this.#ended = true;
    const transition = returned as Transition | undefined;
    const left = keptContents(this.#entity, this.#draft, this.#name);
    return {
      ...(transition && { to: transition.to }),
      ...(transition?.waitMs !== undefined && { waitMs: transition.waitMs }),
      ...(transition?.round === 'next' && { nextRound: true }),
      ...(transition?.error && { error: recorded(transition.error) }),
      ...(this.#retryAfterMs !== undefined && { retryAfterMs: this.#retryAfterMs }),
      ...left,
      raises: this.#raises,
    };
  }

  /** Ends an execution that has thrown. */
  abandon(): void {
    this.#ended = true;
  }

  /** The delay that the action chose for its next attempt, in milliseconds. */
  get retryAfterMs(): number | undefined {
    return this.#retryAfterMs;
  }

  #makeContext(): AnyContext {
    const { type, key, state, attempt, operation } = this.#start;
    const [entity, host] = [this.#entity, this.#host];
    let views: { readonly of: readonly Successor[]; readonly are: readonly SuccessorView[] } | undefined;
    // The same list for the same successors: a loop reads them often.
    const viewed = () => {
      const { successors } = host.snapshot();
      if (views?.of !== successors) views = { of: successors, are: successors.map(view) };
      return views.are;
    };
    return {
      type,
      key,
      get keyParts() {
        return keyPartsOf(entity, key);
      },
      state,
      attempt: Math.max(attempt, 1),
      operation: operation?.id ?? '',
      ...this.#draft,
      get successors() {
        // The action may change what it gets.
        return host.reading('successors', viewed).map((each) => ({ ...each }));
      },
      now: () => host.now(),
      goTo: transitionTo,
      nextRound: this.#nextRound as never,
      retryAfter: (delay: Duration) => {
        this.#retryAfterMs = toMilliseconds(delay);
      },
      giveUp: ({ code, message }) => {
        throw new GivenUp(code, message);
      },
      call: async (call: Call, input: unknown, options?: CallOptions) =>
        this.#outputOf(call, await host.call(this.#placed(call, input, options))) as never,
      run: (given: Description) => {
        const description = this.#plain(given, 'The components cannot be run') as Description;
        const name = this.#noted(`run ${description.kind}`, description);
        return host.runTree({ name, place: this.#names.count, description });
      },
      answerBy: (event: string, { within }: { readonly within: Duration }) =>
        this.#addressFor(event, toMilliseconds(within)),
      collect: (calls: readonly CollectibleCall[], options: CollectOptions) => this.#collect(calls, options),
      read: async (entity: AnyEntity, key: KeyGiven, { within = '1m' }: ReadOptions = {}) => {
        const other = this.#other(entity, key, 'read itself. Its own state, properties and links are on app');
        const view = await host.read(other, toMilliseconds(within));
        return view && seenContents(entity, view);
      },
      reserve: async (entity: AnyEntity, key: KeyGiven, options?: ReserveOptions) =>
        (await this.#reserve([[entity, key]], options))[0],
      reserveAll: (targets: readonly Reservable[], options?: ReserveOptions) => this.#reserve(targets, options),
      create: (entity: AnyEntity, to: KeyGiven, event: string, ...rest: unknown[]) => {
        const { params, options } = splitArguments(entity, event, rest);
        this.#raises.push(this.#intent(entity, to, event, params, { ...options, creates: true }));
      },
      construct: (entity: AnyEntity, to: KeyGiven, values: RaiseIntent['request']['construct'], options?: object) => {
        this.#raises.push(
          this.#intent(entity, to, CREATED, undefined, { ...options, construct: values, creates: true }),
        );
      },
      raise: (entity: AnyEntity, to: KeyGiven, event: string, ...rest: unknown[]) => {
        const { params, options } = splitArguments(entity, event, rest);
        this.#raises.push(this.#intent(entity, to, event, params, { ...options, creates: false }));
      },
      createAndWait: (entity: AnyEntity, to: KeyGiven, event: string, ...rest: unknown[]) =>
        this.#wait(entity, to, event, rest, true),
      raiseAndWait: (entity: AnyEntity, to: KeyGiven, event: string, ...rest: unknown[]) =>
        this.#wait(entity, to, event, rest, false),
    } as AnyContext;
  }

  readonly #nextRound = (options?: TransitionOptions): Transition => {
    const { state, running } = this.#start;
    if (running?.kind === 'automatic') return { ...transitionTo(state, options), round: 'next' };
    const problem = `The action '${running?.action}' of ${this.#entity.name} has no next round, since an event starts it`;
    throw new Defect('no_next_round', `${problem}. Use goTo.`);
  };

  #placed(call: Call, given: unknown, { on, takenWithin = TAKEN_WITHIN }: CallOptions = {}): PlacedCall {
    const input = this.#plain(given, `The input of '${call.activity}' cannot be sent`);
    const checked = checkAgainst(call.shape.input, input);
    const worker = on && { on: { worker: on.worker, takenWithinMs: toMilliseconds(takenWithin) } };
    const named = this.#named(call.activity, input, call.shape.answer === 'inline');
    const idempotencyKey = this.#path(named);
    if (checked.valid) return { call, input, idempotencyKey, named, place: this.#names.count, ...worker };
    throw new Defect(
      'invalid_input',
      `The input of '${call.activity}' is not right: ${describeIssues(checked.issues)}.`,
    );
  }

  #addressFor(event: string, withinMs: number): AnswerAddress {
    const name = this.#noted(`answer by ${event}`, withinMs);
    if (!Object.hasOwn(this.#entity.events, event)) {
      throw new Defect('unknown_event', `${this.#entity.name} has no event '${event}' that could take the answer.`);
    }
    if (!this.#entity.events[event]?.answer) {
      const remedy = `Declare events.${event} with answer: true`;
      throw new Defect('no_answer_event', `'${event}' of ${this.#entity.name} is no answer from outside. ${remedy}.`);
    }
    // The id names the operation that the answer opens, and has to be short.
    const id = raisedAt(`answer.${event}.${idFingerprint(name)}`, this.#begunAt);
    const { until } = this.#host.makeAddress({ id, event, withinMs });
    const { type, key, life } = this.#start;
    return { id, event, until, of: { type, key, life } };
  }

  async #collect(calls: readonly CollectibleCall[], options: CollectOptions) {
    const placed = calls.map(([call, input, callOptions]) => this.#placed(call, input, callOptions));
    const atOnce = countOf('atOnce', options.atOnce ?? AT_ONCE);
    if (typeof options.until === 'object') countOf('until.answers', options.until.answers);
    const gathering = new Gathering(
      calls.map(([{ activity }]) => activity),
      options,
      (place, output) => this.#outputOf(calls[place]![0], output),
    );
    const withinMs = toMilliseconds(options.within);
    await this.#host.collect(placed, { gathering, until: this.#host.now() + withinMs, withinMs, atOnce });
    const { results } = gathering;
    return { results, answers: gathering.answers(options) };
  }

  async #reserve(targets: readonly Reservable[], options: ReserveOptions = {}) {
    const { lease = '1m', until: hold = 'action', within = '1m' } = options;
    const others = targets.map(([entity, key]) =>
      this.#other(entity, key, 'reserved itself. It runs one action at a time anyway'),
    );
    const views = await this.#reserveInOrder(others, {
      leaseMs: toMilliseconds(lease),
      hold,
      withinMs: toMilliseconds(within),
    });
    return others.map((other, index) => {
      const view = views.get(entityId(other));
      return view && seenContents(targets[index]![0], view);
    });
  }

  /** Reserves one after the other, in key order, so that no two entities wait for each other's reservations. S3.6, holding.1 */
  async #reserveInOrder(targets: readonly EntityRef[], { leaseMs, hold, withinMs }: ReservationTerms) {
    const host = this.#host;
    const ordered = inKeyOrder(targets);
    const begunAt = host.now();
    const problem = host.reading('order', () => outOfOrder(host.snapshot(), ordered, begunAt) ?? '');
    if (problem) throw new Defect('reservation_order', problem);
    const [first, last] = [ordered.slice(0, -1), ordered.at(-1)];
    const views = new Map<string, ReservedEntity | undefined>();
    for (const to of ordered) {
      const left = begunAt + withinMs - host.now();
      const isLast = to === last;
      // The lease of one is not to end while the others are waited for.
      const terms = { leaseMs: leaseMs + (isLast ? 0 : left), hold, withinMs: left };
      views.set(entityId(to), await host.reserve(to, isLast && first.length > 0 ? { ...terms, begins: first } : terms));
    }
    const until = host.now() + leaseMs;
    for (const to of first.map(entityId)) {
      const view = views.get(to);
      if (view) views.set(to, { ...view, until: Math.min(view.until, until) });
    }
    return views;
  }

  #wait(entity: AnyEntity, to: KeyGiven, event: string, rest: unknown[], creates: boolean): Promise<RaiseOutcome> {
    const { params, options } = splitArguments<WaitOptions>(entity, event, rest);
    const { within, ...others } = options;
    return this.#host.raiseAndWait(
      this.#intent(entity, to, event, params, { ...others, creates }),
      toMilliseconds(within),
    );
  }

  #intent(
    entity: AnyEntity,
    key: KeyGiven,
    event: string,
    given: unknown,
    { creates, role, construct: values, mayBeRejected }: IntentOptions,
  ): RaiseIntent {
    const sent = `'${event}' of ${entity.name} cannot be raised`;
    const params = this.#plain(given, sent, 'params');
    const construct = this.#plain(values, sent, 'construct') as typeof values;
    const to = this.#other(entity, key, `raised '${event}' on itself. Use goTo to move on`);
    this.#mustDeclare(`${entity.name}.${event}`);
    const now = this.#host.now();
    const ended = this.#host.reading('lease', () => endedLease(this.#host.snapshot(), to, event, now) ?? '');
    if (ended) throw new ReservationEnded(ended);
    const { id, isKnown } = this.#raiseId(to, event, [entityId(to), params, construct]);
    // An earlier attempt that has created the entity has checked the targets of its links.
    const isNew = creates && !isKnown;
    const targets = isNew ? targetsAtBirth(entity, to, { event, ...(construct && { construct }) }, this.#start) : [];
    return {
      to,
      creates,
      request: {
        ...{ id, event },
        ...(params !== undefined && { params }),
        ...(creates && construct && { construct }),
        ...((mayBeRejected || asksAboutRejection(this.#entity, to, role)) && { mayBeRejected: true }),
      },
      ...(role !== undefined && { role }),
      ...(targets.length > 0 && { targets }),
      ...interestIn(this.#entity, to),
    };
  }

  /** Gives what an action sees of a call's output. @throws CallFailed */
  #outputOf({ activity, shape }: Call, output: unknown): unknown {
    const seen = decode(shape.output, output);
    if (seen.valid) return seen.value;
    throw new CallFailed(activity, 'invalid_output', `The answer is not right: ${describeIssues(seen.issues)}.`);
  }

  /** @throws Defect */
  #seen(schema: NonNullable<EventShape['params']>, stored: unknown, problem: string): unknown {
    const seen = decode(schema, stored);
    if (seen.valid) return seen.value;
    throw new Defect('invalid_parameters', `${problem}: ${describeIssues(seen.issues)}.`);
  }

  /** A copy of what the action gives to others. @throws Defect where it is no JSON */
  #plain(given: unknown, problem: string, place?: string): unknown {
    const checked = plain(given, place);
    if (checked.valid) return checked.value;
    throw new Defect('unstorable_value', `${this.#name}: ${problem}: ${describeIssues(checked.issues)}`);
  }

  get #name(): string {
    return `The action '${this.#start.running?.action}' of ${this.#entity.name}`;
  }

  #other(entity: AnyEntity, key: KeyGiven, mistake: string): EntityRef {
    this.#mustRun();
    const other: EntityRef = refTo(entity, key);
    if (entityId(other) !== entityId(this.#start)) return other;
    throw new Defect('meant_itself', `${entityId(other)} ${mistake}.`);
  }

  /** Refuses an event that the action has not declared. */
  #mustDeclare(raised: string): void {
    const { running } = this.#start;
    const declared: readonly string[] | undefined = running && this.#entity.actions[running.action]?.raises;
    if (!declared || declared.includes(raised)) return;
    const problem = `The action '${running?.action}' of ${this.#entity.name} raised '${raised}', and declares to raise`;
    throw new Defect('undeclared_raise', `${problem}: ${declared.join(', ') || 'nothing'}. Add it to its raises.`);
  }

  /**
   * The request id is the same in all attempts, so that nothing is raised twice. A request that was rejected or whose successor
   * failed gets a new one. It also names its target: an attempt that raises the same on another entity, in the same place, raises
   * something else, and operations know events by their ids.
   */
  #raiseId(to: EntityRef, event: string, content: unknown): { readonly id: string; readonly isKnown: boolean } {
    const first = raisedAt(`${this.#noted(event, content)}.${idFingerprint(entityId(to))}`, this.#begunAt);
    // Short, since an action may raise thousands of events.
    const [again, isKnown] = this.#host.reading('raise', () => {
      const id = this.#unusedId(to, first);
      const { successors } = this.#host.snapshot();
      return [id.slice(first.length), successors.some(({ request }) => request === id)] as const;
    });
    return { id: `${first}${again}`, isKnown };
  }

  /** An id that begins with the one of the first attempt. */
  #unusedId(to: EntityRef, first: string): string {
    const known = this.#start.successors.find((each) => sameEntity(each, to));
    if (!known || firstRaise(known.request) !== first) return notRejected(this.#start, first);
    const { request, outcome } = known;
    const failed = outcome?.health === 'error' || outcome?.error !== undefined;
    return notRejected(this.#start, failed ? raisedAgain(request) : request);
  }

  /** When what the action works for has begun, in milliseconds since 1970: the same in all attempts. */
  get #begunAt(): number {
    const { running, engagements, enteredAt } = this.#start;
    return (running?.kind === 'event' && engagements.at(-1)?.startedAt) || enteredAt;
  }

  /** The name of what is no call: those are noted when they are made. */
  #noted(what: string, content: unknown): string {
    const named = this.#named(what, content);
    this.#host.noteAsked(named);
    return this.#path(named);
  }

  #named(what: string, content: unknown, isInline = false): Named {
    this.#mustRun();
    return this.#names.give(what, content, this.#host.isAlone(), isInline);
  }

  /** A name among those of all entities. S3.4 */
  #path({ name }: Named): string {
    return `${entityId(this.#start)}#${this.#start.life}/${name}`;
  }

  #mustRun(): void {
    if (!this.#ended) return;
    const problem = `The action '${this.#start.running?.action}' of ${this.#entity.name} went on after it had ended`;
    throw new Defect('action_ended', `${problem}. Await everything that it starts.`);
  }
}

/** For how long a worker may be busy with other calls before it is taken for gone. */
const TAKEN_WITHIN = '10s';
/** How many calls of a collector are made at once, where the action does not say it. */
const AT_ONCE = 100;

/** @throws Defect */
function countOf(name: string, count: number): number {
  if (Number.isInteger(count) && count > 0) return count;
  throw new Defect('invalid_collector', `A collector's '${name}' is a whole number from 1. It is ${String(count)}.`);
}

/** The error with which an action goes to a state: it may be any that the action has caught. */
function reported({ code, message, answers }: TransitionError): TransitionError {
  return { code: cut(code, LONGEST_CODE), message: cut(message, LONGEST_MESSAGE), ...(answers && { answers }) };
}

/** An error that answers the caller is a rejection. Any other one needs an operator. */
function recorded({ answers, ...error }: TransitionError): ErrorRecord {
  return { kind: answers ? 'rejected' : 'needs_operator', ...error };
}

interface IntentOptions {
  readonly creates: boolean;
  readonly role?: string;
  readonly mayBeRejected?: boolean;
  readonly construct?: RaiseIntent['request']['construct'];
}

interface WaitOptions {
  readonly within: Duration;
  readonly role?: string;
  readonly construct?: RaiseIntent['request']['construct'];
}

function view(successor: Successor): SuccessorView {
  const { outcome } = successor;
  return {
    type: successor.type,
    key: successor.key,
    role: successor.role,
    operation: successor.operation,
    event: successor.event,
    rejection: outcome?.rejection,
    state: outcome?.state,
    health: outcome?.health,
    error: outcome?.error,
    lost: outcome?.lost,
  };
}
