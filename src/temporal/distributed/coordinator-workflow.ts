import {
  allHandlersFinished,
  defineQuery,
  defineSignal,
  defineUpdate,
  log,
  ParentClosePolicy,
  scheduleActivity,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  conflict,
  contentOf,
  mayHaveForgotten,
  nameOf,
  newCoordinator,
  recallRequest,
  stepCoordinator,
  type Coordinator,
  type CoordinatorInput,
  type InstanceStart,
  type OperationTypes,
  type RunningOperation,
  type StartAnswer,
  type StartProblem,
  type StartRefusal,
  type StartRequest,
} from '../../distributed/index.js';
import {
  CHECK_ACTIVITY,
  COORDINATOR_QUERY,
  DISTRIBUTED,
  DISTRIBUTED_TYPE,
  distributedWorkflowId,
  ENDED_SIGNAL,
  OBJECT_MEMO,
  RUNNING_ACTIVITY,
  RUNS_ACTIVITY,
  START_UPDATE,
} from '../../protocol/distributed-names.js';
import { SEARCH_ATTRIBUTES } from '../../protocol/names.js';
import type { RecordDriver } from '../../recording/driver.js';
import { goOn } from '../go-on.js';
import { runOfThis } from '../run.js';
import { untilHolds } from '../until-holds.js';
import { give } from '../../protocol/carried.js';
import type { StartToCheck } from './activities.js';
import { checkStart, parseEnded } from './coordinator-messages.js';
import { CHECKS_WITHIN, unchecked } from './unchecked.js';

/** The input that a run of a coordinator is started with. */
export interface CoordinatorRunInput {
  readonly target: string;
  /** All that the runs before it knew. */
  readonly coordinator?: Coordinator;
}

const startUpdate = defineUpdate<StartAnswer, [StartRequest]>(START_UPDATE);
const coordinatorQuery = defineQuery<Coordinator>(COORDINATOR_QUERY);
const endedSignal = defineSignal<[unknown]>(ENDED_SIGNAL);
/** For how long the target may be away from whom a start is checked. */
const CHECKED_WITHIN = '10s';

/** One run of the coordinator of a target. One that has never started anything ends at once: nothing is left of a refused start. */
export async function coordinatorWorkflow(
  input: CoordinatorRunInput,
  types: OperationTypes,
  records: RecordDriver,
): Promise<void> {
  const next = await new CoordinatorRun(input, types, records).run();
  if (next) await goOn<CoordinatorRunInput>({ target: input.target, coordinator: next });
}

class CoordinatorRun {
  readonly #run = runOfThis();
  readonly #types: OperationTypes;
  readonly #records: RecordDriver;
  #coordinator: Coordinator;
  #found: Promise<void> | undefined;
  /** The instances that were admitted and have no workflow yet. */
  readonly #begins: InstanceStart[] = [];

  constructor(
    { target, coordinator = newCoordinator(target) }: CoordinatorRunInput,
    types: OperationTypes,
    records: RecordDriver,
  ) {
    this.#records = records;
    this.#types = types;
    this.#coordinator = coordinator;
    setHandler(coordinatorQuery, () => this.#coordinator, { description: 'The operations of the target, as data.' });
    setHandler(startUpdate, (request) => this.#start(request), { validator: checkStart });
    setHandler(endedSignal, (content) => {
      const ended = parseEnded(content);
      if (ended) this.#take({ kind: 'ended', ...ended });
      else log.warn(`dropped the signal '${ENDED_SIGNAL}'`, { reason: 'it is no message of an instance' });
    });
    this.#run.details = () => this.#describe();
  }

  /** @returns what the next run goes on with; nothing when there is nothing to remember */
  async run(): Promise<Coordinator | undefined> {
    for (;;) {
      await this.#run.clock.until(untilHolds(undefined), () => this.#begins.length > 0 || this.#mayEnd());
      const [begin] = this.#begins;
      if (!begin) return this.#isUnused ? undefined : this.#coordinator;
      await this.#begin(begin);
      this.#begins.shift();
    }
  }

  get #isUnused(): boolean {
    return Object.keys(this.#coordinator.next).length === 0;
  }

  #mayEnd(): boolean {
    return (this.#isUnused || (this.#run.isOver && this.#run.isOldEnough)) && allHandlersFinished();
  }

  async #start(request: StartRequest): Promise<StartAnswer> {
    await (this.#found ??= this.#find());
    const past = await this.#forgotten(request);
    if (past) return past;
    const first = await this.#withoutTheDead(request);
    if (first.kind === 'refused' || this.#isKnown(request)) return first;
    const problem = await this.#check(request);
    if (problem) return { kind: 'refused', refusal: problem };
    // Others may have been started meanwhile. Check and start are one step. I4
    const answer = this.#take({ kind: 'start', ...request })!;
    await this.#run.clock.until(untilHolds(undefined), () => this.#begins.length === 0);
    const known = recallRequest(this.#coordinator.requests, request);
    return answer.kind === 'started' && known ? { kind: 'started', instance: known.instance } : answer;
  }

  async #begin(start: InstanceStart): Promise<void> {
    for (let { instance } = start; (await beginInstance({ ...start, instance })) === 'taken';) {
      const answer = this.#take({ kind: 'taken', type: start.type, instance });
      if (answer?.kind !== 'started') return;
      ({ instance } = answer);
      this.#begins[0] = { ...start, instance };
    }
  }

  /** Where a coordinator was ended by force, what it has started may still run. I4 */
  async #find(): Promise<void> {
    if (!this.#isUnused) return;
    const running = await scheduleActivity<readonly RunningOperation[]>(RUNNING_ACTIVITY, [this.#coordinator.target], {
      startToCloseTimeout: CHECKED_WITHIN,
      summary: 'what runs already',
    });
    if (running.length > 0) this.#take({ kind: 'found', running });
  }

  /** The answer to a request that is not known here any more. S2.5 */
  async #forgotten(request: StartRequest): Promise<StartAnswer | undefined> {
    const { requests, target } = this.#coordinator;
    if (this.#isKnown(request) || !mayHaveForgotten(requests)) return undefined;
    const told = await this.#records.recall({ type: DISTRIBUTED, key: target, life: '' }, [request.request], true);
    if (!told) return { kind: 'refused', refusal: tryAgain(request) };
    const [past] = told.requests;
    if (!past) return undefined;
    if (past.fingerprint !== contentOf(request)) return conflict(request);
    return { kind: 'started', instance: past.outcome.version };
  }

  #isKnown(request: StartRequest): boolean {
    return recallRequest(this.#coordinator.requests, request) !== undefined;
  }

  /** Finds what the answer would be. An instance in the way whose workflow was ended by force does not count. */
  async #withoutTheDead(request: StartRequest): Promise<StartAnswer> {
    for (;;) {
      const { answer } = stepCoordinator(this.#types, this.#coordinator, { kind: 'start', ...request });
      const inTheWay = answer?.kind === 'refused' ? answer.refusal.running : undefined;
      if (!inTheWay || (await this.#runs(inTheWay))) return answer!;
      this.#take({ kind: 'ended', ...inTheWay, starts: [] });
    }
  }

  #runs({ type, instance }: RunningOperation): Promise<boolean> {
    const { target } = this.#coordinator;
    // It is admitted, and has no workflow yet.
    if (this.#begins.some((each) => each.type === type && each.instance === instance)) return Promise.resolve(true);
    return scheduleActivity<boolean>(RUNS_ACTIVITY, [nameOf({ target, type, instance })], {
      startToCloseTimeout: CHECKED_WITHIN,
    });
  }

  async #check({ type, argument, partitions }: StartRequest): Promise<StartProblem> {
    const { target, next } = this.#coordinator;
    const given = give(this.#types.get(type)!.argument, argument);
    const instance = nameOf({ target, type, instance: next[type] ?? 1 });
    const asked: StartToCheck = {
      target,
      type,
      argument: given.valid ? given.value : argument,
      instance,
      ...(partitions !== undefined && { partitions }),
    };
    try {
      return await scheduleActivity<StartProblem>(CHECK_ACTIVITY, [asked], {
        startToCloseTimeout: CHECKED_WITHIN,
        scheduleToCloseTimeout: CHECKS_WITHIN,
        retry: { maximumAttempts: 3 },
        summary: `may ${type} start`,
      });
    } catch (thrown) {
      return unchecked({ type, target }, thrown);
    }
  }

  #take(input: CoordinatorInput): StartAnswer | undefined {
    const { coordinator, begins, refused, answer } = stepCoordinator(this.#types, this.#coordinator, input);
    this.#coordinator = coordinator;
    this.#begins.push(...begins);
    if (input.kind === 'ended')
      for (const { code, message } of refused)
        log.warn('what a completion has started was refused', { code, message, by: `${input.type}/${input.instance}` });
    return answer;
  }

  #describe(): string {
    const { target, running, refused } = this.#coordinator;
    const runs = running.map(
      ({ type, object, instance }) => `- ${type}/${instance}${object === undefined ? '' : ` of ${object}`}`,
    );
    const not = refused.map(({ by, type, message }) => `- ${type}, which ${by} wanted to start: ${message}`);
    return [
      `Runs on ${target}: ${runs.length === 0 ? 'nothing' : ''}`,
      ...runs,
      ...(not.length === 0 ? [] : ['', 'Was refused:', ...not]),
    ].join('\n');
  }
}

function tryAgain({ request }: StartRequest): StartRefusal {
  const message =
    `Only the store knows whether the request '${request}' has started something long ago, and it is unavailable. ` +
    'Ask again in a moment.';
  return { code: 'try_again', message };
}

/** A workflow of this name that exists already is that of an instance of long ago. */
async function beginInstance(start: InstanceStart): Promise<'begun' | 'taken'> {
  const { target, type, object } = start;
  const name = nameOf(start);
  try {
    await startChild(DISTRIBUTED_TYPE, {
      workflowId: distributedWorkflowId(name),
      args: [{ start }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      searchAttributes: {
        [SEARCH_ATTRIBUTES.state]: ['running'],
        [SEARCH_ATTRIBUTES.name]: [`${type} ${target}`.slice(0, 255)],
      },
      ...(object !== undefined && { memo: { [OBJECT_MEMO]: object } }),
      staticSummary: `${type}${object === undefined ? '' : ` ${object}`} on ${target}`,
    });
    return 'begun';
  } catch (thrown) {
    if (thrown instanceof WorkflowExecutionAlreadyStartedError) return 'taken';
    throw thrown;
  }
}
