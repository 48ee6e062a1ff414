/*
 * Runs code of one's own for a tree. The tree knows how far it is: in a new run, the code is run again over its journal.
 *
 * handler-host.1. Code gets one answer at a time, in a new run and before (turns.1): so it takes the same way.
 * handler-host.2. Whatever it asks for at a place is what it asked for there in an earlier run. Otherwise it fails, and gets no answer
 *     any more: each could be the answer to something else.
 */
import { CallFailed, Defect } from '../../definition/action-errors.js';
import type { Call } from '../../definition/resource.js';
import { plain } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { Json } from '../description/description.js';
import type { Effect } from '../tree/effect.js';
import type { Ask, Input } from '../tree/input.js';
import type { Failure, Result } from '../tree/result.js';
import type { RunningHandler } from '../tree/tree.js';
import { valueFingerprint } from '../../protocol/fingerprint.js';
import type { Handlers, AnyComponent } from './component.js';
import type { OwnSelf } from './own-self.js';
import { LONGEST_CODE } from '../../definition/limits.js';
import { cut, member, messageOf } from '../../definition/thrown.js';
import { Turns, type Quiet } from './turns.js';

/** Describes what it needs of the shell. */
export interface HandlerShell extends Quiet {
  /** Gives the tree an input. */
  tell(input: Input): void;
  now(): number;
}

/** Runs the code of components of one's own, and records what it asks for in a journal. */
export class HandlerHost {
  readonly #shell: HandlerShell;
  readonly #components: ReadonlyMap<string, AnyComponent>;
  readonly #running = new Map<string, Running>();

  constructor(components: readonly AnyComponent[], shell: HandlerShell) {
    this.#shell = shell;
    this.#components = new Map(components.map((each) => [each.kind.name, each]));
  }

  /** Leaves all code to the next run. */
  leave(): void {
    for (const running of this.#running.values()) running.drop();
    this.#running.clear();
  }

  /** Carries out the effects that are about handlers; of others it says `false`. */
  take(effect: Effect): boolean {
    switch (effect.kind) {
      case 'run': {
        const own = this.#components.get(effect.of);
        if (!own) throw new RangeError(`No component '${effect.of}' is known. Name it to the host of the tree.`);
        const running = new Running(this.#shell, effect.component, effect.handler);
        this.#running.set(effect.handler.key, running);
        void running.run(own).then((result) => {
          if (this.#running.delete(effect.handler.key)) {
            this.#shell.tell({ at: this.#shell.now(), kind: 'returned', handler: effect.handler.key, result });
          }
        });
        return true;
      }
      case 'resume':
        this.#running.get(effect.handler)?.tell(effect);
        return true;
      case 'drop':
        this.#running.get(effect.handler)?.drop();
        this.#running.delete(effect.handler);
        return true;
      default:
        return false;
    }
  }
}

/** One execution of a handler. */
class Running {
  readonly #shell: HandlerShell;
  readonly #path: string;
  readonly #handler: RunningHandler;
  readonly #waiting = new Map<number, (result: Result) => void>();
  readonly #turns: Turns;
  #next = 0;
  #now: number;
  #dropped = false;
  #failNow!: (thrown: unknown) => void;

  constructor(shell: HandlerShell, path: string, handler: RunningHandler) {
    this.#shell = shell;
    this.#path = path;
    this.#handler = handler;
    this.#now = handler.at;
    this.#turns = new Turns(shell, (thrown) => this.#failNow(thrown));
    for (const told of handler.journal) this.tell(told);
  }

  async run({ handlers, kind }: AnyComponent): Promise<Result> {
    const code = (handlers as Handlers<unknown>)[this.#handler.handler];
    try {
      const attributes = kind.attributes.safeParse(this.#handler.attributes);
      if (!attributes.success) {
        const [issue] = attributes.error.issues;
        return failure('attribute_wrong', `Attribute '${issue!.path.join('.')}' of ${this.#path}: ${issue!.message}.`);
      }
      const failed = new Promise<never>((_, reject) => (this.#failNow = reject));
      const ended = (code as Code)(this.#self(attributes.data), this.#handler.argument ?? null);
      const output = await Promise.race([failed, ended]);
      return output === undefined ? {} : { output: json(output, 'What it returns') };
    } catch (thrown) {
      const { code, message } = thrownBy(thrown);
      return failure(code, message);
    }
  }

  /** Tells it an answer, in its turn. handler-host.1 */
  tell({ place, at, result }: Told): void {
    this.#turns.take(() => {
      if (this.#dropped) return;
      this.#now = at;
      this.#waiting.get(place)?.(result);
      this.#waiting.delete(place);
    });
  }

  drop(): void {
    this.#dropped = true;
  }

  #self(attributes: unknown): OwnSelf<unknown> {
    return {
      path: this.#path,
      attributes,
      now: () => this.#now,
      call: (call, input) => this.#call(call, json(input, `The input of '${call.activity}'`)) as never,
      send: (event) => this.#ask({ kind: 'send', event: json(event, 'The event') }),
      set: (name, value) =>
        this.#ask({ kind: 'set', name, ...(value !== undefined && { value: json(value, `The attribute '${name}'`) }) }),
      end: (type = 'normal', description = 'it has ended itself') => this.#ask({ kind: 'end', type, description }),
    };
  }

  #call({ activity, shape }: Call, input: Json): Promise<unknown> {
    const place = this.#next;
    const answer = new Promise<Result>((resolve) => this.#waiting.set(place, resolve));
    this.#ask({ kind: 'call', activity, input });
    return answer.then((result) => {
      if ('error' in result) throw new CallFailed(activity, result.error.code, result.error.message);
      return shape.output.parse(result.output);
    });
  }

  /** Asks, though not again for what an earlier run has asked for already. handler-host.2 */
  #ask(ask: Ask): void {
    const place = this.#next++;
    if (this.#dropped) return;
    const before = this.#handler.asked[place];
    if (before === undefined) {
      this.#shell.tell({ at: this.#shell.now(), kind: 'asked', handler: this.#handler.key, place, ask });
    } else if (before !== valueFingerprint(ask)) {
      this.drop();
      this.#failNow(changed(this.#path, this.#handler.handler, place, ask));
    }
  }
}

function changed(path: string, handler: string, place: number, ask: Ask): Defect {
  const now = ask.kind === 'call' ? `a call of '${ask.activity}'` : `'${ask.kind}'`;
  const problem = `'${handler}' of ${path || 'the root'} runs again, because its deployment continued as new. Its request number ${place + 1}, ${now}, differs from the one before`;
  const remedy = 'Make its requests depend only on its attributes, its event, now() and earlier answers';
  return new Defect('action_changed', `${problem}. ${remedy}.`);
}

type Told = RunningHandler['journal'][number];
type Code = (self: OwnSelf<unknown>, argument: Json) => Promise<Json | undefined>;

/** A copy of what the code gives. @throws Defect where it is no JSON */
function json<T>(given: T, what: string): T & Json {
  const checked = plain(given);
  if (checked.valid) return checked.value as T & Json;
  throw new Defect('unstorable_value', `${what} cannot be sent: ${describeIssues(checked.issues)}`);
}

function failure(code: string, message: string): { readonly error: Failure } {
  return { error: { code, message } };
}

/** Tells in short what code of one's own has thrown. S1.5a */
function thrownBy(thrown: unknown): Failure {
  const code = member(thrown, 'code');
  return { code: typeof code === 'string' ? cut(code, LONGEST_CODE) : 'defect', message: messageOf(thrown) };
}
