import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReeveClient } from '../../src/client/client.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { Account, Counter, Inquiry, Lamp, Room, Transfer } from '../replay/entities/definitions.js';
import { patiently } from '../replay/patience.js';

/** The entities that exist, by how they wait. The rest are counters that are at rest. */
const ACCOUNTS = 20;
const ROOMS = 40;
const BOXES_OF_A_ROOM = 2;
const OPENED_WITH = 1_000;
/** How many are created at once. */
const AT_ONCE = 48;
/** The pauses of those who work, in milliseconds. */
const ADD_PAUSE_MS = 100;
const ASK_PAUSE_MS = 1_500;
const SHOWN = 10;

/**
 * A thousand entities and a steady load on them: events at counters that rest, transfers that reserve accounts, lamps that sleep
 * until their timers, rooms that wait for their boxes, and inquiries whose actions wait for those outside.
 */
export class FleetLoad {
  readonly #reeve: ReeveClient;
  readonly #chance: () => number;
  readonly #size: number;
  /** How often each counter was counted up, as its operations told. */
  readonly #added = new Map<string, number>();
  readonly #problems: string[] = [];
  readonly #lamps: string[] = [];
  #failed = 0;
  #ended = 0;
  #over = false;

  constructor(reeve: ReeveClient, size: number, chance: () => number) {
    this.#reeve = reeve;
    this.#size = size;
    this.#chance = chance;
  }

  /** How many operations have ended, and how many of them failed. */
  get ended(): { readonly all: number; readonly failed: number } {
    return { all: this.#ended, failed: this.#failed };
  }

  get problems(): readonly string[] {
    return this.#problems.slice(0, SHOWN);
  }

  get #counters(): number {
    return this.#size - ACCOUNTS - ROOMS * (1 + BOXES_OF_A_ROOM);
  }

  async prepare(): Promise<void> {
    const reeve = this.#reeve;
    const counters = range(this.#counters).map((n) => async (requestId: string) => {
      this.#added.set(`c${n}`, 0);
      return reeve.create(Counter, `c${n}`, 'open', { requestId });
    });
    const accounts = range(ACCOUNTS).map(
      (n) => (requestId: string) => reeve.create(Account, `a${n}`, 'open', { balance: OPENED_WITH }, { requestId }),
    );
    const rooms = range(ROOMS).map((n) => (requestId: string) => {
      const boxes = range(BOXES_OF_A_ROOM).map((box) => `r${n}.${box}`);
      return reeve.create(Room, `r${n}`, 'furnish', { boxes }, { requestId });
    });
    const left = [...counters, ...accounts, ...rooms];
    const work = async () => {
      for (let next = left.shift(); next; next = left.shift()) {
        const [create, requestId] = [next, randomUUID()];
        await patiently('create', () => create(requestId));
      }
    };
    await Promise.all(range(AT_ONCE).map(work));
  }

  /** Works until `end` is called. */
  async run(): Promise<void> {
    const reeve = this.#reeve;
    const again = async (pauseMs: number, act: (turn: string) => Promise<unknown>) => {
      for (let turn = 0; !this.#over; turn++) {
        await act(`${turn}`).catch((thrown: unknown) => this.#problems.push(String(thrown)));
        await delay(pauseMs * (0.5 + this.#chance()));
      }
    };
    const add = async () => {
      const key = `c${this.#below(this.#counters)}`;
      const outcome = await this.#perform(`add ${key}`, (requestId) => reeve.raise(Counter, key, 'add', { requestId }));
      if (outcome === 'success') this.#added.set(key, this.#added.get(key)! + 1);
    };
    const move = async (turn: string, who: number) => {
      const from = this.#below(ACCOUNTS);
      const to = (from + 1 + this.#below(ACCOUNTS - 1)) % ACCOUNTS;
      const params = { from: `a${from}`, to: `a${to}`, amount: 1 + this.#below(9), lease: '20s' };
      await this.#perform('move', (requestId) =>
        reeve.create(Transfer, `t${who}-${turn}`, 'move', params, { requestId }),
      );
    };
    await Promise.all([
      ...range(4).map(() => again(ADD_PAUSE_MS, add)),
      ...range(2).map((who) => again(ASK_PAUSE_MS, (turn) => move(turn, who))),
      again(ASK_PAUSE_MS, (turn) =>
        this.#perform('ask', (requestId) => reeve.create(Inquiry, `i${turn}`, 'ask', { requestId })),
      ),
      again(ASK_PAUSE_MS, (turn) => {
        this.#lamps.push(`l${turn}`);
        return this.#perform('light', (requestId) => reeve.create(Lamp, `l${turn}`, 'light', { requestId }));
      }),
    ]);
  }

  /** Lets nobody begin anything more. */
  end(): void {
    this.#over = true;
  }

  /** Finds what is wrong when everything has settled. */
  async examine(): Promise<readonly string[]> {
    const read = async (type: string, key: string) =>
      (await patiently(`read ${type}/${key}`, () => this.#reeve.read({ type, key }))).snapshot;
    const problems: string[] = [];
    for (const [key, added] of this.#added) {
      const { count } = (await read('Counter', key)).properties;
      if (count !== added) problems.push(`Counter/${key} has counted ${String(count)} of ${added} events`);
    }
    let sum = 0;
    for (const n of range(ACCOUNTS)) sum += (await read('Account', `a${n}`)).properties['balance'] as number;
    if (sum !== ACCOUNTS * OPENED_WITH) problems.push(`the accounts hold ${sum} instead of ${ACCOUNTS * OPENED_WITH}`);
    for (const n of range(ROOMS)) {
      const { state } = await read('Room', `r${n}`);
      if (state !== 'Furnished') problems.push(`Room/r${n} is ${state}`);
    }
    for (const key of this.#lamps) {
      const { state, properties } = await read('Lamp', key);
      // It blinks after 3 s and 6 s, and burns out after 7 s.
      if (state !== 'Out' || (properties['blinks'] as number) > 2)
        problems.push(`Lamp/${key} is ${state}, and has blinked ${String(properties['blinks'])} times`);
    }
    return problems;
  }

  async #perform(what: string, ask: (requestId: string) => Promise<AcceptedEvent>): Promise<string> {
    const requestId = randomUUID();
    const taken = await patiently(what, () => ask(requestId));
    const { outcome } = await patiently(what, () => this.#reeve.operations.result(taken));
    this.#ended++;
    if (outcome !== 'success') this.#failed++;
    return outcome;
  }

  #below(count: number): number {
    return Math.floor(this.#chance() * count);
  }
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, n) => n);
}
