import type { SSEStreamingApi } from 'hono/streaming';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from './context.js';
import { problemDocument, toProblem } from './problem.js';
import type { ServiceSettings } from './settings.js';
import type { StreamSeats } from './stream-seats.js';

/** Something that is watched beside others, in one stream. */
export interface Subject {
  /** The name that the caller has given. */
  readonly of: string;
  /** A text that differs from the earlier one when there may be something new to see. */
  revision(): Promise<string>;
  /** Gives what there is to see. `passing`: it is looked at again although the revision is the same, as while no worker answers. */
  look(): Promise<{ readonly id: string; readonly data: unknown; readonly passing?: boolean }>;
  /** Replaces an error by the answer for what is absent, where it would tell something about others' things. */
  conceal(thrown: unknown): unknown;
}

/** A changed sight, or why there is nothing to see, as the caller gets it. */
interface Told {
  readonly of: string;
  readonly data?: unknown;
  readonly problem?: unknown;
}

/**
 * Sends what there is to see of many things as one stream of server-sent events, so that a browser needs one connection for all
 * that it shows. Each event is a whole state. What cannot be seen is told as a problem, and looked at again later.
 */
export class Watching {
  readonly #settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>;
  readonly #seats: StreamSeats;

  constructor(settings: Pick<ServiceSettings, 'lookMs' | 'heartbeatMs'>, seats: StreamSeats) {
    this.#settings = settings;
    this.#seats = seats;
  }

  /** Answers with what happens to these. @throws ProblemError 429, 503 */
  watch(context: ServiceContext, subjects: readonly Subject[]): Promise<Response> {
    return this.#seats.stream(context, async () => async (stream, signal) => {
      const heartbeat = setInterval(() => void stream.write(': still here\n\n'), this.#settings.heartbeatMs);
      try {
        await Promise.all(subjects.map((subject) => this.#follow(context, stream, subject, signal)));
      } finally {
        clearInterval(heartbeat);
      }
    });
  }

  async #follow(context: ServiceContext, stream: SSEStreamingApi, subject: Subject, signal: AbortSignal) {
    const [shortestMs, longestMs] = this.#settings.lookMs;
    let revision: string | undefined;
    let seen: string | undefined;
    const tell = async (id: string, told: Told) => {
      if (id === seen || signal.aborted) return;
      seen = id;
      await stream.writeSSE({ event: told.problem === undefined ? 'change' : 'problem', data: JSON.stringify(told) });
    };
    while (!signal.aborted) {
      // A subject that somebody looks at is looked at steadily, so that a change is on the screen soon.
      let pauseMs = shortestMs;
      try {
        const latest = await subject.revision();
        if (latest !== revision) {
          const { id, data, passing = false } = await subject.look();
          revision = passing ? undefined : latest;
          await tell(`sight ${id}`, { of: subject.of, data });
          if (passing) pauseMs = longestMs;
        }
      } catch (thrown) {
        const problem = toProblem(subject.conceal(thrown));
        if (problem.status === 500) context.var.log.error({ err: thrown }, 'defect');
        revision = undefined;
        pauseMs = longestMs;
        await tell(`problem ${problem.code} ${problem.message}`, {
          of: subject.of,
          problem: problemDocument(problem, context.req.path, context.var.requestId),
        });
      }
      // The pause is spread, so that many streams do not ask in the same moment.
      await delay(pauseMs * (0.75 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
    }
  }
}
