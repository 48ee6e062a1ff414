import type { Client } from '@temporalio/client';
import { ReeveClient } from '../../src/client/client.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { LONGEST_HOLD_MS } from '../../src/protocol/request.js';
import { Rejected } from '../../src/protocol/errors.js';
import { entityId, operationWorkflowId } from '../../src/protocol/names.js';
import { Plant } from './entities/plant.js';
import { Valve } from './entities/valve.js';
import type { CallbackKeys } from '../../src/temporal/callback-address.js';
import { newRequestId } from '../../src/client/new-request-id.js';
import { patiently } from '../replay/patience.js';
import type { Side, Work } from './side.js';
import { runErrand } from './own/run-errand.js';
import { Valves } from './valves.js';
import type { BenchWorker } from './worker.js';

/** The side of Reeve: valves as entities. */
export class ReeveSide implements Side {
  readonly name = 'reeve';
  readonly reeve: ReeveClient;
  readonly #valves: Valves;
  readonly #taskQueue: string;

  constructor(
    readonly client: Client,
    readonly worker: BenchWorker,
    taskQueue: string,
    readonly keys: CallbackKeys,
    /** The beginning of its keys, where another side has valves of the same names. */
    readonly prefix = '',
  ) {
    this.reeve = new ReeveClient({ client, entities: [Valve, Plant], taskQueue });
    this.#valves = new Valves(client);
    this.#taskQueue = taskQueue;
  }

  workflowId(key: string): string {
    return entityId({ type: Valve.name, key: this.#keyOf(key) });
  }

  async start(key: string): Promise<void> {
    await this.#install(key);
  }

  async create(key: string): Promise<void> {
    const taken = await this.#install(key);
    await patiently(`the outcome of install ${key}`, () => this.#succeed(taken));
  }

  async raise(key: string, work: Work): Promise<readonly string[]> {
    return this.#succeed(await this.#take(key, work));
  }

  #keyOf(key: string): string {
    return `${this.prefix}${key}`;
  }

  #take(named: string, work: Work): Promise<AcceptedEvent> {
    const key = this.#keyOf(named);
    // With the hold the caller waits for the outcome, as by hand. Without it, the caller follows the operation.
    const hold = { holdMs: LONGEST_HOLD_MS };
    switch (work) {
      case 'turn':
        return this.reeve.raise(Valve, key, 'turn', { value: 1 });
      case 'probe':
        return this.reeve.raise(Valve, key, 'probe');
      case 'overhaul':
        return this.reeve.raise(Valve, key, 'overhaul', hold);
      case 'later':
        return this.reeve.raise(Valve, key, 'overhaul');
      case 'operation':
        return this.reeve.raise(Valve, key, 'repair');
    }
  }

  async reject(key: string): Promise<void> {
    const rejected = await this.reeve.raise(Valve, this.#keyOf(key), 'install').catch((thrown: unknown) => thrown);
    if (!(rejected instanceof Rejected)) throw new Error(`It was not rejected: ${JSON.stringify(rejected)}`);
  }

  read(key: string): ReturnType<ReeveClient['read']> {
    return this.reeve.read({ type: Valve.name, key: this.#keyOf(key) });
  }

  /** An ordinary event that leads to another state, as an answer does. */
  async shut(key: string): Promise<void> {
    // Where the answer is lost, the same request is asked for again: another one would be rejected in the new state.
    const requestId = newRequestId();
    await patiently(`shut ${key}`, async () =>
      this.#succeed(await this.reeve.raise(Valve, this.#keyOf(key), 'shut', { value: 1 }, { requestId })),
    );
  }

  /** Lets a valve wait for an answer from outside: in its action, or in the state that it goes to. Ends when it was asked for. */
  async wait(key: string, event: 'inspect' | 'lend'): Promise<void> {
    const requestId = newRequestId();
    const taken = await patiently(`${event} ${key}`, () =>
      this.reeve.raise(Valve, this.#keyOf(key), event, { requestId }),
    );
    if (event === 'lend') await patiently(`the outcome of lend ${key}`, () => this.#succeed(taken));
    else this.#valves.add(operationWorkflowId(taken.answer.operation));
  }

  /** Gives the answer for which a token was made. */
  async answer(token: string, value: number): Promise<void> {
    const question = this.keys.questionOf(token);
    if (!question) throw new Error('The token was not made here.');
    // Where thousands go on in new runs, the service may keep somebody waiting for too long.
    await patiently(`the answer for ${question.of.key}`, () => this.reeve.answer(question, { output: { value } }));
  }

  /** Lets a valve make transitions in a row, with an activity each. */
  async flush(key: string, steps: number): Promise<void> {
    await this.#succeed(await this.reeve.raise(Valve, this.#keyOf(key), 'flush', { steps }));
  }

  /** Carries out an operation over that many successors. Gives the ids of the workflows of the plant and of the operation. */
  async build(key: string, valves: number): Promise<readonly string[]> {
    const id = this.#valves.add(entityId({ type: Plant.name, key }));
    for (let number = 0; number < valves; number++) this.#valves.add(this.workflowId(`${key}-${number}`));
    return [id, ...(await this.#succeed(await this.reeve.create(Plant, key, 'build', { valves })))];
  }

  errand(workflowId: string): Promise<void> {
    return runErrand(this.client, this.#taskQueue, workflowId);
  }

  clear(): Promise<void> {
    return this.#valves.end();
  }

  #install(key: string): Promise<AcceptedEvent> {
    this.#valves.add(this.workflowId(key));
    // A service that makes thousands may keep somebody waiting for too long: the same request runs nothing again.
    const requestId = newRequestId();
    return patiently(`install ${key}`, () => this.reeve.create(Valve, this.#keyOf(key), 'install', { requestId }));
  }

  /** Waits for the outcome. Gives the id of the operation's workflow, where it needs one. */
  async #succeed(taken: AcceptedEvent): Promise<readonly string[]> {
    const { answer } = taken;
    const { outcome, participants } = await this.reeve.operations.result(taken);
    if (outcome !== 'success') throw new Error(`${taken.event} ended as ${outcome}: ${JSON.stringify(participants)}`);
    // An operation that settles in a moment has no workflow.
    return participants[0]?.life ? [operationWorkflowId(answer.operation)] : [];
  }
}
