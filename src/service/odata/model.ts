/*
 * What can be queried: types of rows, described as data. Columns are named as the properties. What an object or a
 * collection holds lies in one JSON column.
 */

export type ScalarKind = 'string' | 'integer' | 'double' | 'boolean' | 'dateTime' | 'date' | 'guid';

export type Property = {
  readonly required?: boolean;
  /** It never changes. */
  readonly fixed?: boolean;
} & (
  | { readonly kind: ScalarKind }
  /** `displayNames`: what people read instead of some of the values. */
  | {
      readonly kind: 'enum';
      readonly values: readonly string[];
      readonly displayNames?: Readonly<Record<string, string>>;
    }
  /** `open`: there may be others. */
  | { readonly kind: 'object'; readonly properties: Properties; readonly open?: boolean }
  | { readonly kind: 'collection'; readonly of: Property }
  /** Any JSON: it can be selected, and compared with null. `mapOf`: an object from any names to such values. */
  | { readonly kind: 'json'; readonly mapOf?: Property }
);

export type Properties = Readonly<Record<string, Property>>;

/** A way from a row to rows of another type (or of the same one). */
export interface Navigation {
  readonly name: string;
  readonly many: boolean;
  /** The rows belong to this one alone, and are nowhere else. */
  readonly contained?: boolean;
  /** A function, since types may lead to each other. */
  readonly target: () => EntityModel;
  /** Which properties must be equal, own first. */
  readonly on: readonly (readonly [own: Own, theirs: string])[];
}

/** A property of the own row; or within one, along a path, a text or a collection of texts, any of which may be equal. */
export type Own = string | { readonly text: Path } | { readonly anyOf: Path };
type Path = readonly [string, ...string[]];

/** A place of rows: `/api/operations/{id}`, by `request_id`. Beneath it are the collections to which a row leads. */
export interface Served {
  readonly path: string;
  /** The properties that stand for what is in braces. */
  readonly by: readonly string[];
}

/** Rows that lie within one JSON column of other rows: an object from the key of each to what it holds. */
export interface Within {
  readonly owner: () => EntityModel;
  /** Where the object is: a column of the owner, and names within it. */
  readonly path: Path;
  /** The property that tells those of one owner apart: its value is the name in the object. */
  readonly named: string;
  /** The property that is all that lies under the name; without it, each property is a member of that. */
  readonly whole?: string;
}

/** Properties without columns of their own: the parts of a key, cut out of its text in their order (`key-text.ts`). */
export interface KeyParts {
  readonly column: string;
  /** Texts, or whole numbers. */
  readonly names: readonly string[];
}

/** The column of what lies within other rows that names the owner by its key. No property has this name. */
export const OWNER = '@owner';

export interface EntityModel {
  /** For people, as in messages: `operations`. */
  readonly name: string;
  /** The table or view with the rows, or with those within which they lie. */
  readonly table: string;
  /** Where the rows have no table of their own. */
  readonly within?: Within;
  /**
   * The rows that belong to it, by the values of columns; without it, all rows of the table. Of a list of texts: any of them.
   */
  readonly only?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** Where one of its rows is served; needed where it leads to collections. */
  readonly served?: Served;
  /** The properties that tell rows apart, none of them ever null. They complete every order. */
  readonly key: readonly [string, ...string[]];
  readonly properties: Properties;
  /** Where the key has several parts. */
  readonly keyParts?: KeyParts;
  /** What is told besides by a read of a single one, and by no list: it cannot be filtered or ordered by. */
  readonly live?: Properties;
  /** Properties that every row has, and that a read of a single one may lack for a while. */
  readonly late?: readonly string[];
  readonly navigation: readonly Navigation[];
}

/** A member by its exact name, never one that every JavaScript object has. */
export function propertyNamed(properties: Properties, name: string): Property | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

export function navigationNamed(model: EntityModel, name: string): Navigation | undefined {
  return model.navigation.find((navigation) => navigation.name === name);
}
