/*
 * Runs the author's code of an action, from its beginning to the decision that its end makes. S2.4
 *
 * author.1. Actions run one at a time, and only here.
 */
import { checkComponents } from '../../components/index.js';
import { Defect, GivenUp, WaitRefused } from '../../definition/action-errors.js';
import type { AnyImplementation } from '../../definition/actions.js';
import { isThrown } from '../../definition/thrown.js';
import { toErrorRecord } from '../../protocol/errors.js';
import { ENDLESS_CODE } from '../../protocol/names.js';
import { abort, commit, fail, type ActionResult } from '../actions/commit.js';
import { mayRestart, postpone } from '../actions/postpone.js';
import { unqueueSteps } from '../callbacks/call-steps.js';
import { planDeployment } from '../deployments/plan.js';
import { KEY_REUSED } from '../ledger/stable-names.js';
import { releaseReservations } from '../reservations/holding.js';
import { targetsOf } from '../rules/link-target.js';
import type { Step } from '../rules/step.js';
import { sealings, unsealed } from '../successors/sealing.js';
import { endLeftAwaits, leaveAwaits } from '../waits/awaits.js';
import { ActionCalls } from './action-calls.js';
import { ActionJournal } from './action-journal.js';
import { ActionScope } from './action-scope.js';
import { Asking } from './asking.js';
import { Awaiting } from './awaiting.js';
import { Execution } from './execution.js';
import type { Following } from '../run/following.js';
import { HandOver } from './hand-over.js';
import type { LiveEntity } from '../run/live-entity.js';
import type { RunEnd } from '../run/run-end.js';

/** The codes of defects that each further attempt would have again. */
const HOPELESS: readonly string[] = [KEY_REUSED, ENDLESS_CODE];

/** The decision that the end of an action makes. */
type Decide = (snapshot: ReturnType<Execution['snapshot']>) => Step;

export class Author {
  readonly #implementation: AnyImplementation;
  readonly #live: LiveEntity;
  readonly #awaiting: Awaiting;
  readonly asking: Asking;
  readonly handOver: HandOver;
  readonly #calls: ActionCalls;

  constructor(implementation: AnyImplementation, live: LiveEntity, following: Following, end: RunEnd) {
    this.#implementation = implementation;
    this.#live = live;
    this.#awaiting = new Awaiting(live, following);
    this.asking = new Asking(live);
    this.handOver = new HandOver(live, end);
    this.#calls = new ActionCalls(live, following, this.asking, this.handOver);
  }

  /** Runs the action that has been started, to its end. */
  async execute(): Promise<undefined> {
    const live = this.#live;
    const { journal: carried, ...resumed } = live.snapshot.running!;
    if (carried) live.change((snapshot) => leaveAwaits(unqueueSteps({ ...snapshot, running: resumed })));
    const journal = new ActionJournal(live.driver, (thrown) => live.fail(thrown), carried);
    this.handOver.note(journal);
    const decide = await this.#run(journal);
    // The next run carries it out.
    if (live.left) await new Promise(() => undefined);
    this.handOver.note(undefined);
    live.apply(endLeftAwaits(live.snapshot));
    const { aftermath } = this.#calls;
    if (live.snapshot.running?.aborted) await aftermath.over();
    aftermath.clear();
    const before = live.snapshot;
    const step = before.running?.aborted ? abort(live.entity, before, live.now()) : decide(before);
    live.apply(releaseReservations(before, step, live.now(), unsealed(before, step)));
    return undefined;
  }

  async #run(journal: ActionJournal): Promise<Decide> {
    const { entity, driver } = this.#live;
    const action = this.#implementation.actions[this.#live.snapshot.running!.action]!;
    let scope: ActionScope | undefined;
    try {
      const execution = new Execution(this.#live, journal, this.#calls, this.#awaiting, this.handOver);
      scope = new ActionScope(entity, execution);
      const { context, params } = scope;
      const code = () => action(context as never, { params } as never);
      const { endless } = driver;
      const returned = await (endless ? endless.run(this.#live.snapshot, () => journal.silence(), code) : code());
      if (journal.change) throw journal.change;
      const result = this.#planned(scope.end(returned));
      const others = this.#requireOthers(result);
      if (others) await others;
      return (snapshot) => commit(entity, snapshot, result, driver.now());
    } catch (caught) {
      scope?.abandon();
      const thrown = journal.change ?? caught;
      const error = toErrorRecord(thrown);
      const final = isThrown(thrown, GivenUp) || (isThrown(thrown, Defect) && HOPELESS.includes(thrown.code));
      return (snapshot) =>
        isThrown(thrown, WaitRefused) && thrown.reserves && mayRestart(snapshot)
          ? postpone(snapshot, thrown.cycle, driver.now())
          : fail(entity, snapshot, error, driver.now(), final, scope?.retryAfterMs);
    }
  }

  /** Waits until all targets of its links are known to exist, and all that it has reserved promise to admit its events. */
  #requireOthers(result: ActionResult): Promise<void> | undefined {
    const { entity, snapshot } = this.#live;
    const targets = targetsOf(entity, snapshot, result);
    const sealed = () => {
      const wanted = sealings(this.#live.snapshot, result.raises);
      return wanted.length > 0 ? this.handOver.amid(this.#awaiting.seal(wanted)) : undefined;
    };
    if (targets.length === 0) return sealed();
    return this.handOver.amid(this.#awaiting.requireTargets(targets, {})).then(sealed);
  }

  /** The result of an action, with what the state deploys to which it goes. @throws what the author's description throws */
  #planned(result: ActionResult): ActionResult {
    const { driver, snapshot } = this.#live;
    const deploys = planDeployment(this.#implementation, snapshot, result);
    if (deploys) checkComponents(driver.trees.kinds, deploys);
    return { ...result, deploys };
  }
}
