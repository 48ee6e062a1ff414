import type { Expression } from './expression.js';
import type { EntityModel, Property } from './model.js';
import type { TokenReader } from './token-reader.js';

/** The possible beginnings of a path: the row that the option is about, or a variable of a lambda around it. */
export interface Scope {
  readonly model: EntityModel;
  readonly variables: ReadonlyMap<string, Variable>;
}

/** The meaning of a variable: one value or one row of a collection. */
export type Variable =
  { readonly kind: 'value'; readonly property: Property } | { readonly kind: 'row'; readonly model: EntityModel };

/** A function that reads an expression within another one. */
export type Inner = (reader: TokenReader, scope: Scope) => Expression;

export function scopeOf(model: EntityModel): Scope {
  return { model, variables: new Map() };
}

export function withVariable(scope: Scope, name: string, variable: Variable): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, variable]]) };
}
