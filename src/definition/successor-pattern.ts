import type { Condition } from './condition.js';
import type { AnyEntity, StateOf } from './entity.js';
import { keyOf } from './key.js';
import type { AnyKeyParts, KeyOf } from './key-schema.js';
import type { Predicate, SuccessorFilter, SuccessorQuality, SuccessorTest } from './predicate.js';

/** A type is named by its declaration, or by its name where two declarations watch each other. */
type TypeReference = AnyEntity | string;
type StateNameOf<Type> = Type extends AnyEntity ? StateOf<Type> : string;
type KeyOfReferred<Type> = Type extends AnyEntity ? KeyOf<Type> : string;

/** Describes which successors are meant (`of`, `role`, `key`), and what they have to be (`in`, `is`). S4.3 */
export interface SuccessorPattern<Type extends TypeReference> {
  /** Only entities of this type. Default: of any type. */
  readonly of?: Type;
  /** Only those that were created, or on which events were raised, in this role. */
  readonly role?: string;
  /** Only the one with this key. */
  readonly key?: KeyOfReferred<Type>;
  /** It is in this state, or in one of these. */
  readonly in?: StateNameOf<Type> | readonly StateNameOf<Type>[];
  /** It is `accepted`, `settled`, `healthy`, `failed`, `lost` or `rejected`. */
  readonly is?: SuccessorQuality;
}

function keyText(of: TypeReference | undefined, key: string | AnyKeyParts): string {
  // A key can be given by its parts only where the type is named by its declaration.
  return typeof of === 'object' ? keyOf(of, key) : (key as string);
}

function partsOf<Type extends TypeReference>(
  pattern: SuccessorPattern<Type>,
): { readonly filter: SuccessorFilter; readonly test: SuccessorTest } {
  const { of, role, key, is } = pattern;
  const states = pattern.in as string | readonly string[] | undefined;
  return {
    filter: {
      ...(of !== undefined && { type: typeof of === 'string' ? of : of.name }),
      ...(role !== undefined && { role }),
      ...(key !== undefined && { key: keyText(of, key) }),
    },
    test: {
      ...(states !== undefined && { in: typeof states === 'string' ? [states] : states }),
      ...(is !== undefined && { is }),
    },
  };
}

/** True when there is such a successor and every one of them passes; `all` of none is false. */
export function all<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return { kind: 'all', ...partsOf(pattern) };
}

/** True when at least one such successor passes. */
export function any<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return { kind: 'any', ...partsOf(pattern) };
}

/** True when no such successor passes; `none({ of: Alias })` is true until there is an alias. */
export function none<const Type extends TypeReference = string>(pattern: SuccessorPattern<Type>): Predicate {
  return { kind: 'none', ...partsOf(pattern) };
}

/** True when at least so many such successors pass: a whole number from 1. */
export function atLeast<const Type extends TypeReference = string>(
  count: number,
  pattern: SuccessorPattern<Type>,
): Predicate {
  return { kind: 'atLeast', count, ...partsOf(pattern) };
}

/** True when all parts are. The parts are patterns of successors, or conditions of a guard. */
export function and(...predicates: readonly Predicate[]): Predicate;
export function and<Subject extends string>(...predicates: readonly Condition<Subject>[]): Condition<Subject>;
export function and<Part>(...predicates: readonly Part[]): {
  readonly kind: 'and';
  readonly predicates: readonly Part[];
} {
  return { kind: 'and', predicates };
}

/** True when at least one part is. The parts are patterns of successors, or conditions of a guard. */
export function or(...predicates: readonly Predicate[]): Predicate;
export function or<Subject extends string>(...predicates: readonly Condition<Subject>[]): Condition<Subject>;
export function or<Part>(...predicates: readonly Part[]): {
  readonly kind: 'or';
  readonly predicates: readonly Part[];
} {
  return { kind: 'or', predicates };
}

/** True when the pattern of successors, or the condition of a guard, is not. */
export function not(predicate: Predicate): Predicate;
export function not<Subject extends string>(predicate: Condition<Subject>): Condition<Subject>;
export function not<Part>(predicate: Part): { readonly kind: 'not'; readonly predicate: Part } {
  return { kind: 'not', predicate };
}
