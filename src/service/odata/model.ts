/*
 * Describes as data what can be queried: types of rows. Columns have the names of the properties. What an object or a collection
 * holds is in one JSON column.
 */

export type ScalarKind = 'string' | 'integer' | 'double' | 'boolean' | 'dateTime' | 'date' | 'guid';

export type Property = {
  readonly required?: boolean;
  /** Tells whether it never changes. */
  readonly fixed?: boolean;
  /** Tells whether the rows hold it encrypted, so that a query can select it and do nothing else. Q5 */
  readonly secret?: boolean;
} & (
  | { readonly kind: ScalarKind }
  /** `displayNames` has what people read instead of some of the values. */
  | {
      readonly kind: 'enum';
      readonly values: readonly string[];
      readonly displayNames?: Readonly<Record<string, string>>;
    }
  /** `open` says that there may be other properties. */
  | { readonly kind: 'object'; readonly properties: Properties; readonly open?: boolean }
  | { readonly kind: 'collection'; readonly of: Property }
  /** Any JSON. It can be selected, and compared with null. With `mapOf`, it is an object from any names to such values. */
  | { readonly kind: 'json'; readonly mapOf?: Property }
);

export type Properties = Readonly<Record<string, Property>>;

/** A way from a row to rows of another type (or of the same one). */
export interface Navigation {
  readonly name: string;
  readonly many: boolean;
  /** Tells whether the rows belong to this one alone, and are nowhere else. */
  readonly contained?: boolean;
  /** The model of the other rows. It is a function, since types may lead to each other. */
  readonly target: () => EntityModel;
  /** Which properties must be equal. The own one comes first. */
  readonly on: readonly (readonly [own: Own, theirs: string])[];
}

/** A property of the own row, or a place within one: a text, or a collection of texts of which any may be equal. */
export type Own = string | { readonly text: Path } | { readonly anyOf: Path };
type Path = readonly [string, ...string[]];

/** A member of a row that comes from another relation. */
export interface Annotation {
  readonly table: string;
  readonly column: string;
  /** Which rows of the relation, by the values of columns. */
  readonly only: Readonly<Record<string, string | number>>;
  /** Which properties of the row are equal to which columns. The own one comes first. */
  readonly on: readonly (readonly [own: string, theirs: string])[];
  /** Tells whether it is for those alone who may see the rows of the relation, and not for all who see the row. */
  readonly guarded?: true;
}

/** Where a row is served: `/api/operations/{id}`, by `request_id`. The collections to which a row leads are beneath it. */
export interface Served {
  readonly path: string;
  /** The properties whose values are in the braces, in their order. */
  readonly by: readonly string[];
}

/** Rows that are within one JSON column of other rows. The column has an object from the key of each row to its value. */
export interface Within {
  readonly owner: () => EntityModel;
  /** The place of the object: a column of the owner, and names within it. */
  readonly path: Path;
  /** The property that tells the rows of one owner apart. Its value is the name in the object. */
  readonly named: string;
  /** The property for the whole value under the name. Without it, each property is a member of that value. */
  readonly whole?: string;
}

/** Properties without columns of their own. They are the parts of a key, cut out of its text in their order (`key-text.ts`). */
export interface KeyParts {
  readonly column: string;
  /** The names of the parts. Their values are texts or whole numbers. */
  readonly names: readonly string[];
}

/** The column that names the owner by its key, for rows that are within other rows. No property has this name. */
export const OWNER = '@owner';

export interface EntityModel {
  /** The name for people, as in messages: `operations`. */
  readonly name: string;
  /** The table or view with the rows, or with the rows that hold them. */
  readonly table: string;
  /** Where the rows are, if they have no table of their own. */
  readonly within?: Within;
  /**
   * The rows that belong to it, by the values of columns. Where the value is a list, any of its texts will do. Without `only`, it
   * is all rows of the table.
   */
  readonly only?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Where one of its rows is served. It must be there where a row leads to collections. */
  readonly served?: Served;
  /** The properties that tell rows apart. None of them is ever null. They complete every order. */
  readonly key: readonly [string, ...string[]];
  readonly properties: Properties;
  /** The parts of the key, where it has several. */
  readonly keyParts?: KeyParts;
  /**
   * The properties that only a single read tells, in addition to the row. No list has them, so nothing can be filtered or ordered by them.
   */
  readonly live?: Properties;
  /** Members that say more of a row, by their names. No query can ask for them, and rows about which there is nothing lack them. */
  readonly annotations?: Readonly<Record<string, Annotation>>;
  /** Properties that every row has, but that a read of a single one may lack for a while. */
  readonly late?: readonly string[];
  readonly navigation: readonly Navigation[];
}

/** A member by its exact name. It is never one that every JavaScript object has. */
export function propertyNamed(properties: Properties, name: string): Property | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function navigationNamed(model: EntityModel, name: string): Navigation | undefined {
  return model.navigation.find((navigation) => navigation.name === name);
}
