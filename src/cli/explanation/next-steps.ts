import type { ExplainedEntity, ExplainedNode, Explanation } from '../../client/explain/explanation.js';
import type { AllowedEvent } from '../api/entity.js';

/** For more entities than that, nobody reads the next step of each. */
const MOST = 5;

/** The entities that rest in an error state: they do nothing by themselves, and nothing says so but the state. S5.4 */
export function restingInError({ entities, stuck }: Explanation): readonly ExplainedEntity[] {
  const told = new Set(stuck.map(({ who }) => who));
  const all = entities.flatMap(withBelow);
  return all.filter(({ entity, settled, health }) => settled && health === 'error' && !told.has(entity)).slice(0, MOST);
}

function withBelow(node: ExplainedNode): readonly ExplainedEntity[] {
  return node.kind === 'entity' ? [node, ...node.below.flatMap(withBelow)] : [];
}

/** Gives the next step for an entity in an error state, with the events that are valid in it. */
export function nextStep(entity: string, events: readonly AllowedEvent[]): string {
  const valid = events.filter(({ allowed }) => allowed).map(({ event }) => event);
  if (valid.length === 0) return `Next: fix the cause. No event is valid on ${entity} now; see 'reeve get ${entity}'.`;
  const [only] = valid;
  if (valid.length === 1) return `Next: fix the cause, then 'reeve raise ${entity} ${only}'.`;
  // A person decides: one of them may delete it.
  return `Next: fix the cause, then raise one of ${valid.join(', ')} ('reeve raise ${entity} EVENT').`;
}

/** Gives the next step for an operation that has failed; nothing for others. */
export function nextOfOperation({ operation }: Explanation): readonly string[] {
  if (operation?.kind !== 'ended' || operation.outcome === 'success') return [];
  const [entity] = operation.errors.map((error) => error.entity).slice(-1);
  return entity === undefined ? [] : [`Next: 'reeve explain ${entity}' shows what is valid there now.`];
}
