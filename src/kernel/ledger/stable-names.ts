/*
 * The names of what an action asks for. They are the same in all of its attempts, and idempotency keys and event ids are made of
 * them. S3.4
 *
 * stable-names.1. A name counts what the action has asked for. Answers to what it does side by side come in another order in each
 *     attempt, and so does what it asks for next. So an attempt that asks for what an earlier one has asked for takes its name.
 * stable-names.2. A name that was answered stands for one content, in all attempts. A resource that honours keys would not do
 *     something else under it, and the action would take the old answer for the new one.
 * stable-names.3. While something else is under way, whoever asks for other content under a name may be another branch of the code.
 *     It gets a name of its own. When nothing is, the code has changed what it asks for.
 * stable-names.4. Only so many are remembered: those that came first, since they are what another attempt repeats first.
 * stable-names.5. An event that stays may change what the entity holds between two attempts. What the next attempt then asks for
 *     otherwise is other work, with a name of its own; what it asks for again is not.
 * stable-names.6. An inline call is made before its task is in history. When that task is lost, branches of the code may go on in
 *     another order. So its name is made of its content, and not of a count: no two inputs share a key.
 */
import { Defect } from '../../definition/action-errors.js';
import { valueFingerprint } from '../../protocol/fingerprint.js';
import { entityId } from '../../protocol/names.js';
import type { AskedNames, Snapshot } from '../../protocol/snapshot.js';

/** How many names are remembered. stable-names.4 */
const REMEMBERED = 256;
/** Follows the fingerprint of what was answered. */
const ANSWERED = '!';
/** Follows what was asked for before an event has changed what the entity holds. stable-names.5 */
const OUTDATED = '~';

/** The code of such an error. No other attempt can mend it, but an operator's retry has new keys. */
export const KEY_REUSED = 'key_reused';

/** Something that an action asks for. */
export interface Named {
  /** By entry into the state and action: `1/fill/disks.create/3`. */
  readonly name: string;
  /** The fingerprint of its content. */
  readonly print: string;
}

/** Gives names in one attempt of an action. */
export class StableNames {
  readonly #execution: string;
  readonly #earlier: AskedNames;
  readonly #taken = new Set<string>();
  #count = 0;

  /**
   * @param execution names the entry into the state and the action
   * @param earlier what earlier attempts have asked for
   */
  constructor(execution: string, earlier: AskedNames = {}) {
    this.#execution = execution;
    this.#earlier = earlier;
  }

  /** How many names were given. */
  get count(): number {
    return this.#count;
  }

  /**
   * @param isAlone whether nothing else is under way
   * @param isInline whether it is made before anything of it is in history. stable-names.6
   */
  give(what: string, content: unknown, isAlone: boolean, isInline = false): Named {
    this.#count++;
    const print = valueFingerprint(content);
    const name =
      this.#before(`${this.#execution}/${what}/`, print) ??
      this.#next(`${this.#execution}/${what}/${isInline ? print : this.#count}`, isAlone);
    this.#taken.add(name);
    return { name, print };
  }

  /** stable-names.1 */
  #before(prefix: string, print: string): string | undefined {
    for (const name in this.#earlier) {
      if (this.#earlier[name]!.startsWith(print) && name.startsWith(prefix) && !this.#taken.has(name)) return name;
    }
    return undefined;
  }

  /** stable-names.3, stable-names.5 */
  #next(name: string, isAlone: boolean): string {
    let mayRepeat = isAlone;
    for (let branch = 1; ; branch++) {
      const own = branch === 1 ? name : `${name}.${branch}`;
      const earlier = Object.hasOwn(this.#earlier, own) ? this.#earlier[own] : undefined;
      const isOutdated = earlier?.endsWith(OUTDATED) ?? false;
      if (!this.#taken.has(own) && (earlier === undefined || (mayRepeat && !isOutdated))) return own;
      mayRepeat &&= isOutdated;
    }
  }
}

/** The running action asks for this. */
export function noteAsked(snapshot: Snapshot, { name, print }: Named): Snapshot {
  const { running } = snapshot;
  if (!running) return snapshot;
  const { asked = {} } = running;
  if (Object.hasOwn(asked, name) || Object.keys(asked).length >= REMEMBERED) return snapshot;
  return { ...snapshot, running: { ...running, asked: { ...asked, [name]: print } } };
}

/** A call of the running action was answered. */
export function noteAnswered(snapshot: Snapshot, { name, print }: Named): Snapshot {
  const { running } = snapshot;
  if (!running?.asked || !Object.hasOwn(running.asked, name)) return snapshot;
  return { ...snapshot, running: { ...running, asked: { ...running.asked, [name]: `${print}${ANSWERED}` } } };
}

/** @throws Defect where an earlier attempt was answered to another input. stable-names.2 */
export function refuseOtherInput(
  snapshot: Snapshot,
  { name, print }: Named,
  call: string,
  idempotencyKey: string,
): void {
  const before = snapshot.asked?.[name];
  if (!before?.endsWith(ANSWERED) || before.startsWith(print)) return;
  const problem =
    `The action '${snapshot.running?.action}' of ${entityId(snapshot)} calls ${call} under the key ${idempotencyKey}, ` +
    'which an earlier attempt has used for another input, and was answered';
  const remedy =
    'Going to its own state, or failing, is another attempt of the same work, with the same keys. For the next piece of work, end the ' +
    "action by nextRound(). To ask the same in each attempt, take the input from what the entity holds. An operator's retry runs the " +
    'action under new keys';
  throw new Defect(KEY_REUSED, `${problem}. ${remedy}`);
}

/** Gives what is remembered when the running action ends and may run again under the same names. */
export function keptNames({ asked, running }: Snapshot): { readonly asked?: AskedNames } {
  if (!asked && !running?.asked) return {};
  const all = Object.entries({ ...asked, ...keptAnswered(asked, running?.asked) });
  return { asked: Object.fromEntries(all.slice(0, REMEMBERED)) };
}

/** Notes that an event has changed what the entity holds. stable-names.5 */
export function outdated(asked: AskedNames): AskedNames {
  return Object.fromEntries(
    Object.entries(asked).map(([name, print]) => [name, print.endsWith(OUTDATED) ? print : `${print}${OUTDATED}`]),
  );
}

/** The names of the latest attempt. What was answered in an earlier one stays answered. */
function keptAnswered(earlier: AskedNames = {}, latest: AskedNames = {}): AskedNames {
  const entries = Object.entries(latest);
  return Object.fromEntries(
    entries.map(([name, print]) => {
      const answered = `${print}${ANSWERED}`;
      return [name, earlier[name]?.startsWith(answered) ? answered : print];
    }),
  );
}

/** The snapshot from which whatever the automatic action does has new names, in the same state. */
export function withNewNames(snapshot: Snapshot): Snapshot {
  const { asked: _asked, callbacks: _callbacks, rejectedRaises: _rejected, ...rest } = snapshot;
  return { ...rest, entry: snapshot.entry + 1 };
}
