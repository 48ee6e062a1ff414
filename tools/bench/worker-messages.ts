import type { Profiler } from 'node:inspector';
import type { SideName } from './side-name.js';

/** The setting of the worker that the process runs. */
export interface WorkerSetting {
  readonly side: SideName;
  readonly address: string;
  readonly namespace: string;
  readonly taskQueue: string;
  /** The path of the workflow code, which was bundled beforehand. */
  readonly bundle: string;
  /** The store of the Reeve side. */
  readonly databaseUrl: string;
  /** How many workflows it keeps in memory; as many as fit unless given. */
  readonly maxCached?: number;
  /** The key that signs the addresses for answers from outside. */
  readonly callbackKey: string;
  /** The file of payload keys, where payloads are encrypted. */
  readonly payloadKeys?: string | undefined;
}

export interface WorkerRequest {
  readonly ask: 'cpu' | 'memory' | 'held' | 'profile' | 'end-profile' | 'stop';
}

/** Where the time of one thread went. */
export interface ThreadProfile {
  readonly thread: string;
  readonly profile: Profiler.Profile;
}

export type WorkerAnswer =
  | { readonly said: 'ready' }
  /** The CPU time of all threads since the process began. */
  | { readonly said: 'cpu'; readonly milliseconds: number }
  /** The memory after garbage was collected: of JavaScript in all threads, and of the process. */
  | { readonly said: 'memory'; readonly heapBytes: number; readonly residentBytes: number }
  /** All that it holds now: calls and workflow tasks under way, threads, and sockets. */
  | {
      readonly said: 'held';
      readonly calls: number;
      readonly tasks: number;
      readonly threads: number;
      readonly sockets: number;
    }
  /** The token of an answer that somebody has been asked for. */
  | { readonly said: 'asked'; readonly token: string }
  | { readonly said: 'profiling' }
  | { readonly said: 'profile'; readonly threads: readonly ThreadProfile[] };
