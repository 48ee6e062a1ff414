/*
 * Runs code of one's own for a tree. The tree knows how far it is: in a new run, the code is run again over its journal, each answer
 * after all that the one before it has set off.
 */
import { CallFailed } from '../../definition/action-errors.js';
import type { Call } from '../../definition/resource.js';
import type { Json } from '../description/description.js';
import type { Effect } from '../tree/effect.js';
import type { Ask, Input } from '../tree/input.js';
import type { Failure, Result } from '../tree/result.js';
import type { RunningHandler } from '../tree/tree.js';
import type { Handlers, AnyComponent } from './component.js';
import type { OwnSelf } from './own-self.js';
import { LONGEST_CODE } from '../../definition/limits.js';
import { cut, member, messageOf } from '../../definition/thrown.js';

/** What it needs of the shell. */
export interface HandlerShell {
  /** Gives the tree an input. */
  tell(input: Input): void;
  now(): number;
  /** Until all that could go on by itself has done so. */
  quiet(): Promise<void>;
}

export class HandlerHost {
  readonly #shell: HandlerShell;
  readonly #components: ReadonlyMap<string, AnyComponent>;
  readonly #running = new Map<string, Running>();

  constructor(components: readonly AnyComponent[], shell: HandlerShell) {
    this.#shell = shell;
    this.#components = new Map(components.map((each) => [each.kind.name, each]));
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
  /** What it has been told in earlier runs, and what came since. */
  readonly #left: Told[];
  #next = 0;
  #now: number;
  #dropped = false;

  constructor(shell: HandlerShell, path: string, handler: RunningHandler) {
    this.#shell = shell;
    this.#path = path;
    this.#handler = handler;
    this.#now = handler.at;
    this.#left = [...handler.journal];
  }

  async run({ handlers, kind }: AnyComponent): Promise<Result> {
    const code = (handlers as Handlers<unknown>)[this.#handler.handler];
    try {
      const attributes = kind.attributes.safeParse(this.#handler.attributes);
      if (!attributes.success) {
        const [issue] = attributes.error.issues;
        return failure('attribute_wrong', `Attribute '${issue!.path.join('.')}' of ${this.#path}: ${issue!.message}.`);
      }
      const ended = (code as Code)(this.#self(attributes.data), this.#handler.argument ?? null);
      void this.#replay();
      const output = await ended;
      return output === undefined ? {} : { output };
    } catch (thrown) {
      const { code, message } = thrownBy(thrown);
      return failure(code, message);
    }
  }

  /** Tells it an answer. While it is brought to where it was, that waits for its turn. */
  tell(answer: Told): void {
    if (this.#left.length === 0) this.#give(answer);
    else this.#left.push(answer);
  }

  drop(): void {
    this.#dropped = true;
  }

  async #replay(): Promise<void> {
    while (this.#left.length > 0) {
      await this.#shell.quiet();
      this.#give(this.#left[0]!);
      // It stays in the list until then, so that what comes meanwhile comes after it.
      this.#left.shift();
    }
  }

  #give({ place, at, result }: Told): void {
    this.#now = at;
    this.#waiting.get(place)?.(result);
    this.#waiting.delete(place);
  }

  #self(attributes: unknown): OwnSelf<unknown> {
    return {
      path: this.#path,
      attributes,
      now: () => this.#now,
      call: (call, input) => this.#call(call, input as Json) as never,
      send: (event) => this.#ask({ kind: 'send', event }),
      set: (name, value) => this.#ask({ kind: 'set', name, ...(value !== undefined && { value }) }),
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

  /** What an earlier run has asked for already is not asked for again. */
  #ask(ask: Ask): void {
    const place = this.#next++;
    if (this.#dropped || place < this.#handler.asked) return;
    this.#shell.tell({ at: this.#shell.now(), kind: 'asked', handler: this.#handler.key, place, ask });
  }
}

type Told = RunningHandler['journal'][number];
type Code = (self: OwnSelf<unknown>, argument: Json) => Promise<Json | undefined>;

function failure(code: string, message: string): { readonly error: Failure } {
  return { error: { code, message } };
}

/** What code of one's own has thrown, short. S1.5a */
function thrownBy(thrown: unknown): Failure {
  const code = member(thrown, 'code');
  return { code: typeof code === 'string' ? cut(code, LONGEST_CODE) : 'defect', message: messageOf(thrown) };
}
