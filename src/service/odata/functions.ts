import type { Type } from './type.js';

type Kind = Type['kind'];

/** A function of the filter language. */
export interface FunctionShape {
  /** The kinds that each operand may be of. */
  readonly operands: readonly (readonly Kind[])[];
  /** How many of the last operands may be left out. */
  readonly optional?: number;
  readonly gives: Type;
}

const STRING: readonly Kind[] = ['string'];
const TIME: readonly Kind[] = ['dateTime'];
const DAY: readonly Kind[] = ['dateTime', 'date'];
const NUMBER: readonly Kind[] = ['double'];
const INTEGER: readonly Kind[] = ['integer'];

const shape = (
  gives: 'string' | 'boolean' | 'integer' | 'double' | 'date' | 'dateTime',
  ...operands: (readonly Kind[])[]
) => ({ operands, gives: { kind: gives } }) as const;

/**
 * The functions that are supported, by their names in lower case. Parts of a dateTime are those in UTC. Upper and lower case, and
 * the order of strings, are those of the database's locale.
 */
export const FUNCTIONS = {
  contains: shape('boolean', STRING, STRING),
  startswith: shape('boolean', STRING, STRING),
  endswith: shape('boolean', STRING, STRING),
  concat: shape('string', STRING, STRING),
  indexof: shape('integer', STRING, STRING),
  length: shape('integer', STRING),
  substring: { ...shape('string', STRING, INTEGER, INTEGER), optional: 1 },
  tolower: shape('string', STRING),
  toupper: shape('string', STRING),
  trim: shape('string', STRING),
  year: shape('integer', DAY),
  month: shape('integer', DAY),
  day: shape('integer', DAY),
  hour: shape('integer', TIME),
  minute: shape('integer', TIME),
  second: shape('integer', TIME),
  fractionalseconds: shape('double', TIME),
  date: shape('date', TIME),
  now: shape('dateTime'),
  totalseconds: shape('double', ['duration']),
  ceiling: shape('double', NUMBER),
  floor: shape('double', NUMBER),
  round: shape('double', NUMBER),
} as const satisfies Record<string, FunctionShape>;

export type FunctionName = keyof typeof FUNCTIONS;

export function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}
