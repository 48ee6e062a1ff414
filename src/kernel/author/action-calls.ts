/*
 * The calls of resources that the running action makes, one by one, many at once, and as trees of components.
 */
import { Aborted, CallFailed } from '../../definition/action-errors.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { CallMode } from '../../definition/resource.js';
import { beginStep, endStep, noteRestarts, queueSteps } from '../callbacks/call-steps.js';
import type { Unwanted } from '../callbacks/gathering.js';
import { noteAnswered, noteAsked, refuseOtherInput } from '../ledger/stable-names.js';
import { unchained } from '../rules/chain.js';
import { runTree, type TreeToRun } from './action-tree.js';
import { Aftermath } from './aftermath.js';
import type { Asking } from './asking.js';
import { collect, type CollectTerms, type Wanted } from './collecting.js';
import type { CallAnswer } from '../run/driver.js';
import type { Following } from '../run/following.js';
import type { HandOver } from './hand-over.js';
import { checkInput } from './input-size.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { PlacedCall } from '../run/placed-call.js';

export class ActionCalls {
  readonly #live: LiveEntity;
  readonly #following: Following;
  readonly #asking: Asking;
  readonly #handOver: HandOver;
  /** All that may outlast the action. */
  readonly aftermath: Aftermath;

  constructor(live: LiveEntity, following: Following, asking: Asking, handOver: HandOver) {
    this.#live = live;
    this.#following = following;
    this.#asking = asking;
    this.#handOver = handOver;
    this.aftermath = new Aftermath(live);
  }

  /**
   * Makes a call, and gives its output.
   * @param wanted until when the answer is wanted
   * @throws CallFailed, Aborted, Defect
   */
  async call(placed: PlacedCall, wanted?: Wanted): Promise<unknown> {
    if (this.#aborted) throw new Aborted(`The action was aborted before it called '${placed.call.activity}'.`);
    checkInput(placed, this.#live.snapshot);
    return this.#call(placed, wanted);
  }

  /** Makes many calls, until they are decided. A3 */
  collect(calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
    const live = this.#live;
    const { driver } = live;
    const host = {
      call: (placed: PlacedCall, wanted: Wanted) => this.call(placed, wanted),
      isInline: ({ place }: PlacedCall) => {
        const mode = live.snapshot.running?.calls?.steps.find((step) => step.place === place)?.mode;
        return mode === undefined ? undefined : mode === 'inline';
      },
      cancel: (keys: readonly string[]) => driver.cancelCalls(keys),
      queue: (more: number) => live.change((snapshot) => queueSteps(snapshot, more)),
      aborted: () => this.#aborted,
      wait: (holds: () => boolean, until: number | undefined, summary: string) =>
        until === undefined
          ? driver.until(holds)
          : live.outlast(() => driver.until(holds, until - live.now(), summary)),
    };
    return collect(host, calls, terms);
  }

  /** Runs a tree of components to its end. W1 */
  runTree(tree: TreeToRun): Promise<EndRecord> {
    const live = this.#live;
    const { driver } = live;
    if (this.#aborted) throw new Aborted('The action was aborted before it ran components.');
    return runTree(driver.trees, tree, {
      now: () => live.now(),
      until: async (predicate, timeoutMs, summary) => {
        const met = await live.outlast(() => driver.until(predicate, timeoutMs, summary));
        if (!met) live.change((each) => unchained(each, live.now()));
        return met;
      },
      quiet: () => driver.quiet(),
      moment: () => driver.moment(),
      aborted: () => this.#aborted,
      call: (placed) => {
        checkInput(placed, live.snapshot);
        return this.#call(placed);
      },
      cancel: (keys) => driver.cancelCalls(keys),
      tell: (id, message) => driver.tellDeployment(id, message),
    });
  }

  get #aborted(): boolean {
    return this.#live.snapshot.running?.aborted === true;
  }

  async #call(placed: PlacedCall, wanted?: Wanted): Promise<unknown> {
    const live = this.#live;
    const { named, idempotencyKey, place } = placed;
    refuseOtherInput(live.snapshot, named, placed.call.activity, idempotencyKey);
    const mode = live.driver.modeOf(placed);
    const call = { ...placed.call, shape: { ...placed.call.shape, answer: mode } };
    const made = { ...placed, call, ...(mode === 'inline' && wanted && { limit: wanted.limit }) };
    this.aftermath.begin(made);
    live.change((snapshot) => noteAsked(beginStep(snapshot, { place, call: call.activity, mode }, live.now()), named));
    try {
      const { output, restarts } = await this.#make(made, mode, wanted?.unwanted);
      live.change((snapshot) => {
        const ended = endStep(noteRestarts(snapshot, place, restarts), place, live.now());
        return noteAnswered(ended, named);
      });
      return output;
    } catch (thrown) {
      const why = this.#aborted ? undefined : wanted?.unwanted();
      const end = { thrown: why ? notWanted(call.activity, why) : thrown, superseded: why === 'superseded' };
      const restarts = thrown instanceof CallFailed ? thrown.restarts : 0;
      // It is shown as under way until it has ended.
      if (this.#aborted && this.aftermath.includes(placed)) throw thrown;
      live.change((snapshot) => endStep(noteRestarts(snapshot, place, restarts), place, live.now(), end));
      throw end.thrown;
    }
  }

  async #make(made: PlacedCall, mode: CallMode, unwanted?: () => Unwanted | undefined): Promise<CallAnswer> {
    if (mode === 'callback')
      return { output: await this.#handOver.amid(this.#asking.ask(made, unwanted)), restarts: 0 };
    const make = () => this.#live.driver.call(made);
    if (mode === 'inline') return make();
    this.#following.openInTime();
    return this.#live.outlast(make);
  }
}

/** How a call ended whose answer its collector wants no more. A3 */
function notWanted(activity: string, why: Unwanted): CallFailed {
  if (why === 'superseded')
    return new CallFailed(activity, 'superseded', `The collector of ${activity} was decided without its answer.`);
  return new CallFailed(
    activity,
    'call_timed_out',
    `The time of its collector was over before ${activity} was answered.`,
  );
}
