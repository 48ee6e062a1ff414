/*
 * How an operation is followed to its end. Pure: each message gives a new status.
 *
 * P1. The operation is done when every engagement and judgement that it knows of has ended, and no participant's last
 *     word is that it rests in a waiting state. S4.2
 * P2. Late, doubled and reordered messages do no harm: what has ended stays ended, and only a newer version of a
 *     participant replaces its last word. S4.4
 */
import type { Health } from '../definition/state.js';
import type {
  EngagementOutcome,
  ErrorRecord,
  OperationMessage,
  OperationStart,
  Rejection,
} from '../protocol/messages.js';
import { entityId, type EntityRef } from '../protocol/names.js';

/** The last word of an entity that takes part. */
export interface Participant extends EntityRef {
  readonly life: string;
  readonly state: string;
  readonly version: number;
  readonly health: Health;
  readonly waiting: boolean;
}

/** An error that no retry made good. */
export interface OperationError extends ErrorRecord {
  readonly entity: string;
  readonly event: string;
}

export type OperationOutcome = 'success' | 'failed';

export interface OperationStatus {
  readonly id: string;
  readonly name: string;
  readonly root: OperationStart['root'];
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly outcome: OperationOutcome | 'running';
  readonly engagements: Readonly<Record<string, 'open' | 'ended'>>;
  readonly judgements: Readonly<Record<string, 'open' | 'done'>>;
  readonly participants: Readonly<Record<string, Participant>>;
  readonly errors: readonly OperationError[];
  /** The event that opened the operation had waited and was then rejected. */
  readonly rejection?: Rejection;
}

export function startOperation(start: OperationStart): OperationStatus {
  return {
    id: start.id,
    name: start.name,
    root: start.root,
    startedAt: start.startedAt,
    outcome: 'running',
    engagements: { [start.root.engagement]: 'open' },
    judgements: {},
    participants: {},
    errors: [],
  };
}

/** The operation after a message. */
export function hear(status: OperationStatus, message: OperationMessage): OperationStatus {
  if (message.kind === 'judged') {
    return {
      ...opened(status, message.caused),
      judgements: { ...status.judgements, ...each(message.judgements, 'done') },
    };
  }
  if (message.kind === 'moved') {
    return { ...status, participants: withLastWord(status.participants, message.participant, message.outcome) };
  }
  const { engagement, outcome, participant, event } = message;
  if (status.engagements[engagement] === 'ended') return status;
  const known = opened(status, message.caused);
  const owed = message.judgements.filter((id) => !(id in known.judgements));
  const isRoot = engagement === status.root.engagement;
  return {
    ...known,
    engagements: { ...known.engagements, [engagement]: 'ended' },
    judgements: { ...known.judgements, ...each(owed, 'open') },
    participants: outcome.rejection ? known.participants : withLastWord(known.participants, participant, outcome),
    errors: outcome.error
      ? [...known.errors, { ...outcome.error, entity: entityId(participant), event }]
      : known.errors,
    ...(isRoot && outcome.rejection && { rejection: outcome.rejection }),
  };
}

/** Whether nothing more is to be expected. P1 */
export function isDone(status: OperationStatus): boolean {
  return (
    Object.values(status.engagements).every((engagement) => engagement === 'ended') &&
    Object.values(status.judgements).every((judgement) => judgement === 'done') &&
    Object.values(status.participants).every(({ waiting }) => !waiting)
  );
}

/** The status at the end: failed when a participant ended in an error state, or an error was not made good. S5.1 */
export function endOperation(status: OperationStatus, now: number): OperationStatus {
  const failed =
    status.rejection !== undefined ||
    status.errors.length > 0 ||
    Object.values(status.participants).some(({ health }) => health === 'error');
  return { ...status, outcome: failed ? 'failed' : 'success', endedAt: now };
}

/** What a person or a program that waited for the operation needs to know. */
export interface OperationResult {
  readonly id: string;
  readonly name: string;
  readonly outcome: OperationOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly participants: readonly Participant[];
  readonly errors: readonly OperationError[];
  readonly rejection?: Rejection;
}

export function resultOf(status: OperationStatus): OperationResult {
  if (status.outcome === 'running') throw new Error(`The operation ${status.id} has not ended.`);
  return {
    id: status.id,
    name: status.name,
    outcome: status.outcome,
    startedAt: status.startedAt,
    endedAt: status.endedAt!,
    participants: Object.values(status.participants),
    errors: status.errors,
    ...(status.rejection && { rejection: status.rejection }),
  };
}

/** An engagement that was heard of before its cause stays as it is. */
function opened(status: OperationStatus, caused: readonly string[]): OperationStatus {
  const unknown = caused.filter((id) => !(id in status.engagements));
  return { ...status, engagements: { ...status.engagements, ...each(unknown, 'open') } };
}

function withLastWord(
  participants: OperationStatus['participants'],
  participant: EntityRef & { readonly life: string },
  outcome: EngagementOutcome,
): OperationStatus['participants'] {
  const name = `${entityId(participant)}#${participant.life}`;
  const known = participants[name];
  if (known && known.version > outcome.version) return participants;
  const { state, version, health, waiting } = outcome;
  return { ...participants, [name]: { ...participant, state, version, health, waiting } };
}

function each<Value extends string>(ids: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(ids.map((id) => [id, value]));
}
