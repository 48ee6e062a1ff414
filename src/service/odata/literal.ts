import type { Literal } from './expression.js';
import type { Type } from './type.js';
import { MAX_DURATION_S, MAX_EXPONENT, MAX_NUMBER_LENGTH } from './limits.js';
import type { TokenReader } from './token-reader.js';
import type { Token } from './tokens.js';

const DURATION = /^(-?)P(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12}(?:\.\d{1,6})?)S)?)?$/i;
const YEAR = /^\d{4}-/;

/** The literal that a token stands for, if it is one. A string may still turn out to be the value of an enum. */
export function literalOf(token: Token, reader: TokenReader): Literal | undefined {
  const { kind, text, position } = token;
  switch (kind) {
    case 'string':
      return literal({ kind: 'string' }, text);
    case 'number':
      return numberOf(token, reader);
    case 'guid':
      return literal({ kind: 'guid' }, text.toLowerCase());
    case 'date':
      checkDate(token, reader);
      return literal({ kind: 'date' }, text);
    case 'dateTime':
      return dateTimeOf(token, reader);
    case 'typed':
      return typedOf(token, reader);
    case 'time':
      return reader.fail('unsupported', position, `a time of day (${text}) is not supported; compare a dateTime`);
    case 'word':
      return wordOf(token, reader);
    case 'sign':
    case 'end':
      return undefined;
  }
}

function literal(type: Type, value: string): Literal {
  return { kind: 'literal', type, value };
}

function wordOf({ text, position }: Token, reader: TokenReader): Literal | undefined {
  const lower = text.toLowerCase();
  if (lower === 'true' || lower === 'false') return literal({ kind: 'boolean' }, lower);
  if (lower === 'null') return literal({ kind: 'null' }, '');
  if (text === 'INF' || text === 'NaN') {
    reader.fail('unsupported', position, `the number ${text} is not supported; JSON does not have it`);
  }
  return undefined;
}

function numberOf({ text, position }: Token, reader: TokenReader): Literal {
  const [, exponent = '0'] = text.toLowerCase().split('e');
  if (text.length > MAX_NUMBER_LENGTH || Math.abs(Number(exponent)) > MAX_EXPONENT) {
    reader.fail('limit', position, `the number is too large or too long; 1e±${MAX_EXPONENT} is the limit`);
  }
  return literal({ kind: /^[+-]?\d+$/.test(text) ? 'integer' : 'double' }, text.replace(/^\+/, ''));
}

function checkDate({ text, position }: Token, reader: TokenReader): void {
  if (!YEAR.test(text) || text.startsWith('0000')) {
    reader.fail('unsupported', position, `the year of ${text} is not supported; it must be within 0001 and 9999`);
  }
  const day = text.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) {
    reader.fail('syntax', position, `${day} is not a day of the calendar`);
  }
}

function dateTimeOf(token: Token, reader: TokenReader): Literal {
  checkDate(token, reader);
  const { text, position } = token;
  const [, hour, minute, second = '0'] = /T(\d\d):(\d\d)(?::(\d\d))?/i.exec(text) ?? [];
  const [, offsetHour = '0', offsetMinute = '0'] = /[+-](\d\d):(\d\d)$/.exec(text) ?? [];
  const outside = Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60;
  if (outside || Number(offsetHour) > 14 || Number(offsetMinute) > 59) {
    reader.fail('syntax', position, `${text} is not a time of the day`);
  }
  return literal({ kind: 'dateTime' }, text.toUpperCase());
}

function typedOf({ prefix = '', text, position }: Token, reader: TokenReader): Literal {
  if (prefix.toLowerCase() !== 'duration') {
    reader.fail(
      'unsupported',
      position,
      `the literal ${prefix}'...' is not supported; write the value of an enum as a string, and a space before a string`,
    );
  }
  const found = DURATION.exec(text);
  if (!found || /[PT]$/i.test(text)) reader.fail('syntax', position, `'${text}' is not a duration as PT5M or P1DT12H`);
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0] = found;
  const total = Number(days) * 86_400 + Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  if (total > MAX_DURATION_S) reader.fail('limit', position, 'the duration is longer than 1000 years');
  return literal({ kind: 'duration' }, `${sign ?? ''}${total}`);
}
