import { sql } from 'kysely';
import type { Expression, Literal } from '../expression.js';
import type { Environment } from './environment.js';
import type { Sql } from './sql.js';

/**
 * For the equality of a property within a JSON column: the condition that the column contains the value. The equality implies
 * this condition, but an index on the column (GIN) serves only this. Gives nothing where it cannot be said.
 */
export function containmentSql({ root }: Environment, left: Expression, right: Expression): readonly Sql[] {
  const [property, literal] = left.kind === 'literal' ? [right, left] : [left, right];
  if (property.kind !== 'property' || literal.kind !== 'literal') return [];
  const { variable, through, path } = property.place;
  const [column, ...names] = path;
  const value = jsonOf(literal);
  if (variable !== undefined || through.length > 0 || column === undefined || names.length === 0) return [];
  if (value === undefined) return [];
  const contained = names.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);
  return [sql`${sql.id(root.alias, column)} @> ${contained}::jsonb`];
}

/** A literal as JSON. Gives `undefined` for kinds that JSON can write as several texts. */
function jsonOf({ type, value }: Literal): string | undefined {
  switch (type.kind) {
    case 'string':
    case 'enum':
      return JSON.stringify(value);
    case 'integer':
    case 'double':
      // A literal may have digits that JSON does not allow, as in `007`.
      return Number.isFinite(Number(value)) && /^-?(0|[1-9])/.test(value) && !/^-?0\d/.test(value) ? value : undefined;
    case 'boolean':
      return value;
    default:
      return undefined;
  }
}
