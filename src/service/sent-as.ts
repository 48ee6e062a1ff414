import { sameEntity } from '../protocol/names.js';
import { Rejected } from '../protocol/errors.js';
import type { Guard } from './guard.js';
import type { OperationAddress } from './read-operation.js';
import type { Expression, Literal, Query } from './odata/index.js';
import type { ServiceParts } from './parts.js';
import { ProblemError } from './problem.js';

/*
 * Requests by the idempotency key with which they were sent. Their ids are longer: `r1~SqmN2YbZv5bK`. S2.5
 *
 * sent-as.1. An id that is there as it is goes first.
 * sent-as.2. A key stands for the caller's own requests; where there are none, operators may find those of others.
 */
type Parts = Pick<ServiceParts, 'places'>;

/** Does the work on an operation by its id, or else by the key that the caller has sent. @throws ProblemError 409 */
export async function bySentId<T>(
  { places }: Parts,
  guard: Guard,
  address: OperationAddress,
  work: (address: OperationAddress) => Promise<T>,
): Promise<T> {
  try {
    return await work(address);
  } catch (thrown) {
    if (!isAbsent(thrown)) throw thrown;
    const { on } = address;
    const sent = (await places.sentAs(address.id, guard)).filter((each) => !on || !each.on || sameEntity(each.on, on));
    const [one, ...others] = sent;
    if (!one) throw thrown;
    if (others.length === 0) return work(one);
    const ids = sent.map(({ id }) => id);
    const message = `'${address.id}' was sent to ${ids.length} entities. Name one of the operations: ${ids.slice(0, 5).join(', ')}.`;
    throw new ProblemError('ambiguous_operation', message);
  }
}

/** The operation that is there under an id, or else under the key that the caller has sent, where that is one. */
export async function sentAddress(
  { places }: Parts,
  guard: Guard,
  address: OperationAddress,
  look: (address: OperationAddress) => Promise<unknown>,
): Promise<OperationAddress> {
  const isNew = await look(address).then(() => false, isAbsent);
  const sent = isNew ? await places.sentAs(address.id, guard) : [];
  return sent.length === 1 ? sent[0]! : address;
}

function isAbsent(thrown: unknown): boolean {
  return (thrown instanceof Rejected || thrown instanceof ProblemError) && thrown.code === 'absent';
}

/** The properties that hold request ids of events. In the audit trail, `request_id` is that of the HTTP request. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  operations: ['request_id'],
  state_machine_events: ['request_id'],
  rejected_events: ['request_id'],
  audit_trail: ['operation'],
  entities: ['operation'],
  pending_callbacks: ['operation'],
};

/** The same query, which also finds the ids for which the keys in its filter stand. */
export async function withSentIds({ places }: Parts, guard: Guard, query: Query): Promise<Query> {
  if (!query.filter) return query;
  return { ...query, filter: await within(query.filter) };

  async function within(filter: Expression): Promise<Expression> {
    switch (filter.kind) {
      case 'not':
        return { ...filter, operand: await within(filter.operand) };
      case 'logic':
        return { ...filter, left: await within(filter.left), right: await within(filter.right) };
      case 'comparison': {
        const [of, literal] =
          filter.left.kind === 'literal' ? [filter.right, filter.left] : [filter.left, filter.right];
        if (!isId(of) || literal.kind !== 'literal' || !['eq', 'ne'].includes(filter.operator)) return filter;
        const values = await meantBy(literal);
        if (values.length === 1) return filter;
        const among: Expression = { kind: 'in', type: filter.type, operand: of, values };
        return filter.operator === 'eq' ? among : { kind: 'not', type: filter.type, operand: among };
      }
      case 'in':
        if (!isId(filter.operand)) return filter;
        return { ...filter, values: (await Promise.all(filter.values.map(meantBy))).flat() };
      default:
        return filter;
    }
  }

  function isId(of: Expression): boolean {
    if (of.kind !== 'property' || of.place.variable !== undefined || of.place.path.length !== 1) return false;
    const { table } = of.place.through.at(-1)?.target() ?? query.model;
    return IDS[table]?.includes(of.place.path[0]!) ?? false;
  }

  async function meantBy(literal: Literal): Promise<readonly Literal[]> {
    if (literal.type.kind !== 'string') return [literal];
    const sent = await places.sentAs(literal.value, guard);
    return [literal, ...sent.map(({ id }) => ({ ...literal, value: id }))];
  }
}
