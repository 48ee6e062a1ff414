import { LOGGED_CHARACTERS } from '../definition/limits.js';
import { cut, member, messageOf } from '../definition/thrown.js';
import { toErrorRecord } from '../protocol/errors.js';

/** How deep the fields of a line are told, and how many members of each. */
const [DEEPEST, MOST] = [6, 50];
const CAUSES = 3;

/** The fields of a line of a log, short: what the SDK says of a failed task can hold everything that an entity is. S1.5a */
export function shortFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const room = { left: LOGGED_CHARACTERS };
  // An error matters more than what is beside it.
  const isError = (name: string) => member(fields, name) instanceof Error;
  const names = Object.keys(fields).sort((one, other) => Number(isError(other)) - Number(isError(one)));
  return Object.fromEntries(names.map((name) => [name, shorten(member(fields, name), room, DEEPEST)]));
}

/** An error of a log. Its stack begins with its message. */
function shortError(error: Error): Record<string, unknown> {
  const { message, stack } = toErrorRecord(error);
  const causes: string[] = [];
  for (let cause = error.cause; cause !== undefined && causes.length < CAUSES; cause = member(cause, 'cause')) {
    causes.push(messageOf(cause));
  }
  const code = member(error, 'code');
  return {
    ...{ name: error.name, message },
    ...(typeof code === 'string' && { code: cut(code, MOST) }),
    stack: stack ?? cut(error.stack ?? '', LOGGED_CHARACTERS / 2),
    ...(causes.length > 0 && { causes }),
  };
}

function shorten(value: unknown, room: { left: number }, depth: number): unknown {
  if (typeof value === 'string') {
    const kept = cut(value, Math.max(room.left, 0));
    room.left -= kept.length;
    return kept;
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (value instanceof Error) {
    const error = shorten(shortError(value), room, depth) as object;
    // A logger takes the name of what has no constructor.
    return Object.assign(Object.create(null) as object, error);
  }
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (depth === 0 || room.left <= 0) return '...';
  if (Array.isArray(value)) return value.slice(0, MOST).map((each) => shorten(each, room, depth - 1));
  const names = Object.keys(value).slice(0, MOST);
  return Object.fromEntries(names.map((name) => [name, shorten(member(value, name), room, depth - 1)]));
}
