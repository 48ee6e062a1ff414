import type { AnyEntity, StateOf } from './entity.js';

/** What is asked of one successor. Every part that is given must hold; with none, that it exists. S4.3 */
export interface SuccessorTest {
  readonly in?: readonly string[];
  /**
   * `settled`: at rest in a state that is not waiting. `healthy`: settled in a normal state.
   * `failed`: settled in an error state. `rejected`: the event that was raised on it was rejected.
   */
  readonly is?: 'settled' | 'healthy' | 'failed' | 'rejected';
}

/** Which successors are meant; every part that is given must hold. */
export interface SuccessorFilter {
  readonly type?: string;
  readonly role?: string;
  readonly key?: string;
}

/** A pattern in the states of an entity's successors, as data. S4.3 */
export type Predicate =
  | {
      readonly kind: 'all' | 'any' | 'none';
      readonly filter: SuccessorFilter;
      readonly test: SuccessorTest;
    }
  | { readonly kind: 'and' | 'or'; readonly predicates: readonly Predicate[] }
  | { readonly kind: 'not'; readonly predicate: Predicate };

/** A type is named by its declaration, or by its name where two declarations watch each other. */
type TypeReference = AnyEntity | string;
type StateNameOf<Type> = Type extends AnyEntity ? StateOf<Type> : string;

export interface SuccessorPattern<Type extends TypeReference> {
  readonly of?: Type;
  readonly role?: string;
  readonly key?: string;
  readonly in?: StateNameOf<Type> | readonly StateNameOf<Type>[];
  readonly is?: SuccessorTest['is'];
}

function quantified<Type extends TypeReference>(
  kind: 'all' | 'any' | 'none',
  pattern: SuccessorPattern<Type>,
): Predicate {
  const { of, role, key, is } = pattern;
  const states = pattern.in as string | readonly string[] | undefined;
  return {
    kind,
    filter: {
      ...(of !== undefined && { type: typeof of === 'string' ? of : of.name }),
      ...(role !== undefined && { role }),
      ...(key !== undefined && { key }),
    },
    test: {
      ...(states !== undefined && { in: typeof states === 'string' ? [states] : states }),
      ...(is !== undefined && { is }),
    },
  };
}

/** True when there is such a successor and every one of them passes; `all` of none is false. */
export function all<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return quantified('all', pattern);
}

/** True when at least one such successor passes. */
export function any<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return quantified('any', pattern);
}

/** True when no such successor passes; `none({ of: Alias })` is true until there is an alias. */
export function none<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return quantified('none', pattern);
}

export function and(...predicates: readonly Predicate[]): Predicate {
  return { kind: 'and', predicates };
}

export function or(...predicates: readonly Predicate[]): Predicate {
  return { kind: 'or', predicates };
}

export function not(predicate: Predicate): Predicate {
  return { kind: 'not', predicate };
}
