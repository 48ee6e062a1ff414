import { nextTick } from '../../src/definition/calendar/next-tick.js';
import { treeProgram } from '../../src/components/index.js';
import type { AnyImplementation } from '../../src/definition/actions.js';
import type { CallAnswer, EntityDriver } from '../../src/kernel/run/driver.js';
import { runEntity, type EntityInput, type EntityRunEnd } from '../../src/kernel/life/entity-life.js';
import type { EntityHandlers } from '../../src/kernel/run/handlers.js';
import type { Answer } from '../../src/protocol/answer.js';
import type { QuestionWithdrawal } from '../../src/protocol/callback.js';
import type { Creation } from '../../src/protocol/creation.js';
import type { DeploymentMessage } from '../../src/protocol/deployment.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { DeploymentStart } from '../../src/protocol/state-deployment.js';
import type { OperationMessage } from '../../src/protocol/operation-message.js';
import type { OperationStart } from '../../src/protocol/operation-start.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import { entityId, type EntityRef } from '../../src/protocol/names.js';
import type { PastRequest } from '../../src/protocol/past-request.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { LedgerSizes, Snapshot } from '../../src/protocol/snapshot.js';
import { lackingRecords } from '../../src/simulation/lacking-records.js';
import { StillClock } from './still-clock.js';

/** A call of a resource that is under way. */
interface PendingCall {
  readonly activity: string;
  readonly input: unknown;
  readonly idempotencyKey: string;
  answer(answer: CallAnswer): void;
  fail(thrown: Error): void;
}

/**
 * One run of an entity that is alone in the world: what it says is noted, what it hears is said by hand, and its clock
 * stands still until it is moved.
 */
export class LoneEntity extends StillClock {
  handlers: EntityHandlers | undefined;
  end: EntityRunEnd | undefined;
  failure: unknown;
  rollsOver = false;
  /** Tells whether every event has its answer. */
  answered = true;
  /** Tells whether the store can be reached. */
  storing = true;
  readonly opened: OperationStart[] = [];
  readonly told: { readonly operation: string; readonly message: OperationMessage }[] = [];
  readonly sent: { readonly to: EntityRef; readonly message: EntityMessage }[] = [];
  readonly created: { readonly to: EntityRef; readonly creation: Creation; readonly again: boolean }[] = [];
  readonly deployed: DeploymentStart[] = [];
  readonly toldDeployments: { readonly id: string; readonly message: DeploymentMessage }[] = [];
  readonly calls: PendingCall[] = [];
  readonly withdrawn: QuestionWithdrawal[] = [];
  readonly offered: StoreRecord[] = [];
  readonly kept: StoreRecord[] = [];
  readonly handedOn: StoreRecord[] = [];
  /** The requests about which the store was asked, question by question. */
  readonly asked: (readonly string[])[] = [];
  /** All that the store knows of requests. */
  readonly past = new Map<string, PastRequest>();
  earlierLives = false;
  readonly warnings: string[] = [];
  /** The keys of calls that were cancelled and may still take effect. */
  readonly lingering = new Set<string>();
  /** The snapshots that were shown. */
  readonly shown: Snapshot[] = [];
  /** Entities that nothing can be delivered to. */
  readonly absent = new Set<string>();
  /** The snapshots that deleted entities have left, by their id. */
  readonly lastLives = new Map<string, Snapshot>();
  /** The calls that throw, by the name of what the driver is asked to do. */
  readonly broken = new Set<string>();
  /** While set, nothing that is sent arrives. */
  gate: Promise<void> | undefined;
  #uuids = 0;

  constructor(
    implementation: AnyImplementation,
    input?: EntityInput,
    identity = { id: `${implementation.entity.name}/k`, life: 'life-1' },
    readonly ledgerSizes?: LedgerSizes,
    /** How long it rests before it goes on in a new run, in milliseconds; for ever without it. */
    readonly restAfterMs?: number,
  ) {
    super();
    void runEntity(implementation, this.#driver(identity), input).then(
      (end) => (this.end = end),
      (thrown: unknown) => (this.failure = thrown),
    );
  }

  get snapshot(): Snapshot {
    return this.handlers!.snapshot();
  }

  async hear(message: unknown): Promise<void> {
    await this.calm();
    this.handlers!.message(message);
    await this.calm();
  }

  /** The answers to a batch of events, as far as they come by themselves. */
  async raise(...requests: readonly RaiseRequest[]): Promise<readonly Answer[]> {
    await this.calm();
    let answers: readonly Answer[] | undefined;
    void this.handlers!.raise(requests).then((given) => (answers = given));
    await this.calm();
    if (!answers) throw new Error('it gives no answer');
    return answers;
  }

  /** The messages to others since the last time. */
  taken(): readonly EntityMessage[] {
    return this.sent.splice(0).map(({ message }) => message);
  }

  #driver(identity: EntityDriver['identity']): EntityDriver {
    const does = async <T>(what: string, act: () => T): Promise<T> => {
      if (this.broken.has(what)) throw new Error(`${what} is broken`);
      await this.gate;
      return act();
    };
    return {
      identity,
      beganAt: () => true,
      mayEndAmidWaits: () => true,
      ledgerSizes: this.ledgerSizes,
      restAfterMs: this.restAfterMs,
      records: {
        offer: (records) => this.offered.push(...records),
        confirm: (names) => does('confirm', () => (this.storing ? lackingRecords(names, () => undefined) : undefined)),
        keep: (records) => does('keep', () => (this.storing && this.kept.push(...records)) !== false),
        recall: (_of, ids) =>
          does('recall', () => {
            this.asked.push(ids);
            return this.storing
              ? { requests: ids.flatMap((id) => this.past.get(id) ?? []), earlierLives: this.earlierLives }
              : undefined;
          }),
        handOn: (records) => does('handOn', () => void this.handedOn.push(...records)),
      },
      serve: (handlers) => (this.handlers = handlers),
      handlersFinished: () => this.answered,
      now: () => this.now,
      reach: (time) => (this.now = Math.max(this.now, time)),
      nextTicks: (questions) =>
        does('nextTicks', () => questions.map(({ after, ...calendar }) => nextTick(calendar, after))),
      uuid: () => `uuid-${++this.#uuids}`,
      modeOf: ({ call: { shape } }) => shape.answer ?? 'activity',
      until: (predicate, timeoutMs) => this.until(predicate, timeoutMs),
      quiet: () => this.quiet(),
      moment: () => this.moment,
      cancelCalls: () => this.calls.splice(0).forEach((call) => call.fail(new Error('aborted'))),
      lingers: (key) => this.lingering.has(key),
      call: ({ call, input, idempotencyKey }) =>
        new Promise((answer, fail) =>
          this.calls.push({ activity: call.activity, input, idempotencyKey, answer, fail }),
        ),
      withdraw: (withdrawal) => does('withdraw', () => void this.withdrawn.push(withdrawal)),
      createEntity: (to, creation, again) =>
        does('createEntity', () => {
          this.created.push({ to, creation, again });
          return 'created';
        }),
      trees: treeProgram({}),
      deploy: (deployment) => does('deploy', () => void this.deployed.push(deployment)),
      tellDeployment: (id, message) =>
        does('tellDeployment', () => {
          this.toldDeployments.push({ id, message });
          return this.absent.has(id) ? 'absent' : 'delivered';
        }),
      lastLife: (of) => does('lastLife', () => this.lastLives.get(entityId(of))),
      sendMessage: (to, message) =>
        does('sendMessage', () => {
          this.sent.push({ to, message });
          return this.absent.has(entityId(to)) ? 'absent' : 'delivered';
        }),
      openOperation: (start) => does('openOperation', () => void this.opened.push(start)),
      tellOperation: (operation, message) =>
        does('tellOperation', () => {
          this.told.push({ operation, message });
          return this.absent.has(operation) ? 'absent' : 'delivered';
        }),
      show: (snapshot) => this.shown.push(snapshot),
      runIsLong: () => this.rollsOver,
      mayEndRun: () => this.answered,
      warn: (message) => this.warnings.push(message),
    };
  }
}
