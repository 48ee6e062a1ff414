import { createHash } from 'node:crypto';

/** A part of a trace. It is exported when it is over. */
export interface TraceSpan {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** The request id of the operation, which gives the trace its id. */
  readonly operation: string;
  readonly spanId: string;
  /** The span of which this is a part; none for the operation itself. */
  readonly parentId?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The error, where something went wrong. */
  readonly error?: string;
  /** The `traceparent` header of the caller, whose trace is another one. */
  readonly caller?: string;
}

/**
 * The id of an operation's trace, as 32 hexadecimal digits, made from its request id. So all processes name the same trace, and
 * none has to tell it to another. S5.5
 */
export function traceIdOf(operation: string): string {
  return hashOf(operation).slice(0, 32);
}

export function operationSpanId(operation: string): string {
  return hashOf('operation', operation).slice(0, 16);
}

/** The span of an event. The event's id is unique on its entity within an operation. */
export function eventSpanId(operation: string, entity: string, event: string): string {
  return hashOf('event', operation, entity, event).slice(0, 16);
}

export function transitionSpanId(life: string, version: number): string {
  return hashOf('transition', life, String(version)).slice(0, 16);
}

function hashOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex');
}
