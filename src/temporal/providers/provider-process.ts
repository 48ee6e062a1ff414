/*
 * Calls of resources in a process of their own, which shares no fate with the workflows of its worker.
 *
 * provider-process.1. A call whose code keeps its process busy fails, and ends that process. The other calls in it are made again.
 * provider-process.2. While a process stands still, new calls go to another one.
 * provider-process.3. Calls of a kind that has ended a process, or stood still in one, are made apart from the others from then on.
 * provider-process.4. A call is not made again without end where its processes end and nobody knows why.
 */
import { ApplicationFailure, Context } from '@temporalio/activity';
import { MOST_LOSSES } from '../losses.js';
import type { ImplementedResource } from '../resources.js';
import { Lane, LaneLost, type CallEnd, type Caller, type Cancels, type LaneCommand } from './lane.js';
import type { CallRequest } from './messages.js';

export interface ProviderProcessOptions extends LaneCommand {
  /** Is told of each process that has ended too early, and of the call that has done it. */
  readonly report: (message: string, attributes: Readonly<Record<string, unknown>>) => void;
}

/** `innocent`: the call was cut off by another one that is known. `lost`: nobody knows by which. */
type Try = { readonly kind: 'ended'; readonly end: CallEnd } | { readonly kind: 'innocent' | 'lost' };

export class ProviderProcess {
  readonly #options: ProviderProcessOptions;
  #usual: Lane;
  #apart: Lane | undefined;
  readonly #lanes = new Set<Lane>();
  /** The calls that have stood still, or ended their process. */
  readonly #suspects = new Set<string>();
  #closed = false;

  constructor(options: ProviderProcessOptions) {
    this.#options = options;
    this.#usual = this.#start();
  }

  /** The same calls, made in the process. */
  serve(resources: readonly ImplementedResource[]): readonly ImplementedResource[] {
    const remote = (activity: string): ImplementedResource[string] => {
      return (envelope, worker) => this.#make(activity, { envelope, affinity: worker?.affinity });
    };
    return resources.map((resource) => Object.fromEntries(Object.keys(resource).map((name) => [name, remote(name)])));
  }

  /** Ends it. Calls that are under way are left to other workers. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#lanes].map((lane) => lane.close()));
  }

  async #make(activity: string, given: Pick<CallRequest, 'envelope' | 'affinity'>): Promise<unknown> {
    // Messages that come of the process come in no activity.
    const context = Context.current();
    const { taskToken: _, ...info } = context.info;
    let noted: unknown = info.heartbeatDetails;
    const beat = (details: unknown) => {
      noted = details;
      context.heartbeat(details);
    };
    // The worker lives, also while the process is started again.
    const everyMs = info.heartbeatTimeoutMs;
    const beats = everyMs === undefined ? undefined : setInterval(() => context.heartbeat(noted), everyMs / 3);
    try {
      for (let losses = 0; ;) {
        const request: CallRequest = { ...given, activity, info: { ...info, heartbeatDetails: noted } };
        const made = await this.#try(request, { beat, cancels: cancellationsOf(context) }, losses);
        if (made.kind === 'ended') return outcomeOf(made.end);
        if (made.kind === 'lost') losses++;
      }
    } finally {
      clearInterval(beats);
    }
  }

  async #try(request: CallRequest, caller: Caller, losses: number): Promise<Try> {
    const lane = this.#laneFor(losses > 0 || this.#suspects.has(request.activity));
    try {
      return { kind: 'ended', end: await lane.call(request, caller) };
    } catch (thrown) {
      if (!(thrown instanceof LaneLost)) throw thrown;
      if (this.#closed) throw ApplicationFailure.retryable('The worker has ended before the call.', 'worker_ended');
      if (thrown.guilty || losses + 1 >= MOST_LOSSES) return { kind: 'ended', end: this.#cutOff(request, thrown) };
      return { kind: thrown.end.culprit ? 'innocent' : 'lost' };
    } finally {
      this.#tidy();
    }
  }

  #cutOff({ activity, envelope, info }: CallRequest, { end, guilty }: LaneLost): CallEnd {
    this.#suspects.add(activity);
    const at = end.culprit?.at ? `, at ${end.culprit.at}` : '';
    const who = guilty
      ? end.remedy
      : `That happened ${MOST_LOSSES} times in a row, and the call that causes it is not known.`;
    const message = `The provider of '${activity}' was cut off: ${end.why}${at}. ${who}`;
    const { idempotencyKey } = envelope;
    this.#options.report(message, { activity, entity: info.workflowExecution?.workflowId, idempotencyKey });
    return { failure: { type: 'provider_cut_off', message, nonRetryable: true, details: [] } };
  }

  /** A process that has stood still is used no more when its calls have ended. */
  #tidy(): void {
    for (const lane of this.#lanes) {
      if (lane !== this.#usual && lane !== this.#apart && lane.isIdle && !lane.isOver) void lane.close();
    }
  }

  #laneFor(apart: boolean): Lane {
    if (!apart) return usable(this.#usual) ? this.#usual : (this.#usual = this.#start());
    return this.#apart && usable(this.#apart) ? this.#apart : (this.#apart = this.#start());
  }

  #start(): Lane {
    const lane = new Lane(this.#options, (activity) => this.#suspects.add(activity));
    this.#lanes.add(lane);
    void lane.ended.then(() => this.#lanes.delete(lane));
    return lane;
  }
}

function usable(lane: Lane): boolean {
  return !lane.isOver && !lane.standsStill;
}

/** Hears of the cancellation of an activity. */
function cancellationsOf(context: Context): Cancels {
  const { cancellationSignal: signal } = context;
  return (hear) => {
    const tell = () => {
      hear({ reason: String(signal.reason), workerShutdown: context.cancellationDetails?.workerShutdown === true });
    };
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell, { once: true });
    return () => signal.removeEventListener('abort', tell);
  };
}

/** @throws ApplicationFailure */
function outcomeOf({ answer, failure }: CallEnd): unknown {
  if (!failure) return answer;
  const { details, ...said } = failure;
  throw ApplicationFailure.create({ ...said, details: [...details] });
}
