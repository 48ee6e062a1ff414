/* The answers of the service, by the same types that the service itself has. */
import type { AllowedEvent } from '../../kernel/index.js';
import type { WithResult } from '../../protocol/event-results.js';
import type { EntityRepresentation } from '../../service/entity-representation.js';

export type { ExplainedEntity, Explanation, ExplainedNode, StuckOne } from '../../client/explain/explanation.js';
export type { Attention, Concern } from '../../service/attention/attention-schema.js';
export type { OperationRepresentation } from '../../service/operation-representation.js';
export type { DeploymentRepresentation } from '../../service/deployment-representation.js';
export type { DistributedRepresentation } from '../../service/distributed-representation.js';
export type { Explanation as ComponentExplanation } from '../../components/index.js';
export type { EntityAsOf } from '../../service/routes/entity-version.js';
export type { Me } from '../../service/routes/me.js';
export type { EventValuesAnswer, ShownValue } from '../../service/values/value-schema.js';
export type { RaiseManyReport, RaiseManyRequest } from '../../service/routes/raise-many.js';
export type { Rollout } from '../../service/routes/rollout.js';
export type { ServedType } from '../../service/routes/types.js';
export type { EntityCount, EntitySummary } from '../../service/summary/entity-summary-schema.js';
export type { OperationSummary } from '../../service/summary/summary-schema.js';
export type { TransitionSummary } from '../../service/summary/transition-summary-schema.js';
export type { Diagram } from '../../diagram/diagram.js';
export type { EntityRepresentation, AllowedEvent };

/** An entity as it is watched: with the events that it would take. */
export interface WatchedEntity extends EntityRepresentation {
  readonly '@odata.etag': string;
  readonly events: readonly AllowedEvent[];
}

/** A page of a list. */
export interface Page<Row> {
  readonly value: readonly Row[];
  readonly '@odata.nextLink'?: string;
  readonly '@odata.count'?: number;
}

/** The row of an entity in a list, as far as the page shows it. */
export interface EntityRow {
  readonly type: string;
  readonly key: string;
  readonly version: number;
  readonly state: string;
  readonly health: string;
  readonly settled: boolean;
  readonly stuck_since: string | null;
  /** Why it needs a person. */
  readonly need: {
    readonly message: string;
    readonly error?: { readonly code: string; readonly message: string };
  } | null;
  readonly deleted: boolean;
  readonly operation: string | null;
  readonly state_entry_time: string;
}

export interface OperationRow {
  readonly operation_id: number;
  readonly request_id: string;
  readonly name: string;
  readonly workflow_start_time: string;
  readonly workflow_end_time: string | null;
  readonly outcome: string | null;
  readonly restart_count: number;
  /** The code and the message of the first error. */
  readonly '@reeve.error'?: string;
  /** The state and the outcome of an operation over partitions; absent for other operations. */
  readonly '@reeve.instance_state'?: string;
  readonly '@reeve.instance_outcome'?: string;
  /** The caller who has asked to cancel it, for those who may read the audit trail. */
  readonly '@reeve.cancel_caller'?: string;
}

export interface TransitionRow {
  readonly event_id: number | null;
  readonly transition_ordinal: number;
  /** The life and the version of the entity after it: `LIFE.7`. */
  readonly '@reeve.version': string;
  readonly transition_type: string;
  readonly action_name: string | null;
  readonly start_state: string;
  readonly end_state: string;
  readonly end_state_health: string;
  readonly transition_start_time: string;
  readonly transition_time: string;
  readonly start_state_entry_time: string;
  readonly retry_count: number;
  readonly outcome: string;
  readonly error_id: number | null;
}

export interface EventRow extends WithResult {
  /** The caller who has raised it, for those who may read the audit trail. */
  readonly '@reeve.caller'?: string;
  readonly event_id: number;
  readonly request_id: string;
  readonly workflow_position: string;
  readonly state_machine_type: string;
  readonly keys: string;
  readonly event: string;
  readonly event_type: string;
  readonly start_state: string;
  readonly end_state: string | null;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly exception_details: string | null;
  readonly transitions?: readonly TransitionRow[];
  readonly workflow_error?: { readonly error_details: string } | null;
}

/** The row of a deployment in a list, as far as the page shows it. */
export interface DeploymentRow {
  readonly life: string;
  readonly name: string;
  readonly component: string;
  readonly phase: string;
  readonly phase_time: string;
  readonly start_time: string;
  readonly end_type: string | null;
  readonly undeployed: boolean | null;
}

/** A decision in the audit trail. */
export interface AuditRow {
  readonly id: string;
  readonly time: string;
  readonly subject: string;
  readonly tenant: string | null;
  readonly action: string;
  readonly entity_type: string | null;
  readonly entity_key: string | null;
  readonly decision: string;
  readonly reason: string | null;
}

/** A distributed operation in a list. */
export interface ListedDistributed {
  readonly name: string;
  readonly target: string;
  readonly type: string;
  readonly instance: number;
  readonly state: string | null;
  readonly outcome: string | null;
  readonly start_time: string;
}

export interface CallRow {
  readonly event_id: number | null;
  readonly entity_type: string;
  readonly entity_key: string;
  readonly call_name: string;
  readonly mode: string;
  readonly start_time: string;
  readonly end_time: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  /** The caller who has answered it, for those who may read the audit trail. */
  readonly '@reeve.caller'?: string;
}
