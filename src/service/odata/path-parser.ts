import type { Collection, Expression, Place } from './expression.js';
import { navigationNamed, propertyNamed, type EntityModel, type Properties, type Property } from './model.js';
import type { Scope } from './scope.js';
import type { TokenReader } from './token-reader.js';
import type { Token } from './tokens.js';

/** Where a path leads: to a value, or to a collection, which a question follows (`any`, `all`, `$count`). */
export type Target =
  | { readonly kind: 'value'; readonly expression: Expression; readonly secret?: boolean }
  | { readonly kind: 'collection'; readonly collection: Collection; readonly secret?: boolean };

/** How far a path has come: within a row, or within a value that a row holds. */
type Reached =
  | { readonly kind: 'row'; readonly model: EntityModel }
  | { readonly kind: 'value'; readonly property: Property; readonly properties?: Properties };

/** Reads a path such as `name`, `properties/port`, `operation/name` or `events`, and finds where it leads. */
export function parsePath(reader: TokenReader, scope: Scope): Target {
  const first = reader.expectWord('a name');
  let place: Place = { through: [], path: [] };
  const variable = scope.variables.get(first.text);
  let reached: Reached = { kind: 'row', model: scope.model };
  if (variable) {
    place = { ...place, variable: first.text };
    reached = variable;
  }
  let token = first;
  let secret = false;
  if (variable || first.text === '$it') {
    if (!reader.takeSign('/')) return whole(reader, first, place, reached);
    token = reader.expectWord('a name');
  }
  for (;;) {
    reader.countNode(token.position);
    if (reached.kind === 'row') {
      const navigation = navigationNamed(reached.model, token.text);
      if (navigation?.many === true) return { kind: 'collection', collection: { kind: 'rows', place, navigation } };
      if (navigation) {
        place = { ...place, through: [...place.through, navigation] };
        reached = { kind: 'row', model: navigation.target() };
        if (!reader.takeSign('/')) reader.fail('wrong_type', token.position, `name a property of '${token.text}'`);
        token = reader.expectWord('a name');
        continue;
      }
    }
    const property = propertyIn(reader, token, reached);
    secret ||= property.secret === true;
    place = { ...place, path: [...place.path, token.text] };
    reached = { kind: 'value', property };
    if (property.kind === 'collection' || !reader.takeSign('/'))
      return { ...whole(reader, token, place, reached), secret };
    token = reader.expectWord('a name');
  }
}

function whole(reader: TokenReader, token: Token, place: Place, reached: Reached): Target {
  if (reached.kind === 'row') {
    return reader.fail('wrong_type', token.position, `'${token.text}' is a whole row; name one of its properties`);
  }
  const { property } = reached;
  if (property.kind === 'collection') {
    return { kind: 'collection', collection: { kind: 'values', place, of: property.of } };
  }
  return { kind: 'value', expression: { kind: 'property', type: property, place } };
}

function propertyIn(reader: TokenReader, token: Token, reached: Reached): Property {
  const { text, position } = token;
  refuseSpecial(reader, token);
  if (reached.kind === 'value' && reached.property.kind !== 'object') {
    return reader.fail('unknown_name', position, `there is no '${text}': what stands before it has no properties`);
  }
  const { properties } = reached.kind === 'row' ? reached.model : objectOf(reached.property);
  const property = propertyNamed(properties, text);
  if (property) return property;
  const where = reached.kind === 'row' ? ` in ${reached.model.name}` : '';
  return reader.fail('unknown_name', position, `there is no '${text}'${where}; ${list(properties)}`);
}

function objectOf(property: Property): { readonly properties: Properties } {
  return property.kind === 'object' ? property : { properties: {} };
}

/** Refuses names that the language knows and this service does not. */
export function refuseSpecial(reader: TokenReader, { text, position }: Token): void {
  if (text.startsWith('$')) reader.fail('unsupported', position, `'${text}' is not supported here`);
  if (text.startsWith('@')) {
    reader.fail(
      'unsupported',
      position,
      `'${text}' is not supported, since there are no aliases of parameters and no annotations`,
    );
  }
  if (text.includes('.')) {
    reader.fail(
      'unsupported',
      position,
      `'${text}' is not supported, since there are no derived types and no bound functions`,
    );
  }
}

function list(properties: Properties): string {
  const names = Object.keys(properties);
  return names.length === 0 ? 'nothing is declared there' : `there are ${names.join(', ')}`;
}
