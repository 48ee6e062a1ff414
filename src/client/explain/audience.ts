import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { OperationWait } from '../../operations/explain.js';
import type { ExplainedOperation } from './explanation.js';

/** An entity that an explanation reaches. */
export interface Met extends EntityRef {
  /** Its tenant, where it has told that itself. */
  readonly owner?: { readonly tenant: string | undefined };
  /** Its life, where it could not be read and Temporal knows it. */
  readonly life?: string;
}

/** Tells who gets an explanation. Entities that they may not see read as `hidden`, and so do entities that do not exist. S6.5 */
export interface Audience {
  /** Tells whether they may see everything. */
  readonly everything: boolean;
  shows(met: Met): Promise<boolean>;
}

export const EVERYBODY: Audience = { everything: true, shows: () => Promise.resolve(true) };

/** The explanation of an operation, without entities that the audience may not see. */
export async function toldTo(audience: Audience, operation: ExplainedOperation): Promise<ExplainedOperation> {
  if (audience.everything || operation.kind === 'unread') return operation;
  const shown = await namesShown(audience, namedBy(operation));
  const errors = operation.errors.filter(({ entity }) => shown.has(entity));
  if (operation.kind === 'ended') return { ...operation, errors };
  const { refusals } = operation;
  return {
    ...operation,
    errors,
    ...(refusals && { refusals: refusals.filter(({ entity }) => shown.has(entity)) }),
    interruptions: operation.interruptions.filter(({ entity }) => shown.has(entity)),
    open: operation.open.filter(({ entity }) => shown.has(entity)),
    waitingRaises: operation.waitingRaises.filter(({ by, on }) => shown.has(by) && shown.has(on)),
  };
}

function namedBy(operation: Exclude<ExplainedOperation, { kind: 'unread' }>): ReadonlySet<string> {
  const errors = operation.errors.map(({ entity }) => entity);
  return new Set(operation.kind === 'ended' ? errors : [...errors, ...namedByWait(operation)]);
}

function namedByWait({ refusals = [], interruptions, open, waitingRaises }: OperationWait): readonly string[] {
  const entities = [...refusals, ...interruptions, ...open].map(({ entity }) => entity);
  return [...entities, ...waitingRaises.flatMap(({ by, on }) => [by, on])];
}

/** Gives those of these entities that the audience may see. */
export async function namesShown(audience: Audience, names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const name of names) {
    const ref = parseEntityId(name);
    if (ref && (await audience.shows(ref))) shown.add(name);
  }
  return shown;
}
