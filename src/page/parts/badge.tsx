import type { ComponentChildren } from 'preact';
import { distributedState, runningInstance, type OperationStanding } from '../../cli/explanation/distributed-state.js';
import { typeOf } from '../session/session.js';
import type { Tone } from './tone.js';

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

interface Standing {
  readonly type: string;
  readonly state: string;
  readonly health: string;
  readonly settled: boolean;
  readonly stuck_since?: string | null;
}

/** The state of an entity, with what it stands for. */
export function StateBadge({ type, state, ...standing }: Standing) {
  return <Badge tone={toneOf(standing)}>{stateInWords(type, state)}</Badge>;
}

export function toneOf({
  health,
  settled,
  stuck_since: stuck,
}: Pick<Standing, 'health' | 'settled' | 'stuck_since'>): Tone {
  if (health === 'error' || stuck) return 'bad';
  return settled ? 'good' : 'busy';
}

/** Gives what people read for a state. */
export function stateInWords(type: string, state: string): string {
  return typeOf(type)?.states.find(({ name }) => name === state)?.displayName ?? state;
}

/** Gives what people read for an event. */
export function eventInWords(type: string, event: string): string {
  return typeOf(type)?.events.find(({ name }) => name === event)?.displayName ?? event;
}

const OUTCOMES: Readonly<Record<string, Tone>> = {
  success: 'good',
  failed: 'bad',
  rejected: 'bad',
  hung: 'warn',
  canceled: 'quiet',
  running: 'busy',
};

/** The states and outcomes of distributed operations. */
const DISTRIBUTED_TONES: Readonly<Record<string, Tone>> = {
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'quiet',
  paused: 'warn',
};

/** Tells whether an operation or an event has gone wrong. */
export function wentWrong(outcome: string | undefined): boolean {
  return outcome !== undefined && OUTCOMES[outcome] === 'bad';
}

/** Marks an event that has not ended well. */
export function ResultMark({ result = 'success' }: { readonly result: string | undefined }) {
  return result === 'success' ? null : <span class={`count ${wentWrong(result) ? 'bad' : ''}`}>{result}</span>;
}

/** How an operation or an event ended, or that it runs. */
export function OutcomeBadge({ outcome }: { readonly outcome: string | null }) {
  const name = outcome ?? 'running';
  return <Badge tone={OUTCOMES[name] ?? 'quiet'}>{name}</Badge>;
}

/** How a distributed operation is, or how it has ended. */
export function DistributedBadge({
  state,
  outcome,
}: {
  readonly state: string | null;
  readonly outcome: string | null;
}) {
  const tone = DISTRIBUTED_TONES[outcome ?? state ?? 'running'] ?? 'busy';
  return <Badge tone={tone}>{distributedState(state ?? 'running', outcome)}</Badge>;
}

/** How an operation is, or how it has ended: one over partitions as in the list of those. */
export function OperationBadge({ row }: { readonly row: OperationStanding }) {
  const instance = runningInstance(row);
  return instance ? <DistributedBadge {...instance} /> : <OutcomeBadge outcome={row.outcome} />;
}
