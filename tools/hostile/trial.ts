import type { Client } from '@temporalio/client';
import { stripVTControlCharacters } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { formatExplanation } from '../../src/cli/explanation/view.js';
import type { ReeveClient } from '../../src/client/client.js';
import { messageOf } from '../../src/definition/thrown.js';
import { entityId, type EntityRef } from '../../src/protocol/names.js';
import type { ErrorRecord } from '../../src/protocol/error-record.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { patiently } from '../replay/patience.js';
import { Ping, Pong, Rearming, Wretch } from './definitions.js';
import type { Expected } from './kinds.js';

/** The outcome of one attempt. */
export interface Seen {
  /** For the table. */
  readonly words: string;
  readonly right: boolean;
}

/** How long the event may take to begin, in milliseconds. */
const BEGINS_MS = 1_500;
/** Thousands of calls in a row take minutes on a busy machine. */
const ENDS_WITHIN_MS = 300_000;
/** After which time something that waits is looked at. */
const WAITS_MS = 4_000;
/** The patterns of what the explanation says of those that go on. */
const WAITS: Partial<Record<Expected, RegExp>> = { waits: /something outside of Reeve/, calls: /outside\.long/ };
/** How long something that goes round may do so: it ends after 500 actions, which take minutes on a busy machine. */
const ROUNDS_MS = 300_000;
/** The longest message that somebody reads, in characters. */
const LONGEST_MESSAGE = 4_000;

/** Lets one entity do what the kind says, and judges what comes of it. */
export class Trial {
  readonly #client: Client;
  readonly #reeve: ReeveClient;

  constructor(client: Client, reeve: ReeveClient) {
    this.#client = client;
    this.#reeve = reeve;
  }

  async attempt(kind: string, expected: Expected, number: number): Promise<Seen> {
    const key = `${kind.replace(':', '-')}-${number}`;
    if (kind === 'pingPong') return this.#pingPong(key);
    if (expected === 'bounded') return this.#goesRound(kind, key);
    const ref = { type: 'Wretch', key };
    try {
      await patiently('create', () => this.#reeve.create(Wretch, key, 'create'));
      // The answer may come only when the action has ended. Without one, the caller raises the event again, as its users do.
      let unanswered: unknown;
      patiently('act', () => this.#reeve.raise(Wretch, key, 'act', { kind }, { requestId: key })).catch(
        (thrown: unknown) => (unanswered = thrown),
      );
      await delay(BEGINS_MS);
      const waits = WAITS[expected];
      const seen = waits ? await this.#waits(ref, waits) : await this.#ends(ref, expected);
      return unanswered === undefined || seen.right
        ? seen
        : { ...seen, words: `${seen.words}; its event had no answer: ${messageOf(unanswered)}` };
    } finally {
      await this.#terminate(ref);
    }
  }

  async #ends(ref: EntityRef, expected: Expected): Promise<Seen> {
    const until = performance.now() + ENDS_WITHIN_MS;
    for (;;) {
      const snapshot = await this.#read(ref, until - performance.now());
      if (!snapshot) return { words: await this.#explained(ref), right: false };
      if (snapshot.state === 'Resting' && snapshot.properties['kind'] !== '')
        return { words: 'kept', right: expected === 'kept' || expected === 'any' };
      if (snapshot.state === 'Broken') return failed(snapshot.failure ?? snapshot.lastError, expected);
      if (performance.now() > until) return { words: `${snapshot.state}: ${await this.#explained(ref)}`, right: false };
      await delay(200);
    }
  }

  async #waits(ref: EntityRef, known: RegExp): Promise<Seen> {
    await delay(WAITS_MS);
    const words = await this.#explained(ref);
    return { words, right: known.test(words) };
  }

  /** Gives what the explanation says of the entity. */
  async #explained(ref: EntityRef): Promise<string> {
    const explanation = await patiently('explain', () => this.#reeve.explain(ref), ENDS_WITHIN_MS);
    return (
      explanation.stuck[0]?.message ?? stripVTControlCharacters(formatExplanation(explanation)).replace(/\s+/g, ' ')
    );
  }

  /** The one that must not raise again is told so: its operation has the error, and neither entity fails. */
  async #pingPong(key: string): Promise<Seen> {
    try {
      await this.#reeve.create(Pong, key, 'create');
      await this.#reeve.create(Ping, key, 'create');
      const { outcome, errors } = await this.#reeve.perform(Ping, key, 'strike');
      const words = errors.map(({ code, message }) => `${code}: ${message}`).join('; ');
      return { words: words || outcome, right: errors.some(({ code }) => code === 'infinite_loop') };
    } finally {
      await Promise.all(['Ping', 'Pong'].map((type) => this.#terminate({ type, key })));
    }
  }

  async #goesRound(kind: string, key: string): Promise<Seen> {
    const ref = await this.#beginRound(kind, key);
    try {
      const until = performance.now() + ROUNDS_MS;
      let before = '';
      for (;;) {
        const snapshot = await this.#read(ref, ROUNDS_MS);
        const error = snapshot?.failure ?? snapshot?.lastError;
        const now = JSON.stringify(snapshot?.properties);
        if (error && now === before) return { words: `${error.code}: ${error.message}`, right: true };
        if (performance.now() > until) return { words: `goes on: ${now}`, right: false };
        before = now;
        await delay(2_000);
      }
    } finally {
      await this.#terminate(ref);
    }
  }

  async #beginRound(kind: string, key: string): Promise<EntityRef> {
    if (kind === 'rearming') {
      await this.#reeve.create(Rearming, key, 'create');
      return { type: 'Rearming', key };
    }
    await this.#reeve.create(Wretch, key, 'create');
    await this.#reeve.raise(Wretch, key, 'poke');
    return { type: 'Wretch', key };
  }

  /** Nothing when it gives no answer in time. */
  async #read(ref: EntityRef, withinMs: number): Promise<Snapshot | undefined> {
    return patiently('read', () => this.#reeve.read(ref), withinMs).then(
      ({ snapshot }) => snapshot,
      () => undefined,
    );
  }

  async #terminate(ref: EntityRef): Promise<void> {
    await this.#client.workflow.getHandle(entityId(ref)).terminate('the trial is over');
  }
}

function failed(error: Pick<ErrorRecord, 'code' | 'message'> | undefined, expected: Expected): Seen {
  if (!error) return { words: 'it tells no error', right: false };
  const { code, message } = error;
  const names = /\b(bag|text|count|record)\b/.test(message);
  const right =
    ['any', 'fails'].includes(expected) ||
    (expected === 'refused' && names) ||
    (expected === 'holds' && message.includes('held up its whole worker'));
  return { words: `${code}: ${message}`, right: right && message.length <= LONGEST_MESSAGE };
}
