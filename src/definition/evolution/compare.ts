/*
 * What has changed between two models, and what that does to what runs. Q2
 *
 * compare.1. Every difference is a change, also a safe one, and each has one class. One difference that does two things is two
 *     changes.
 * compare.2. Schemas are compared in the direction in which values go: what old callers send is accepted by new code, what is
 *     stored is read by new code, and what new code shows is read by old callers.
 */
import { safe, type Change } from './change.js';
import { paired } from './context.js';
import type { Model } from './model.js';
import { resourceChanges } from './resource-changes.js';
import { typeChanges } from './type-changes.js';

/** The changes from one model to the other, type by type. */
export function compareModels(old: Model, next: Model): readonly Change[] {
  const { gone, came, both } = paired(old.entities, next.entities);
  return [
    ...gone.map(({ name }): Change => ({
      place: name,
      class: 'strands-entities',
      sentence: `The type ${name} is gone, and nobody runs the entities that live.`,
      remedy: `A type is never renamed. Keep ${name} until its entities have handed over to those of the new type and ended.`,
      covered: false,
      touches: { type: name },
    })),
    ...came.map(({ name }) => safe(name, `The type ${name} is new.`)),
    ...both.flatMap(([one, other]) => typeChanges({ old: one, next: other })),
    ...resourceChanges(old.resources, next.resources),
  ];
}

/** Whether a change needs something that is not there. */
export function isOpen({ class: kind, covered }: Change): boolean {
  return kind !== 'safe' && !covered;
}
