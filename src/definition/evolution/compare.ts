/*
 * Finds what has changed between two models, and what that does to what runs. Q2
 *
 * compare.1. Every difference is a change, also a safe one, and each has one class. One difference that does two things is two
 *     changes.
 * compare.2. Schemas are compared in the direction in which values go: what old callers send is accepted by new code, what is
 *     stored is read by new code, and what new code shows is read by old callers.
 * compare.3. What cannot be compared counts as a change that is not safe: code of which the text has changed, or cannot be read, and
 *     whatever differs and none of the comparisons has noticed.
 */
import { componentChanges } from './component-changes.js';
import { distributedChanges } from './distributed-changes.js';
import { safe, type Change } from './change.js';
import { paired } from './context.js';
import type { Model } from './model.js';
import { resourceChanges } from './resource-changes.js';
import { typeChanges } from './type-changes.js';
import { unnoticedChanges } from './unnoticed-changes.js';

/** The changes from one model to the other, type by type. */
export function compareModels(old: Model, next: Model): readonly Change[] {
  const { gone, came, both } = paired(old.entities, next.entities);
  return [
    ...gone.map(({ name }): Change => ({
      place: name,
      class: 'strands-entities',
      sentence: `The type ${name} was removed. Its live entities cannot run.`,
      remedy: `A type is never renamed. Keep ${name} until its entities have handed over to those of the new type and ended.`,
      covered: false,
      touches: { type: name },
    })),
    ...came.map(({ name }) => safe(name, `The type ${name} is new.`)),
    ...both.flatMap(([one, other]) => {
      const versions = { old: one, next: other };
      const changes = typeChanges(versions);
      return [...changes, ...unnoticedChanges(versions, changes)];
    }),
    ...resourceChanges(old.resources, next.resources),
    ...componentChanges(old.components, next.components),
    ...distributedChanges(old.distributed, next.distributed),
  ];
}

/** Tells whether a change needs something that is not there. */
export function isOpen({ class: kind, covered }: Change): boolean {
  return kind !== 'safe' && !covered;
}
