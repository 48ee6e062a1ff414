import { QueryNotRegisteredError, QueryRejectedError, WorkflowClient, WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { entityId, TRANSITIONS_QUERY } from '../protocol/names.js';
import type { PendingTransitions } from '../protocol/pending-transitions.js';
import type { EntityRecord, StoreRecord, ToldWaits, TransitionRecord } from '../protocol/records.js';
import type { LivingRef } from '../protocol/refs.js';
import type { Certain, Feed } from './record-keeper.js';

/*
 * Brings what has happened to the feed of the store soon, while entities bring it when they rest. A6
 *
 * witness.1. It works only while somebody listens, so that others pay nothing.
 * witness.2. What an entity tells may be what a workflow task has decided that is then lost. Such a task is decided again, at a
 *     later time. So a transition is certain when the entity tells it at two looks with the same time; and so is what it waits for.
 * witness.3. Nothing depends on it. What it has no time for, or what was under way when its process died, the entity brings itself.
 */

/** Asks an entity, by its workflow id, for what it has yet to bring to the store: the transitions after a version, and its waits. */
export type AskTransitions = (id: string, after: number) => Promise<PendingTransitions>;

/** Where news of an entity are awaited. */
interface Watched {
  readonly id: string;
  /** The highest version of which its worker has heard. */
  version: number;
  /** How far it is fed, as far as is known here. */
  fed: number;
  /** The times of what was seen at the last look, by version. */
  seen: ReadonlyMap<number, number>;
  /** When it last said what it waits for, as its worker has heard; as was seen at the last look; and as it is fed. */
  waitsAt: number;
  waitsSeen: number;
  waitsFed: number;
  /** When it is given up, in milliseconds since 1970: its task was lost, or it has ended. */
  until: number;
}

/** The time between two looks, in milliseconds; between two questions whether anybody listens; and how long one look may take. */
const LOOK_MS = 400;
const WANTED_MS = 3_000;
const ANSWER_MS = 5_000;
/** How long an entity is asked about a transition, in milliseconds. */
const GIVE_UP_MS = 30_000;
/** How many entities are asked at once, and how many are watched at most. */
const AT_ONCE = 16;
const WATCHED = 20_000;

export class Witness {
  readonly #ask: AskTransitions;
  readonly #feed: Feed;
  /** The entities, by their lives. */
  readonly #watched = new Map<string, Watched>();
  /** The lives that wait, as was fed. Only these are asked when they say that they wait for nothing. */
  readonly #waiting = new Set<string>();
  /** Until it is known, news count: a worker that begins has some at once. */
  #wanted = true;

  constructor(ask: AskTransitions, feed: Feed) {
    this.#ask = ask;
    this.#feed = feed;
  }

  /** Hears of what a worker offers to the store. */
  note(records: readonly StoreRecord[]): void {
    if (!this.#wanted) return;
    for (const record of records) {
      if (record.kind === 'transition') this.#watch(record.entity, record.version, 0);
      else if (record.kind === 'entity' && this.#mayWait(record)) this.#watch(record.entity, 0, record.at);
    }
  }

  #mayWait({ entity: { life }, waits }: EntityRecord): boolean {
    return waits !== undefined || this.#waiting.has(life);
  }

  #watch(entity: LivingRef, version: number, waitsAt: number): void {
    const { life } = entity;
    const until = Date.now() + GIVE_UP_MS;
    const known = this.#watched.get(life);
    if (known) {
      known.version = Math.max(known.version, version);
      known.waitsAt = Math.max(known.waitsAt, waitsAt);
      known.until = until;
    } else if (this.#watched.size < WATCHED) {
      const nothing = { fed: 0, seen: new Map<number, number>(), waitsSeen: 0, waitsFed: 0 };
      this.#watched.set(life, { id: entityId(entity), version, waitsAt, until, ...nothing });
    }
  }

  /** Looks until the signal ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    let askedAt = -Infinity;
    while (!signal.aborted) {
      if (Date.now() - askedAt >= WANTED_MS) {
        askedAt = Date.now();
        // While the store is unavailable, nobody can listen either.
        this.#wanted = await this.#feed.isWanted().catch(() => false);
        if (!this.#wanted) this.#forget();
      }
      // Nobody answers once the worker has ended.
      await Promise.race([this.#lookAtAll(signal), ended]);
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #lookAtAll(signal: AbortSignal): Promise<void> {
    const waiting = [...this.#watched];
    const [transitions, waits]: [TransitionRecord[], ToldWaits[]] = [[], []];
    const next = async (): Promise<void> => {
      for (let each = waiting.pop(); each && !signal.aborted; each = waiting.pop()) {
        const certain = await this.#look(...each);
        transitions.push(...certain.transitions);
        waits.push(...certain.waits);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    if (signal.aborted || (transitions.length === 0 && waits.length === 0)) return;
    try {
      await this.#feed.append({ transitions, waits });
    } catch {
      // The store is unavailable. The entities will bring this themselves.
      this.#forget();
      return;
    }
    for (const { entity, version } of transitions) {
      const watched = this.#watched.get(entity.life);
      if (watched) watched.fed = Math.max(watched.fed, version);
    }
    for (const told of waits) this.#noteFed(told);
    for (const [life, { fed, version, waitsFed, waitsAt }] of this.#watched) {
      if (fed >= version && waitsFed >= waitsAt) this.#watched.delete(life);
    }
  }

  #noteFed({ life, waits, at }: ToldWaits): void {
    const watched = this.#watched.get(life);
    if (watched) watched.waitsFed = Math.max(watched.waitsFed, at);
    if (waits.length === 0) this.#waiting.delete(life);
    else if (this.#waiting.size < WATCHED) this.#waiting.add(life);
  }

  #forget(): void {
    this.#watched.clear();
    this.#waiting.clear();
  }

  /** Gives what is certain by now. witness.2 */
  async #look(life: string, watched: Watched): Promise<Certain> {
    const told = await this.#ask(watched.id, watched.fed).catch((thrown: unknown) => {
      if (isOver(thrown)) this.#watched.delete(life);
      return undefined;
    });
    // Another life of the key: whoever ends brings everything before.
    if ((told && told.life !== life) || watched.until < Date.now()) this.#watched.delete(life);
    if (!told || told.life !== life) return { transitions: [], waits: [] };
    const certain = told.transitions.filter(({ version, at }) => watched.seen.get(version) === at);
    watched.seen = new Map(told.transitions.map(({ version, at }) => [version, at]));
    const { waits } = told;
    const isWanted = waits !== undefined && watched.waitsAt > watched.waitsFed;
    const isCertain = isWanted && waits.at >= watched.waitsAt && waits.at === watched.waitsSeen;
    watched.waitsSeen = waits?.at ?? 0;
    // The entity has brought everything itself.
    if (told.transitions.length === 0 && !isWanted) this.#watched.delete(life);
    return { transitions: certain, waits: isCertain ? [waits] : [] };
  }
}

/** Asks entities by Temporal's query. */
export function askTransitions({ connection, workflow }: Client): AskTransitions {
  const client = new WorkflowClient({ ...workflow.options, connection, queryRejectCondition: 'NOT_OPEN' });
  return (id, after) => {
    const ask = () => client.getHandle(id).query<PendingTransitions, [number]>(TRANSITIONS_QUERY, after);
    return client.withDeadline(Date.now() + ANSWER_MS, ask);
  };
}

/** Tells whether there is nobody to ask any more. */
function isOver(thrown: unknown): boolean {
  return [QueryRejectedError, WorkflowNotFoundError, QueryNotRegisteredError].some((kind) => thrown instanceof kind);
}
