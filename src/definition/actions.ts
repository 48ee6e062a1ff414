import { didYouMean } from './did-you-mean.js';
import type { Action } from './action-context.js';
import type { Description } from './component-description.js';
import { DeclarationError, type DeclarationProblem } from './declaration-error.js';
import type { ActionOf, AnyEntity } from './entity.js';
import type { EntityView } from './entity-view.js';

/** The entity as it is when the action that enters the state takes effect. */
export type Deployer<E extends AnyEntity = AnyEntity> = Pick<
  EntityView<E>,
  'type' | 'key' | 'state' | 'properties' | 'links' | 'subordinates'
> & {
  /** The operation under which the state is entered. */
  readonly operation: string;
};

/** Describes what a state deploys. What it throws fails the action that would enter the state. W1 */
export type Deploys<E extends AnyEntity = AnyEntity> = (entity: Deployer<E>) => Description;

/** A declaration together with what its actions do, and with what its states deploy. */
export interface EntityImplementation<E extends AnyEntity = AnyEntity> {
  readonly entity: E;
  readonly actions: { readonly [A in ActionOf<E>]: Action<E, A> };
  readonly deploys?: Readonly<Record<string, Deploys<E>>>;
}

/** An implementation of any entity, for code that treats all alike. */
export interface AnyImplementation {
  readonly entity: AnyEntity;
  readonly actions: Readonly<Record<string, (app: never, input: never) => Promise<unknown>>>;
  readonly deploys?: Readonly<Record<string, (entity: never) => Description>>;
}

/**
 * Gives each declared action its code, and describes what states deploy. A missing action, or one that goes to a state that it
 * does not declare, does not compile.
 * @throws DeclarationError for code that was not compiled: a missing action, or one that is not declared; and for a state that
 *   deploys what nobody describes
 */
export function implementActions<E extends AnyEntity>(
  entity: E,
  actions: { readonly [A in ActionOf<E>]: Action<E, A> },
  { deploys = {} }: { readonly deploys?: Readonly<Record<string, Deploys<E>>> } = {},
): EntityImplementation<E> {
  const deployed = Object.values(entity.states).flatMap((state) => state.deploys ?? []);
  const at = `implementActions(${entity.name}, ...)`;
  const problems = [
    ...lacking(Object.keys(entity.actions), Object.keys(actions), {
      ...{ place: 'actions', has: 'code' },
      remedy: (name) => `Write it in ${at}: ${name}: async (app) => ..., or take it out of the declaration.`,
    }),
    ...lacking(deployed, Object.keys(deploys), {
      ...{ place: 'deploys', has: 'description' },
      remedy: (name) => `Write it in ${at}: { deploys: { ${name}: (entity) => ... } }, or let no state deploy it.`,
    }),
  ];
  if (problems.length > 0) throw new DeclarationError(entity.name, problems);
  return { entity, actions, deploys };
}

interface Lacked {
  readonly place: string;
  readonly has: string;
  readonly remedy: (name: string) => string;
}

/** Finds what is declared and not given, and what is given and not declared. */
function lacking(
  declared: readonly string[],
  given: readonly string[],
  { place, has, remedy }: Lacked,
): readonly DeclarationProblem[] {
  const missing = [...new Set(declared)].filter((name) => !given.includes(name));
  const strange = given.filter((name) => !declared.includes(name));
  return [
    ...missing.map((name) => ({
      place: `${place}.${name}`,
      problem: `is declared and has no ${has}`,
      remedy: remedy(name),
    })),
    ...strange.map((name) => ({
      place: `${place}.${name}`,
      problem: `has ${has} and is not declared`,
      remedy: `Declare it, or take it out.${didYouMean(name, missing)}`,
    })),
  ];
}
