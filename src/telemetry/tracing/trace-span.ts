import { createHash } from 'node:crypto';

/** A part of a trace, as it is exported when it is over. */
export interface TraceSpan {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** The operation, which is the trace. */
  readonly operation: string;
  readonly spanId: string;
  /** None of the operation itself. */
  readonly parentId?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** What went wrong. */
  readonly error?: string;
  /** `traceparent` of the caller, whose trace is another one. */
  readonly caller?: string;
}

/**
 * The trace of an operation: 16 bytes, from its request id. So all processes name the same trace, and none has to tell
 * another one. S5.5
 */
export function traceIdOf(operation: string): string {
  return hashOf(operation).slice(0, 32);
}

export function operationSpanId(operation: string): string {
  return hashOf('operation', operation).slice(0, 16);
}

/** Of an event, which is unique on its entity within an operation. */
export function eventSpanId(operation: string, entity: string, event: string): string {
  return hashOf('event', operation, entity, event).slice(0, 16);
}

export function transitionSpanId(life: string, version: number): string {
  return hashOf('transition', life, String(version)).slice(0, 16);
}

function hashOf(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex');
}
