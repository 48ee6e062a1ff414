import type { CallShape } from '../definition/resource.js';
import type { AnyEntity } from '../definition/entity.js';
import type { OperationResult, OperationStatus } from '../operations/status.js';
import type { Answer } from '../protocol/answer.js';
import type { Creation } from '../protocol/creation.js';
import type { EntityMessage } from '../protocol/entity-message.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import type { OperationStart } from '../protocol/operation-start.js';
import type { RaiseRequest } from '../protocol/request.js';
import type { EntityRef } from '../protocol/names.js';
import type { StoreRecord } from '../protocol/records.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { Asker } from './asker.js';
import type { CallExecution } from './resources.js';
import type { Decided } from './sight.js';

/** An entity in one of its lives. */
export interface Subject {
  readonly entity: AnyEntity;
  readonly id: string;
  readonly life: string;
}

/** An action whose code is over, and how the entity was before its start, and at its end. */
export interface EndedAction {
  readonly action: string;
  readonly threw: boolean;
  readonly propertiesBefore: string;
  /** Their ids. */
  readonly successors: readonly string[];
}

/** Something that has happened for good; what a lost task did is not a fact. Invariants are checked on facts. */
export type Fact =
  /** An action starts. */
  | { readonly kind: 'started'; readonly by: Subject; readonly action: string; readonly snapshot: Snapshot }
  /** An entity has changed: after an action, or because of what came in. */
  | {
      readonly kind: 'changed';
      readonly by: Subject;
      /** None at its birth. */
      readonly before: Snapshot | undefined;
      readonly after: Snapshot;
      /** The action that ended in between. */
      readonly ended?: EndedAction;
    }
  /** An entity has come to another schema: the snapshot of the old run, and that with which the new one begins. Q2 */
  | { readonly kind: 'migrated'; readonly by: Subject; readonly before: Snapshot; readonly after: Snapshot }
  /** A call is carried out, for the first time or again. */
  | {
      readonly kind: 'called';
      readonly by: Subject;
      readonly execution: CallExecution;
      readonly asker: Asker;
      readonly snapshot: Snapshot;
      readonly shape: CallShape;
    }
  /** An entity sends a message to another one. */
  | { readonly kind: 'sent'; readonly by: Subject; readonly run: string; readonly message: EntityMessage }
  | { readonly kind: 'created'; readonly to: EntityRef; readonly creation: Creation }
  /** A message has reached its target, which is there. */
  | { readonly kind: 'delivered'; readonly to: EntityRef; readonly life: string; readonly message: EntityMessage }
  | { readonly kind: 'opened'; readonly operation: OperationStart }
  | { readonly kind: 'told'; readonly by: Subject; readonly operation: string; readonly message: OperationMessage }
  /** A caller has its answer. */
  | {
      readonly kind: 'answered';
      readonly to: EntityRef;
      readonly life: string;
      readonly request: RaiseRequest;
      readonly answer: Answer;
    }
  /** A batch of events was answered, as this entity saw it. */
  | ({ readonly kind: 'decided'; readonly by: Subject } & Decided)
  | { readonly kind: 'ended'; readonly operation: string; readonly result: OperationResult }
  /** An operator has ended an entity; `untold`: with its history, so that the keeper does not find it. */
  | { readonly kind: 'terminated'; readonly id: string; readonly life: string; readonly untold: boolean }
  /** Everything that was due is done, and time goes on. */
  | { readonly kind: 'paused' }
  /** Nothing is under way any more. */
  | { readonly kind: 'quiet' };

/** A rule that must hold in every simulation. */
export interface Invariant {
  /** The rule that holds, in words: `each accepted event takes effect once`. */
  readonly name: string;
  /** Tells what is wrong, if anything. */
  hear(fact: Fact, all: Overview): string | undefined;
}

/** An entity as it stands now. */
export interface LivingEntity {
  readonly subject: Subject;
  readonly snapshot: Snapshot;
  /** Its run, and whether that has become long. */
  readonly run: string;
  readonly long: boolean;
}

/** How all workflows stand now. */
export interface Overview {
  readonly now: number;
  /** Lists what the store has. */
  records(): readonly StoreRecord[];
  /** The entities that live. */
  entities(): readonly LivingEntity[];
  /** The operations that have not ended. */
  operations(): readonly { readonly id: string; readonly status: OperationStatus | undefined }[];
}
