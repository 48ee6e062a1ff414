import type { EntityModel, Navigation, Property } from '../odata/index.js';
import { membersOf } from './row-members.js';
import { ALL_VIEWS, withDimensions, type Kind, type StoreViews } from '../../store/index.js';

const PROPERTIES: Readonly<Record<Kind, Property>> = {
  integer: { kind: 'integer' },
  number: { kind: 'double' },
  text: { kind: 'string' },
  texts: { kind: 'collection', of: { kind: 'string', required: true } },
  uuid: { kind: 'guid' },
  boolean: { kind: 'boolean' },
  time: { kind: 'dateTime' },
  day: { kind: 'date' },
  json: { kind: 'json' },
};

/** The model of a view of the store, which says what a query can ask of it, with a property for each dimension. */
export function viewModel(
  name: keyof StoreViews,
  dimensions: readonly string[],
  navigation: readonly Navigation[] = [],
): EntityModel {
  const view = ALL_VIEWS.find((candidate) => candidate.name === name);
  if (!view) throw new Error(`The store has no view '${name}'.`);
  const { columns } = withDimensions(view, dimensions);
  const [first = name, ...rest] = view.key;
  return {
    name,
    table: name,
    key: [first, ...rest],
    properties: Object.fromEntries(
      Object.entries(columns).map(([column, { kind, nullable }]) => [
        column,
        { ...PROPERTIES[kind], required: !nullable },
      ]),
    ),
    annotations: membersOf(name),
    navigation,
  };
}
