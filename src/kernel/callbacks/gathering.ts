/*
 * All that a collector has gathered, and whether it goes on. A3
 *
 * gathering.1. It is decided at each arrival, and once: what comes after that changes nothing.
 * gathering.2. It ends when as many answers have come as the rule wants, or so many cannot come any more.
 * gathering.3. Each result or error stands in the place of its call.
 */
import { CollectFailed } from '../../definition/action-errors.js';
import type { CollectedAnswer, CollectedResult, CollectOptions, CollectRule } from '../../definition/collect.js';
import { COLLECTED_BYTES } from '../../definition/limits.js';
import { asDeclared } from '../../definition/duration.js';
import { jsonBytes } from '../../protocol/size-problem.js';
import { toErrorRecord } from '../../protocol/errors.js';

/** Why nobody wants the answer to a call any more: its collector was decided without it, or its time was over. */
export type Unwanted = 'superseded' | 'timed out';

const SUPERSEDED: CollectedResult = { status: 'superseded' };

export class Gathering {
  readonly #calls: readonly string[];
  readonly #wanted: number;
  readonly #counts: (output: unknown, place: number) => boolean;
  readonly #seen: (place: number, output: unknown) => unknown;
  readonly #results = new Map<number, CollectedResult>();
  readonly #answers: CollectedAnswer[] = [];
  #size = 0;
  #ended = false;
  #late = false;

  /**
   * @param calls what is called, `shipping.quote`, in the order of their places
   * @param seen what code sees of an output
   */
  constructor(
    calls: readonly string[],
    { until, match = () => true }: Pick<CollectOptions, 'until' | 'match'>,
    seen: (place: number, output: unknown) => unknown = (_, output) => output,
  ) {
    this.#seen = seen;
    this.#calls = calls;
    this.#wanted = wantedBy(until, calls.length);
    this.#counts = match;
    this.#decide();
  }

  /** Tells whether it is decided. gathering.2 */
  get ended(): boolean {
    return this.#ended;
  }

  /** Why nobody wants the answers any more that have yet to come. */
  get unwanted(): Unwanted {
    return this.#late ? 'timed out' : 'superseded';
  }

  /** @throws what the author's `match` throws */
  answered(place: number, given: unknown): void {
    if (this.#ended) return;
    this.#size += jsonBytes(given);
    if (this.#size > COLLECTED_BYTES) {
      const message = `All outputs of one collector together may have at most ${COLLECTED_BYTES} bytes of JSON.`;
      this.#results.set(place, { status: 'failed', code: 'too_large', message });
    } else {
      const output = this.#seen(place, given);
      this.#results.set(place, { status: 'answered', output });
      if (this.#counts(output, place)) this.#answers.push({ place, output });
    }
    this.#decide();
  }

  failed(place: number, thrown: unknown): void {
    if (this.#ended) return;
    const { code, message } = toErrorRecord(thrown);
    this.#results.set(place, { status: 'failed', code, message });
    this.#decide();
  }

  /** The time is over: whoever has not answered by now has failed to. */
  timedOut(withinMs: number): void {
    if (this.#ended) return;
    for (const [place, call] of this.#calls.entries()) {
      if (this.#results.has(place)) continue;
      const message = `${call} has not been answered within the ${asDeclared(withinMs)} of its collector.`;
      this.#results.set(place, { status: 'failed', code: 'call_timed_out', message });
    }
    this.#ended = true;
    this.#late = true;
  }

  /** The outcome of each call. */
  get results(): readonly CollectedResult[] {
    return this.#calls.map((_, place) => this.#results.get(place) ?? SUPERSEDED);
  }

  /**
   * The answers that count, in the order of their calls.
   * @throws CollectFailed
   */
  answers({ until, none = 'fail', several }: CollectOptions): readonly CollectedAnswer[] {
    const answers = [...this.#answers].sort((one, other) => one.place - other.place);
    const wanted = until === 'deadline' ? 0 : this.#wanted;
    if (answers.length === 0 && (wanted > 0 || this.#calls.length > 0)) {
      if (none === 'empty') return [];
      throw this.#failure(
        'no_answer',
        this.#tooFewCalls(wanted) ?? `No matching answer has arrived ${this.#inWords()}`,
      );
    }
    if (answers.length < wanted) {
      const few = this.#tooFewCalls(wanted) ?? `${answers.length} of ${wanted} answers have arrived ${this.#inWords()}`;
      throw this.#failure('too_few_answers', few);
    }
    if (answers.length < 2 || several === undefined) return answers;
    if (several === 'first') return answers.slice(0, 1);
    if (several !== 'fail') return [several(answers)];
    const places = answers.map(({ place }) => place + 1).join(', ');
    throw this.#failure('several_answers', `Only one answer is allowed, but the calls ${places} each gave one.`);
  }

  #decide(): void {
    const pending = this.#calls.length - this.#results.size;
    const possible = this.#answers.length + pending;
    this.#ended =
      this.#answers.length >= this.#wanted || pending === 0 || (this.#wanted !== Infinity && possible < this.#wanted);
  }

  /** So few calls do not do, whatever they answer. Nobody has waited for them. */
  #tooFewCalls(wanted: number): string | undefined {
    const made = this.#calls.length;
    return made < wanted ? `${made} calls cannot give ${wanted} answers.` : undefined;
  }

  #failure(code: CollectFailed['code'], message: string): CollectFailed {
    return new CollectFailed(code, message, this.results);
  }

  /** How many were asked, and how the first one failed. */
  #inWords(): string {
    const asked = `from ${this.#calls.length} calls`;
    const [first] = this.results.flatMap((result, place) => (result.status === 'failed' ? [{ ...result, place }] : []));
    return first
      ? `${asked}. ${this.#calls[first.place]} has failed with '${first.code}': ${first.message}`
      : `${asked}.`;
  }
}

function wantedBy(rule: CollectRule, calls: number): number {
  if (rule === 'all') return calls;
  if (rule === 'first') return 1;
  return rule === 'deadline' ? Infinity : rule.answers;
}
