import type { WorkflowHandle } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_TASK_QUEUE, SNAPSHOT_QUERY } from '../../src/protocol/names.js';
import { Rejected } from '../../src/protocol/errors.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { Account, Box, Counter, Inquiry, Lamp, Room, Transfer } from './entities/definitions.js';
import { patiently } from './patience.js';
import type { Rig } from './rig.js';

const COUNTERS = 6;
const ACCOUNTS = 10;
const OPENED_WITH = 1_000;
const LEASES = ['20s', '1m'];
const LONGEST_PAUSE_MS = 1_500;
/** How many reads wait for an answer at once, and for how long, in milliseconds. */
const MOST_READS = 20;
const LONGEST_READ_MS = 10_000;
const RELEASED_WITHIN_MS = 20_000;

/**
 * People who all work at once while workers come and go. They raise events and wait for the outcome, repeat requests, read, and
 * send malformed signals. What was accepted is remembered, and compared with what exists in the end.
 */
export class Load {
  readonly #rig: Rig;
  readonly #chance: () => number;
  readonly #added = new Map<string, number>();
  readonly #problems: string[] = [];
  readonly #ended: { readonly what: string; readonly seconds: number }[] = [];
  #transfers = 0;
  #over = false;

  constructor(rig: Rig, chance: () => number) {
    this.#rig = rig;
    this.#chance = chance;
  }

  /** The number of operations that have ended. */
  get operations(): number {
    return this.#ended.length;
  }

  /** How long the operations took, for people. */
  get durations(): string {
    const sorted = this.#ended.toSorted((one, other) => one.seconds - other.seconds);
    const at = (part: number) => `${(sorted[Math.floor(part * (sorted.length - 1))]?.seconds ?? 0).toFixed(1)} s`;
    return `half within ${at(0.5)}, 95 of 100 within ${at(0.95)}, all within ${at(1)} (${sorted.at(-1)?.what ?? 'none'})`;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Creates the entities that exist from the beginning. */
  async prepare(): Promise<void> {
    const { reeve } = this.#rig;
    for (let index = 0; index < COUNTERS; index++) {
      await this.#perform((requestId) => reeve.create(Counter, `c${index}`, 'open', { requestId }));
    }
    for (let index = 0; index < ACCOUNTS; index++) {
      const opened = { balance: OPENED_WITH };
      await this.#perform((requestId) => reeve.create(Account, `a${index}`, 'open', opened, { requestId }));
    }
  }

  /** Lets so many people work until `end` is called. */
  async run(people: number): Promise<void> {
    const all = Array.from({ length: people }, (_, person) => this.#live(person));
    await Promise.all([...all, this.#read()]);
  }

  /** Lets nobody begin anything more. */
  end(): void {
    this.#over = true;
  }

  /** Notes what is wrong when everything has settled. `released`: no account may be reserved any more. */
  async examine(released: boolean): Promise<void> {
    const { reeve } = this.#rig;
    for (const [key, count] of this.#added) {
      const { snapshot } = await patiently(`read Counter/${key}`, () => reeve.read({ type: 'Counter', key }));
      if (snapshot.properties['count'] !== count) {
        this.#problems.push(`Counter/${key} counted ${String(snapshot.properties['count'])} of ${count} events`);
      }
    }
    // The last releases may still be on their way.
    if (released) await delay(RELEASED_WITHIN_MS);
    let sum = 0;
    for (let index = 0; index < ACCOUNTS; index++) {
      const ref = { type: 'Account', key: `a${index}` };
      const { snapshot } = await patiently('read an account', () => reeve.read(ref));
      sum += snapshot.properties['balance'] as number;
      const { reservation, reservers } = snapshot;
      if (!released) continue;
      if (reservation) this.#problems.push(`Account/a${index} is still reserved: ${JSON.stringify(reservation)}`);
      if (reservers.length > 0)
        this.#problems.push(`some still wait for Account/a${index}: ${JSON.stringify(reservers)}`);
    }
    if (sum !== ACCOUNTS * OPENED_WITH) {
      this.#problems.push(
        `after ${this.#transfers} transfers, the accounts hold ${sum} instead of ${ACCOUNTS * OPENED_WITH}`,
      );
    }
  }

  async #live(person: number): Promise<void> {
    for (let turn = 0; !this.#over; turn++) {
      await this.#try(() => this.#act(`p${person}-${turn}`));
      await delay(this.#chance() ** 3 * LONGEST_PAUSE_MS);
    }
  }

  async #try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (thrown) {
      this.#problems.push(thrown instanceof Rejected ? `rejected: ${thrown.message}` : String(thrown));
    }
  }

  async #act(name: string): Promise<void> {
    const { reeve } = this.#rig;
    const choice = this.#chance();
    if (choice < 0.4) {
      const key = `c${this.#below(COUNTERS)}`;
      const event = this.#chance() < 0.5 ? 'add' : 'look';
      const ask = (requestId: string) => reeve.raise(Counter, key, event, { requestId });
      const outcome = await this.#perform(ask, this.#chance() < 0.2);
      // Those of the other build make a call, which may fail.
      if (event === 'add' && outcome === 'success') this.#added.set(key, (this.#added.get(key) ?? 0) + 1);
    } else if (choice < 0.6) {
      await this.#perform((requestId) => reeve.create(Box, name, 'make', { requestId }));
      if (this.#chance() < 0.5) await delay(this.#chance() * 6_000);
      await this.#perform((requestId) => reeve.raise(Box, name, 'remove', { requestId }));
    } else if (choice < 0.72) {
      const boxes = Array.from({ length: 1 + this.#below(4) }, (_, index) => `${name}.${index}`);
      await this.#perform((requestId) => reeve.create(Room, name, 'furnish', { boxes }, { requestId }));
      await this.#perform((requestId) => reeve.raise(Room, name, 'empty', { requestId }));
    } else if (choice < 0.75) {
      await this.#inquire(name);
    } else if (choice < 0.79) {
      await this.#perform((requestId) => reeve.create(Lamp, name, 'light', { requestId }));
    } else if (choice < 0.88) {
      const from = this.#below(ACCOUNTS);
      const to = (from + 1 + this.#below(ACCOUNTS - 1)) % ACCOUNTS;
      const lease = LEASES[this.#below(LEASES.length)]!;
      const params = { from: `a${from}`, to: `a${to}`, amount: 1 + this.#below(50), lease };
      await this.#perform((requestId) => reeve.create(Transfer, name, 'move', params, { requestId }));
      this.#transfers++;
    } else if (choice < 0.92) {
      await this.#runErrand(name);
    } else {
      await this.#useServer(name);
    }
  }

  /** Lets those outside be asked, and looks whether each answer has come to its question. */
  async #inquire(name: string): Promise<void> {
    const { reeve } = this.#rig;
    await this.#perform((requestId) => reeve.create(Inquiry, name, 'ask', { requestId }));
    const { snapshot } = await patiently(`read Inquiry/${name}`, () => reeve.read({ type: 'Inquiry', key: name }));
    const heard = snapshot.properties['heard'] as readonly number[];
    const isRight = heard.length >= 3 && heard[0] === 0 && heard.slice(1).every((part) => part >= 1 && part <= 3);
    if (snapshot.state !== 'Answered' || !isRight)
      this.#problems.push(`Inquiry/${name} is ${snapshot.state} and has heard ${JSON.stringify(heard)}`);
  }

  /** Runs a workflow of the project's own, which raises its events itself. */
  async #runErrand(name: string): Promise<void> {
    const { workflow } = this.#rig.client;
    const counter = `c${this.#below(COUNTERS)}`;
    const workflowId = `errand-${name}`;
    const startedAt = Date.now();
    const options = { workflowId, taskQueue: DEFAULT_TASK_QUEUE, args: [name, counter] };
    await patiently(workflowId, () =>
      workflow.start('errand', { ...options, workflowIdConflictPolicy: 'USE_EXISTING' }),
    );
    const counted = await patiently(workflowId, () =>
      workflow.result<(name: string, counter: string) => Promise<boolean>>(workflowId),
    );
    if (counted) this.#added.set(counter, (this.#added.get(counter) ?? 0) + 1);
    this.#ended.push({ what: workflowId, seconds: (Date.now() - startedAt) / 1_000 });
  }

  async #useServer(name: string): Promise<void> {
    const { reeve } = this.#rig;
    await this.#perform((requestId) => reeve.create(LogicalServer, name, 'create', {}, { requestId }));
    const ready = await patiently(`read LogicalServer/${name}`, () => reeve.read({ type: 'LogicalServer', key: name }));
    if (ready.snapshot.state === 'Ready') {
      await this.#perform((requestId) => reeve.create(LogicalDatabase, `${name}.sales`, 'create', {}, { requestId }));
      if (this.#chance() < 0.5) await delay(this.#chance() * 6_000);
      await this.#perform((requestId) => reeve.raise(LogicalServer, name, 'delete', { requestId }));
    }
  }

  /** Raises an event until it is answered, perhaps twice, and waits until its operation has ended. Gives how. */
  async #perform(ask: (requestId: string) => Promise<AcceptedEvent>, twice = false): Promise<string> {
    const requestId = randomUUID();
    const startedAt = Date.now();
    const raise = () => patiently(`request ${requestId}`, () => ask(requestId));
    const taken = await raise();
    if (twice) await raise();
    const { type, key } = taken.entity;
    const what = `${taken.event} ${type}/${key} (${requestId})`;
    const { outcome } = await patiently(what, () => this.#rig.reeve.operations.result(taken));
    this.#ended.push({ what, seconds: (Date.now() - startedAt) / 1_000 });
    return outcome;
  }

  /** Reads entities and operations at any time, even those that no worker has yet. Sends plain signals, even malformed ones. */
  async #read(): Promise<void> {
    const { client } = this.#rig;
    let waiting = 0;
    while (!this.#over) {
      const running = client.workflow.list({ query: "ExecutionStatus = 'Running'", pageSize: 50 });
      for await (const { workflowId } of running) {
        if (this.#over) return;
        const handle = client.workflow.getHandle(workflowId);
        // The answer does not matter here. What the question sets off does.
        if (waiting < MOST_READS) {
          waiting++;
          const read = handle.query(SNAPSHOT_QUERY).catch(() => undefined);
          void Promise.race([read, delay(LONGEST_READ_MS)]).then(() => waiting--);
        }
        if (this.#chance() < 0.05) void handle.signal('utter nonsense', 'nonsense').catch(() => undefined);
        if (workflowId.startsWith('Counter/') && this.#chance() < 0.1) this.#signal(handle);
        await delay(60);
      }
      await delay(20);
    }
  }

  /** Signals as any client of Temporal can: an event twice as the same request, and once for somebody who may not raise it. */
  #signal(handle: WorkflowHandle): void {
    const request = randomUUID();
    const actor = { subject: 'somebody', tenant: '*', roles: ['nothing'] };
    for (const options of [{ request }, { request }, { actor }]) {
      void handle.signal('look', {}, options).catch(() => undefined);
    }
  }

  #below(count: number): number {
    return Math.floor(this.#chance() * count);
  }
}
