import type { FunctionName } from './functions.js';
import type { Navigation, Property } from './model.js';
import type { Type } from './type.js';

export type Comparison = 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le';
export type Arithmetic = 'add' | 'sub' | 'mul' | 'div' | 'divby' | 'mod';

/** A value inside a row. It is reached over ways to other single rows, and then along the names of properties. */
export interface Place {
  /** The variable of a lambda. Without one, it is the row that the option is about. */
  readonly variable?: string;
  readonly through: readonly Navigation[];
  readonly path: readonly string[];
}

/** Many values or rows inside a row. */
export type Collection =
  | { readonly kind: 'values'; readonly place: Place; readonly of: Property }
  | { readonly kind: 'rows'; readonly place: Place; readonly navigation: Navigation };

export interface Literal {
  readonly kind: 'literal';
  readonly type: Type;
  /**
   * The value as a text. Numbers are as they were written, a dateTime is ISO 8601 with its offset, a date is `2026-11-21`, a guid
   * is in lower case, a duration is in seconds, and null is ''.
   */
  readonly value: string;
}

/** A checked expression: its names exist, and its types fit. */
export type Expression =
  | Literal
  | { readonly kind: 'property'; readonly type: Type; readonly place: Place }
  | { readonly kind: 'not' | 'negate'; readonly type: Type; readonly operand: Expression }
  | {
      readonly kind: 'logic';
      readonly type: Type;
      readonly operator: 'and' | 'or';
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'comparison';
      readonly type: Type;
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: 'arithmetic';
      readonly type: Type;
      readonly operator: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'in'; readonly type: Type; readonly operand: Expression; readonly values: readonly Literal[] }
  | {
      readonly kind: 'call';
      readonly type: Type;
      readonly name: FunctionName;
      readonly operands: readonly Expression[];
    }
  | {
      readonly kind: 'lambda';
      readonly type: Type;
      readonly quantifier: 'any' | 'all';
      readonly collection: Collection;
      /** The name of the variable. It differs from those of all lambdas around it. */
      readonly variable: string;
      readonly condition: Expression;
    }
  | { readonly kind: 'count'; readonly type: Type; readonly collection: Collection };

/** The result of an operator or a function that is applied to null. */
export const NULL: Literal = { kind: 'literal', type: { kind: 'null' }, value: '' };
export const BOOLEAN = { kind: 'boolean' } as const;
export const INTEGER = { kind: 'integer' } as const;
export const DOUBLE = { kind: 'double' } as const;
export const DATE_TIME = { kind: 'dateTime' } as const;
