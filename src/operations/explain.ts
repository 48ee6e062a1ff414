import { entityId } from '../protocol/names.js';
import type { CancelRefusal, OperationStatus } from './status.js';

/** An entity that has yet to do something before an operation can end. */
export interface OpenParticipant {
  /** `LogicalServer/orders` */
  readonly entity: string;
  /** Events that have not come to their end on it, by their request ids. */
  readonly events: readonly string[];
  /** Reports of its successors that it has not judged yet. */
  readonly judgements: number;
  /** The waiting state in which it rests for its successors. */
  readonly waiting?: string;
}

/** An action that waits until everything which its event has set off has settled. S4.2 */
export interface WaitingRaise {
  readonly by: string;
  readonly on: string;
}

/** The things that an operation waits for. All times are milliseconds since 1970. S5.4 */
export interface OperationWait {
  readonly id: string;
  readonly name: string;
  readonly outcome: OperationStatus['outcome'];
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly budgetMs?: number;
  /** Tells whether it runs for longer than its budget. S5.3 */
  readonly hung: boolean;
  readonly cancel: OperationStatus['cancel'];
  /** The participants that have refused to cancel. Absent where none has. S4.7 */
  readonly refusals?: readonly CancelRefusal[];
  readonly interruptions: OperationStatus['interruptions'];
  readonly errors: OperationStatus['errors'];
  /** How many participants are known. */
  readonly participants: number;
  /** The participants that have yet to do something, in the order in which they were set to work. */
  readonly open: readonly OpenParticipant[];
  readonly waitingRaises: readonly WaitingRaise[];
}

/** Tells what an operation waits for, as far as it has heard. The participants themselves know what they wait for. S5.4 */
export function explainOperation(status: OperationStatus): OperationWait {
  const { id, name, outcome, startedAt, endedAt, budgetMs, hung, cancel, interruptions, errors, items, refusals } =
    status;
  return {
    ...{ id, name, outcome, startedAt, hung, cancel, interruptions, errors },
    ...(refusals && { refusals }),
    ...(endedAt !== undefined && { endedAt }),
    ...(budgetMs !== undefined && { budgetMs }),
    participants: Object.keys(status.participants).length,
    open: openParticipants(status),
    waitingRaises: status.awaits.map(({ by, item }) => ({ by: entityId(by), on: items[item]!.on })),
  };
}

function openParticipants({ items, participants, waiting }: OperationStatus): readonly OpenParticipant[] {
  const open = items.filter(({ state }) => state === 'open');
  const resting = Object.keys(waiting).map((name) => participants[name]!);
  // A cause comes before its effect.
  return [...new Set([...items.map(({ on }) => on), ...resting.map(entityId)])].flatMap((entity) => {
    const owed = open.filter(({ on }) => on === entity);
    const state = resting.find((each) => entityId(each) === entity)?.state;
    if (owed.length === 0 && state === undefined) return [];
    const participant: OpenParticipant = {
      entity,
      events: owed.filter(({ kind }) => kind === 'engagement').map(({ id }) => id),
      judgements: owed.filter(({ kind }) => kind === 'judgement').length,
      ...(state !== undefined && { waiting: state }),
    };
    return [participant];
  });
}
