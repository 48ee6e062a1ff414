import { InvariantViolated } from './violation.js';
import type { EndedAction, Fact, Invariant, Overview, Subject } from './fact.js';
import type { Sight } from './sight.js';
import type { ErrorRecord } from '../protocol/error-record.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { placesIn } from '../protocol/thrown-at.js';
import type { Trace } from './trace.js';

/** Tells every fact to every invariant, and stops the simulation when one is broken. */
export class Witness {
  readonly #invariants: readonly Invariant[];
  readonly #seed: number;
  readonly #trace: Trace;
  readonly #overview: Overview;
  readonly #last = new Map<string, Snapshot>();
  readonly #running = new Map<
    string,
    { readonly action: string; readonly properties: string; readonly handedOver: boolean }
  >();
  readonly #ended = new Map<string, EndedAction>();
  step = 0;

  constructor(invariants: readonly Invariant[], seed: number, trace: Trace, overview: Overview) {
    this.#invariants = invariants;
    this.#seed = seed;
    this.#trace = trace;
    this.#overview = overview;
  }

  tell(fact: Fact): void {
    for (const invariant of this.#invariants) {
      const problem = invariant.hear(fact, this.#overview);
      if (problem !== undefined) throw this.violation(invariant.name, problem);
    }
  }

  violation(invariant: string, problem: string): InvariantViolated {
    return new InvariantViolated({
      invariant,
      problem,
      seed: this.#seed,
      step: this.step,
      trace: this.#trace.lines(),
    });
  }

  /** Takes in what was seen of an entity in a recorded task. */
  see(by: Subject, sights: readonly Sight[]): void {
    for (const sight of sights) {
      switch (sight.kind) {
        case 'started': {
          this.#change(by, sight.snapshot);
          const { action, snapshot, properties } = sight;
          const before = this.#running.get(by.life);
          if (before?.handedOver && before.action === action) {
            this.#running.set(by.life, { ...before, handedOver: false });
            break;
          }
          if (before) {
            throw this.violation('one action at a time', `${by.id} starts '${action}' while '${before.action}' runs`);
          }
          this.#running.set(by.life, { action, properties, handedOver: false });
          this.tell({ kind: 'started', by, action, snapshot });
          break;
        }
        case 'ended': {
          const { action, threw, successors } = sight;
          const started = this.#running.get(by.life);
          this.#running.delete(by.life);
          if (started) this.#ended.set(by.life, { action, threw, propertiesBefore: started.properties, successors });
          break;
        }
        case 'migrated': {
          const { before, after } = sight;
          this.#last.set(by.life, after);
          const words = inWords(before, after, 'migration');
          this.#trace.add(this.#overview.now, by.id, () => words);
          this.tell({ kind: 'migrated', by, before, after });
          break;
        }
        case 'decided':
          this.tell({ ...sight, by });
          break;
        case 'rest':
          this.#change(by, sight.reading as Snapshot);
      }
    }
  }

  /** The entity goes on in a new run. The code of an action that waits begins anew there, and is the same action. A1 */
  handedOver({ life }: Subject): void {
    const running = this.#running.get(life);
    // Its code had ended, and it waits for what has to hold before it is over.
    const ended = this.#ended.get(life);
    if (ended) this.#running.set(life, { action: ended.action, properties: ended.propertiesBefore, handedOver: true });
    else if (running) this.#running.set(life, { ...running, handedOver: true });
    this.#ended.delete(life);
  }

  #change(by: Subject, after: Snapshot): void {
    const before = this.#last.get(by.life);
    // An action whose code has ended is over when two things are known: whether the entities that it has reserved are sealed,
    // and whether the targets of its links exist. One that was aborted is over when its calls are. S1.1, S3.2, S3.6
    const { seals, awaits, endsBy } = after.running ?? {};
    const ended = seals || awaits || endsBy !== undefined ? undefined : this.#ended.get(by.life);
    if (before === after && !ended) return;
    this.#last.set(by.life, after);
    if (ended) this.#ended.delete(by.life);
    if (before && before.version !== after.version) {
      const words = inWords(before, after, ended?.action);
      this.#trace.add(this.#overview.now, by.id, () => words);
    }
    this.tell({ kind: 'changed', by, before, after, ...(ended && { ended }) });
  }
}

function inWords(before: Snapshot, after: Snapshot, action: string | undefined): string {
  const move = before.state === after.state ? `stays ${after.state}` : `${before.state} -> ${after.state}`;
  const { lastError } = after;
  const error = lastError && lastError !== before.lastError ? `, ${errorInWords(lastError)}` : '';
  return `${move} by '${action}', version ${after.version}${error}`;
}

/** A defect is told with the place of the code that has thrown it. */
function errorInWords({ code, message, stack }: ErrorRecord): string {
  const [place] = placesIn(stack ?? '');
  return `error ${code}: ${message}${place === undefined ? '' : ` ${place}`}`;
}
