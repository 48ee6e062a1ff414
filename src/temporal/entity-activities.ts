/*
 * The activities by which workflows of the project's own use entities: a worker with `ReevePlugin` has them. This module is part of every bundle.
 */
import type { AnyEntity } from '../definition/entity.js';
import type { KeyOf } from '../definition/key-schema.js';
import type { Health } from '../definition/state.js';
import type { OperationResult } from '../operations/status.js';
import type { AcceptedEvent } from '../protocol/accepted-event.js';
import type { BirthOptions, RaiseOptions } from '../protocol/request-options.js';

export const RAISE_ACTIVITY = 'reeve.raise';
export const RESULT_ACTIVITY = 'reeve.result';
export const CANCEL_ACTIVITY = 'reeve.cancel';
export const READ_ACTIVITY = 'reeve.read';
export const REACH_ACTIVITY = 'reeve.reach';

/** How long nothing may be heard of one of them, in milliseconds, until another worker makes it. */
export const LOST_AFTER_MS = 15_000;

/** An entity by the name of its type and its key, as the workflow has given it. */
export interface NamedEntity {
  readonly type: string;
  readonly key: KeyOf<AnyEntity>;
}

/** An event that a workflow raises. The workflow makes the id of the request, so that every attempt of the activity has the same. */
export interface WorkflowEvent extends NamedEntity {
  readonly event: string;
  /** Tells whether the entity is created where it does not exist. */
  readonly creates: boolean;
  readonly options: RaiseOptions & BirthOptions & { readonly requestId: string };
  readonly params?: unknown;
  readonly construct?: Readonly<Record<string, unknown>>;
}

/** An entity as a workflow sees it: plain JSON. */
export interface EntityState {
  readonly state: string;
  /** Grows by one with each transition. */
  readonly version: number;
  readonly health: Health;
  /** Tells whether it rests. */
  readonly settled: boolean;
  /** Tells whether it was deleted. */
  readonly gone: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
  /** A key, or a list of keys, by the name of the link. */
  readonly links: Readonly<Record<string, string | readonly string[]>>;
  /** The members of each collection, by their key. */
  readonly subordinates: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface EntityActivities {
  [RAISE_ACTIVITY](raised: WorkflowEvent): Promise<AcceptedEvent>;
  [RESULT_ACTIVITY](accepted: AcceptedEvent): Promise<OperationResult>;
  [CANCEL_ACTIVITY](accepted: AcceptedEvent): Promise<void>;
  /** Gives nothing where the entity does not exist. */
  [READ_ACTIVITY](entity: NamedEntity): Promise<EntityState | undefined>;
  [REACH_ACTIVITY](entity: NamedEntity, states: readonly string[]): Promise<EntityState>;
}

/** Names an entity for people, before its key has been checked: `Website/blog`. */
export function titleOf({ type, key }: NamedEntity): string {
  return `${type}/${keyText(key)}`;
}

/** The text of a key that may be given by its parts. */
export function keyText(key: KeyOf<AnyEntity>): string {
  return typeof key === 'string' ? key : Object.values(key).join('/');
}
