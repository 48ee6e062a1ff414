import { parseEntityId, type EntityRef } from '../protocol/names.js';
import { describeLossyNumber, lossyNumber } from '../protocol/lossy-number.js';
import { UsageError } from './usage-error.js';

/** The entity that an argument names: `LogicalServer/orders`. */
export function parseTarget(target: string): EntityRef {
  const ref = parseEntityId(target);
  if (ref) return ref;
  throw new UsageError(`'${target}' does not name an entity. Write its type and key, like LogicalServer/orders.`);
}

/** Parameters as they are given: JSON, or nothing. */
export function parseParams(text: string | undefined): unknown {
  return parseJson('--params', text);
}

/** The values for the construction of an entity: a JSON object, or nothing. */
export function parseConstruct(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  return parseObject('--construct', text);
}

/** Parses what an option holds: a JSON object, or nothing. @throws UsageError */
export function parseObject(option: string, text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  const values = parseJson(option, text);
  if (values === undefined) return undefined;
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return { ...values };
  throw new UsageError(`${option} is not a JSON object. Write it like '{"size": 2}'.`);
}

/** JSON as it is given; any other text as a text. @throws UsageError */
export function jsonOrText(text: string): unknown {
  try {
    return parsed(text, 'The value');
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    return text;
  }
}

/** @throws SyntaxError; UsageError for a number that would be rounded. S1.5a */
function parsed(text: string, option: string): unknown {
  const value: unknown = JSON.parse(text);
  const lossy = lossyNumber(text);
  if (lossy) throw new UsageError(`${option} is not accepted: ${describeLossyNumber(lossy)}.`);
  return value;
}

/** Parses what an option holds: JSON, or nothing. @throws UsageError */
export function parseJson(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return parsed(text, option);
  } catch (thrown) {
    if (thrown instanceof UsageError) throw thrown;
    throw new UsageError(`${option} is not JSON: ${(thrown as Error).message}. Write it like '{"size": 2}'.`);
  }
}
