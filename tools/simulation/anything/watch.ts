/*
 * The laws of values and times, as the actions themselves see them: they note what they wrote, and compare it with what they
 * read the next time.
 */
import { z } from 'zod';
import { abortsIn } from '../../../src/definition/busy.js';
import type { ActionContext, AnyEntity } from '../../../src/definition/index.js';
import { asList } from '../../../src/definition/names.js';
import { toMilliseconds } from '../../../src/definition/duration.js';
import { same } from './same.js';

type AnyContext = ActionContext<AnyEntity, string>;
type Contents = Pick<AnyContext, 'properties' | 'links' | 'subordinates'>;

interface Attempt {
  readonly attempt: number;
  readonly at: number;
  /** Tells whether it has set its own delay. */
  isFree: boolean;
}

export class Watch {
  readonly #written = new Map<string, Contents>();
  readonly #attempts = new Map<string, Attempt>();
  /** Each attempt with its time: what is seen again is a replay. */
  readonly #seen = new Set<string>();
  /** How many actions have begun, also those of replays. */
  actions = 0;
  /** The first thing that was wrong: the rule, and what broke it. */
  wrong: { readonly rule: string; readonly problem: string } | undefined;

  note(rule: string, problem: string): void {
    this.wrong ??= { rule, problem };
  }

  begins(entity: AnyEntity, app: AnyContext, action: string): void {
    this.actions++;
    const id = `${entity.name}/${app.key}`;
    const before = this.#written.get(`${id} ${String(app.properties['n'])}`);
    if (before) this.#compare(entity, `'${action}' of ${id}`, before, app);
    this.#keepsPace(entity, app, action);
  }

  /**
   * Keeps what the action leaves, should it be committed.
   *
   * @param key as the action was given it: code can write another one into its context
   */
  ends({ name }: AnyEntity, key: string, { properties, links, subordinates }: AnyContext): void {
    this.#written.set(`${name}/${key} ${String(properties['n'])}`, { properties, links, subordinates });
  }

  /**
   * An action that chooses its own delay says so.
   *
   * @param key as the action was given it: code can write another one into its context
   */
  paces(entity: AnyEntity, key: string, action: string): void {
    const last = this.#attempts.get(`${entity.name}/${key}/${action}`);
    if (last) last.isFree = true;
  }

  /** Checks that what was committed reads as it was written, or as the schema has made it. */
  #compare(entity: AnyEntity, who: string, before: Contents, now: Contents): void {
    const kept = readings(entity.properties, before.properties) as readonly Contents['properties'][];
    for (const name of Object.keys(entity.properties.shape)) {
      const [was, is] = [before.properties[name], now.properties[name]];
      if (same(was, is) || kept.some((each) => same(each[name], is))) continue;
      this.note('values read back as they were written', `${who} reads ${name} as ${told(is)}, which was ${told(was)}`);
    }
    for (const [collection, schema] of Object.entries(entity.subordinates)) {
      const [was, is] = [before.subordinates[collection] ?? {}, now.subordinates[collection] ?? {}];
      for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
        if (same(was[key], is[key]) || readings(schema, was[key]).some((each) => same(each, is[key]))) continue;
        const problem = `${who} reads ${collection}.${key} as ${told(is[key])}, which was ${told(was[key])}`;
        this.note('values read back as they were written', problem);
      }
    }
    for (const name of Object.keys(entity.links)) {
      const [was, is] = [before.links[name], now.links[name]];
      if (same(was ?? [], is ?? [])) continue;
      this.note('values read back as they were written', `${who} reads ${name} as ${told(is)}, which was ${told(was)}`);
    }
  }

  /** Another attempt comes no earlier than its declared delay. S3.5 */
  #keepsPace(entity: AnyEntity, app: AnyContext, action: string): void {
    const name = `${entity.name}/${app.key}/${action}`;
    const last = this.#attempts.get(name);
    // It is read once, always: when the action runs again, it has to read the same.
    const at = app.now();
    this.#attempts.set(name, { attempt: app.attempt, at, isFree: false });
    const seen = `${name} ${app.attempt} ${at}`;
    if (this.#seen.has(seen)) return;
    this.#seen.add(seen);
    const { retry } = entity.states[app.state]!;
    const { on, wait } = entity.actions[action]!;
    // An aborted attempt has not failed: it runs again as soon as the event that goes first has ended.
    const mayBeAborted = Object.entries(entity.events).some(
      ([event, { in: places }]) => asList(places).includes(app.state) && abortsIn(entity, event, app.state),
    );
    if (on !== undefined || mayBeAborted || !last || last.isFree || app.attempt !== last.attempt + 1) return;
    const { delay = '1s', maxDelay } = retry ?? {};
    // A wait that the action declares replaces the delay when it goes to its own state.
    const least = Math.min(
      ...[delay, maxDelay, wait].flatMap((each) => (each === undefined ? [] : toMilliseconds(each))),
    );
    const took = at - last.at;
    // A replay of an earlier attempt can come between: it is in the past.
    if (took >= least || took < 0) return;
    this.note(
      'retries wait as declared',
      `'${action}' of ${name} is tried again after ${took} ms, and declares ${least} ms`,
    );
  }
}

/**
 * Reads what a schema makes of a value, of its stored form, and of its plain copy, which it can take where it cannot the value: an
 * object without a prototype is no text.
 */
function readings(schema: z.ZodType, value: unknown): readonly unknown[] {
  const plain = (of: unknown) => JSON.parse(JSON.stringify(of)) as unknown;
  const makes: readonly (() => unknown)[] = [
    () => schema.parse(value),
    () => z.decode(schema, plain(z.encode(schema, value))),
    () => schema.parse(plain(value)),
  ];
  return makes.flatMap((make) => attempt(() => [make()]) ?? []);
}

export function told(value: unknown): string {
  const text = attempt(() =>
    typeof value === 'object' ? (JSON.stringify(value) ?? 'nothing') : `${typeof value} ${String(value)}`,
  );
  const kind = typeof value === 'object' && value !== null ? (attempt(() => value.constructor?.name) ?? 'object') : '';
  return `${kind} ${text ?? 'untellable'}`.trim().slice(0, 120);
}

export function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
