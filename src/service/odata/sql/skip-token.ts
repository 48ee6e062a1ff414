import { createHash } from 'node:crypto';
import { z } from 'zod';
import { ODataError } from '../error.js';
import { NULL, type Literal } from '../expression.js';
import type { Type } from '../type.js';
import { MAX_LENGTH } from '../limits.js';
import type { OrderItem } from '../query.js';

/*
 * A skip token says after which row the next page starts. Clients do not look into it, and we do not trust it: it is checked as
 * strictly as any other option, and lets its holder read nothing that a $filter would not.
 */

/** Where a page starts. */
export interface Position {
  /** The values of the last row before, one for each item of the order. */
  readonly values: readonly Literal[];
  /** How many rows of `$top` are left. */
  readonly left?: number;
}

const Content = z.strictObject({
  order: z.string(),
  values: z.array(z.string().nullable()),
  left: z.int().positive().optional(),
});

const VALUES: Readonly<Partial<Record<Type['kind'], RegExp>>> = {
  integer: /^-?\d+$/,
  double: /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/,
  boolean: /^(true|false)$/,
  dateTime: /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])(:[0-5]\d){2}\.\d{6}Z$/,
  date: /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  guid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
  string: /^[^\0]*$/,
  enum: /^[^\0]*$/,
};

/**
 * Makes the token of a page.
 * @throws ODataError when the values of the order are too long for an address
 */
export function encodeSkipToken(
  items: readonly OrderItem[],
  values: readonly (string | null)[],
  left?: number,
): string {
  const content = { order: signature(items), values, ...(left !== undefined && { left }) };
  const token = Buffer.from(JSON.stringify(content)).toString('base64url');
  if (token.length <= MAX_LENGTH) return token;
  throw new ODataError('limit', '$orderby', 1, 'its values are too long to page by; order by something shorter');
}

/**
 * Reads a token.
 * @throws ODataError when the token is not one of this order
 */
export function decodeSkipToken(items: readonly OrderItem[], token: string): Position {
  const content = Content.safeParse(parsed(token));
  if (!content.success) return refuse('this service did not issue it');
  const { order, values, left } = content.data;
  if (order !== signature(items))
    return refuse('it belongs to another $orderby; repeat the other options as they were');
  if (values.length !== items.length) return refuse('this service did not issue it');
  return {
    values: items.map(({ expression }, index) => valueOf(expression.type, values[index] ?? null)),
    ...(left !== undefined && { left }),
  };
}

function parsed(token: string): unknown {
  try {
    return JSON.parse(Buffer.from(token, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function valueOf(type: Type, value: string | null): Literal {
  if (value === null) return NULL;
  // A number in JSON can have a fraction even where an integer is declared.
  if (type.kind === 'integer' && !/^-?\d+$/.test(value)) return valueOf({ kind: 'double' }, value);
  const pattern = VALUES[type.kind];
  if (!pattern?.test(value) || !isDay(type, value)) return refuse('this service did not issue it');
  return { kind: 'literal', type, value };
}

/** Tells whether the day of a time exists in the calendar. Otherwise PostgreSQL would refuse it. */
function isDay({ kind }: Type, value: string): boolean {
  if (kind !== 'date' && kind !== 'dateTime') return true;
  const day = value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

function signature(items: readonly OrderItem[]): string {
  const text = items.map((item) => `${item.text} ${item.direction}`).join(',');
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function refuse(problem: string): never {
  throw new ODataError('syntax', '$skiptoken', 1, problem);
}
