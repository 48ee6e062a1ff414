/** The values of a column, by kind. Integers fit a JSON number. */
interface Values {
  readonly integer: number;
  readonly number: number;
  readonly text: string;
  readonly texts: readonly string[];
  readonly uuid: string;
  readonly boolean: boolean;
  readonly time: Date;
  readonly day: string;
  readonly json: unknown;
}

export type Kind = keyof Values;

/** A column of a view: the kind of its values, and where they come from. */
export interface Column<K extends Kind = Kind, N extends boolean = boolean> {
  readonly kind: K;
  readonly nullable: N;
  readonly sql: string;
}

export type Columns = Readonly<Record<string, Column>>;

/** A row of a view, as readers get it. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer K, infer N>
    ? true extends N
      ? Values[K] | null
      : Values[K]
    : never;
};

export function always<K extends Kind>(kind: K, sql: string): Column<K, false> {
  return { kind, nullable: false, sql };
}

export function maybe<K extends Kind>(kind: K, sql: string): Column<K, true> {
  return { kind, nullable: true, sql };
}
