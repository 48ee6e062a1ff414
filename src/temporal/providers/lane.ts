import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { MARGIN_MS } from '../call-envelope.js';
import { computedBy } from './computed-by.js';
import type { CallFailure, CallRequest, Cancellation, FromProviders, Sighting, ToProviders } from './messages.js';
import { SIGHT_PIPE } from './sight.js';

/** How often it is asked whether it stands still, in milliseconds. */
const PING_EVERY_MS = 250;
/** After this time without an answer, in milliseconds, it counts as standing still: new calls go elsewhere. */
const STILL_MS = 1_000;
/** How long code may compute without a pause, in milliseconds of CPU time: a busy machine makes nobody compute longer. */
const MOST_COMPUTED_MS = 5_000;
/** How long code may stand still that does not compute, in milliseconds: it waits for something without giving way. */
const MOST_WAITED_MS = 20_000;

const STOOD_STILL = 'Await long work, or move it to a worker thread or a separate process.';
const DIED = 'It may call process.exit(), or run out of memory. Read the log of the worker.';

/** Why a process ended whose calls are under way. */
export interface LaneEnd {
  /** In words: `its process was ended, since ...`. */
  readonly why: string;
  /** Says what its author can do. */
  readonly remedy: string;
  /** The call that was seen in it all the time, and where. */
  readonly culprit?: Sighting;
}

/** Thrown for each call that was under way when its process ended. */
export class LaneLost extends Error {
  constructor(
    readonly end: LaneEnd,
    /** Tells whether this call has done it. */
    readonly guilty: boolean,
  ) {
    super(end.why);
  }
}

export interface CallEnd {
  readonly answer?: unknown;
  readonly failure?: CallFailure;
}

interface Pending {
  readonly activity: string;
  /** When its time limit is over. */
  readonly until: number;
  readonly beat: (details: unknown) => void;
  readonly end: (end: CallEnd) => void;
  readonly lose: (lost: LaneLost) => void;
}

/** Listens for what cancels a call. @returns what ends that */
export type Cancels = (hear: (cancellation: Cancellation) => void) => () => void;

/** Tells who waits for a call. */
export interface Caller {
  readonly cancels: Cancels;
  /** Is told what the provider notes. */
  beat(details: unknown): void;
}

export interface LaneCommand {
  /** The absolute path of the script that serves the calls. */
  readonly script: string;
  readonly args: readonly string[];
}

/** A process that makes calls. */
export class Lane {
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Pending>();
  readonly #ready: Promise<unknown>;
  readonly #pings: NodeJS.Timeout;
  #next = 0;
  /** Since when it owes an answer; 0 where it owes none. */
  #owing = 0;
  #computed = 0;
  #sighting: Sighting | undefined;
  #why: string | undefined;
  /** Ends with the process. */
  readonly ended: Promise<void>;

  /** @param seen is told which call was seen to keep the process busy */
  constructor({ script, args }: LaneCommand, seen: (activity: string) => void) {
    this.#child = fork(script, args, {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    });
    this.#child.on('message', (message: FromProviders) => this.#hear(message));
    createInterface(this.#child.stdio[SIGHT_PIPE] as Readable).on('line', (line) => {
      this.#sighting = JSON.parse(line) as Sighting;
      const pending = this.#calls.get(this.#sighting.id);
      if (pending) seen(pending.activity);
    });
    // Not 'close', which does not come once the channel is closed from here.
    this.ended = once(this.#child, 'exit').then(([code, signal]) => this.#end(`${code ?? signal}`));
    this.#ready = Promise.race([new Promise((resolve) => this.#child.once('message', resolve)), this.ended]);
    this.#pings = setInterval(() => this.#ping(), PING_EVERY_MS);
  }

  /** Tells whether it has stood still for so long that new calls go elsewhere. */
  get standsStill(): boolean {
    return this.#owing > 0 && performance.now() - this.#owing >= STILL_MS;
  }

  get isIdle(): boolean {
    return this.#calls.size === 0;
  }

  /** Tells whether it has ended, or is about to. */
  get isOver(): boolean {
    return this.#why !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** @throws LaneLost where its process ends before the call */
  async call(request: CallRequest, { beat, cancels }: Caller): Promise<CallEnd> {
    await this.#ready;
    const id = ++this.#next;
    const ended = new Promise<CallEnd>((resolve, reject) => {
      if (this.isOver) return reject(new LaneLost({ why: 'its process had ended', remedy: DIED }, false));
      const until = performance.now() + request.info.startToCloseTimeoutMs - MARGIN_MS;
      this.#calls.set(id, { activity: request.activity, until, beat, end: resolve, lose: reject });
    });
    this.#say({ kind: 'call', id, request });
    const stopListening = cancels((cancellation) => this.#say({ kind: 'cancel', id, cancellation }));
    try {
      return await ended;
    } finally {
      stopListening();
      this.#calls.delete(id);
    }
  }

  /** Ends the process, which has nothing to do any more. */
  async close(): Promise<void> {
    this.#why ??= 'it was closed';
    if (this.#child.connected) this.#child.disconnect();
    const force = setTimeout(() => this.#child.kill('SIGKILL'), STILL_MS);
    await this.ended;
    clearTimeout(force);
  }

  #say(message: ToProviders): void {
    // Where it has ended, that is told to its calls.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #hear(message: FromProviders): void {
    if (message.kind === 'ready') return;
    if (message.kind === 'pong') {
      this.#owing = 0;
      this.#sighting = undefined;
      return;
    }
    const pending = this.#calls.get(message.id);
    if (message.kind === 'beat') pending?.beat(message.details);
    else if (message.kind === 'answer') pending?.end({ answer: message.answer });
    else pending?.end({ failure: message.failure });
  }

  #ping(): void {
    if (this.isIdle || this.isOver) return void (this.#owing = 0);
    const { pid } = this.#child;
    if (this.#owing === 0) {
      this.#owing = performance.now();
      this.#computed = computedBy(pid!) ?? 0;
      return this.#say({ kind: 'ping' });
    }
    const waitedMs = performance.now() - this.#owing;
    const computedMs = (computedBy(pid!) ?? this.#computed + waitedMs) - this.#computed;
    const busy = this.#sighting && this.#calls.get(this.#sighting.id);
    const isLate = busy !== undefined && performance.now() >= busy.until;
    if (!isLate && computedMs < MOST_COMPUTED_MS && waitedMs < MOST_WAITED_MS) return;
    this.#why = `its process was ended, since code in it had not given way for ${Math.round(waitedMs / 1_000)} s`;
    this.#child.kill('SIGKILL');
  }

  #end(how: string): void {
    clearInterval(this.#pings);
    const isAlone = this.#calls.size === 1;
    const why = this.#why ?? `its process has ended (${how})`;
    for (const [id, { lose }] of this.#calls) {
      const culprit = this.#sighting ?? (isAlone ? { id, at: '' } : undefined);
      lose(
        new LaneLost(
          { why, remedy: this.#why === undefined ? DIED : STOOD_STILL, ...(culprit && { culprit }) },
          culprit?.id === id,
        ),
      );
    }
  }
}
