import type { AnyEntity } from '../definition/entity.js';
import type { Resource } from '../definition/resource.js';
import type { CallbackQuestion, CallbackRound } from '../protocol/callback.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { addressOf, type CallbackSettings } from '../temporal/callback-address.js';
import { jsonSchemaOf, type JsonSchema } from './declared-schema.js';

/** An answer that an entity awaits from outside. Times are milliseconds since 1970. */
export interface PendingCallback {
  readonly id: string;
  /** The call that is answered: `approvals.ask`. */
  readonly call?: string;
  /** The event that is raised by the answer. */
  readonly event?: string;
  readonly since: number;
  readonly until: number;
  /** Where it is answered; none where this service does not know its own address. */
  readonly url?: string;
  /** The JSON Schema of the output; none where the call is of a resource that this service does not know. */
  readonly output?: JsonSchema;
}

/** The answers that can still come, the oldest first. */
export function pendingCallbacks(
  entity: AnyEntity,
  { type, key, life, callbacks = [], addresses = [], running, engagements, operation: last }: Snapshot,
  { now, settings, resources }: { now: number; settings: CallbackSettings | undefined; resources: readonly Resource[] },
): readonly PendingCallback[] {
  const operation = engagements.at(-1)?.operation ?? last?.id;
  const isAwaited = (round: CallbackRound) => running?.awaits?.some(({ wait }) => wait === round.id);
  const urlOf = ({ id, until }: CallbackRound, named: Pick<CallbackQuestion, 'call' | 'event' | 'operation'>) =>
    settings && { url: addressOf(settings, { id, until, of: { type, key, life }, ...named }).url };
  const questions = callbacks
    .filter((round) => !round.answer && !round.end && (round.until > now || isAwaited(round)))
    .map((round): PendingCallback => {
      const { id, call, askedAt: since, until } = round;
      const shape = shapeOf(resources, call);
      return {
        ...{ id, call, since, until },
        ...urlOf(round, { call, ...(operation !== undefined && { operation }) }),
        ...(shape && { output: jsonSchemaOf(shape.output, 'input') }),
      };
    });
  const events = addresses
    .filter(({ until }) => until > now)
    .map((address): PendingCallback => {
      const { id, event, madeAt: since, until } = address;
      const { params } = entity.events[event] ?? {};
      return {
        ...{ id, event, since, until },
        ...urlOf(address, { event }),
        ...(params && { output: jsonSchemaOf(params, 'input') }),
      };
    });
  return [...questions, ...events].sort((one, other) => one.since - other.since);
}

/** The declaration of a call, where its resource is known. */
export function shapeOf(resources: readonly Resource[], call: string) {
  for (const { name, calls } of resources) {
    const shape = call.startsWith(`${name}.`) ? calls[call.slice(name.length + 1)] : undefined;
    if (shape) return shape;
  }
  return undefined;
}
