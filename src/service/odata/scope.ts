import type { Expression } from './expression.js';
import type { EntityModel, Property } from './model.js';
import type { TokenReader } from './token-reader.js';

/** What a name can begin with: the row that the option is about, and the variables of the lambdas around. */
export interface Scope {
  readonly model: EntityModel;
  readonly variables: ReadonlyMap<string, Variable>;
}

/** What stands for one value or one row of a collection. */
export type Variable =
  { readonly kind: 'value'; readonly property: Property } | { readonly kind: 'row'; readonly model: EntityModel };

/** Reads an expression within another one. */
export type Inner = (reader: TokenReader, scope: Scope) => Expression;

export function scopeOf(model: EntityModel): Scope {
  return { model, variables: new Map() };
}

export function withVariable(scope: Scope, name: string, variable: Variable): Scope {
  return { ...scope, variables: new Map([...scope.variables, [name, variable]]) };
}
