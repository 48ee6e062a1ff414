import { ODataError } from './error.js';

export type TokenKind = 'word' | 'string' | 'number' | 'dateTime' | 'date' | 'time' | 'guid' | 'typed' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The token as it is written. For a string, it is the content. */
  readonly text: string;
  /** For a typed literal such as `duration'PT5M'`: the name before the quotes. */
  readonly prefix?: string;
  /** The character at which it begins. The first one is 1. */
  readonly position: number;
  readonly spaceBefore: boolean;
}

const NAME = String.raw`[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}]*`;
const DATE = String.raw`-?\d{4,}-\d\d-\d\d`;

/** The patterns, in their order: the first that fits wins. Each looks at one place only and never goes back. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['guid', /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-z_])/iy],
  ['dateTime', new RegExp(String.raw`${DATE}T\d\d:\d\d(:\d\d(\.\d{1,12})?)?(Z|[+-]\d\d:\d\d)`, 'iy')],
  ['date', new RegExp(DATE, 'y')],
  ['time', /\d\d:\d\d(:\d\d(\.\d{1,12})?)?/y],
  ['number', /[+-]?\d+(\.\d+)?(e[+-]?\d+)?/iy],
  ['word', new RegExp(String.raw`[$@]?${NAME}(\.${NAME})*`, 'uy')],
];
const STRING = /'((?:[^']|'')*)'/y;
const SPACE = /[ \t]*/y;

/** The tokens of an option's value, after its percent-encoding is undone. The last one is `end`. */
export function tokenize(option: string, text: string): readonly Token[] {
  const tokens: Token[] = [];
  const at = (pattern: RegExp, index: number) => {
    pattern.lastIndex = index;
    return pattern.exec(text);
  };
  for (let index = 0; ;) {
    const space = at(SPACE, index)?.[0].length ?? 0;
    const start = index + space;
    const common = { position: start + 1, spaceBefore: space > 0 };
    if (start === text.length) return [...tokens, { kind: 'end', text: '', ...common }];
    const [token, end] = tokenAt(start);
    tokens.push({ ...token, ...common });
    index = end;
  }

  function tokenAt(start: number): readonly [Pick<Token, 'kind' | 'text' | 'prefix'>, number] {
    if (text[start] === "'") return stringAt(start);
    for (const [kind, pattern] of PATTERNS) {
      const found = at(pattern, start)?.[0];
      if (found === undefined) continue;
      const end = start + found.length;
      if (kind !== 'word' || text[end] !== "'") return [{ kind, text: found }, end];
      const [{ text: value }, typedEnd] = stringAt(end);
      return [{ kind: 'typed', prefix: found, text: value }, typedEnd];
    }
    const sign = String.fromCodePoint(text.codePointAt(start) ?? 0);
    return [{ kind: 'sign', text: sign }, start + sign.length];
  }

  function stringAt(start: number): readonly [{ readonly kind: 'string'; readonly text: string }, number] {
    const found = at(STRING, start);
    if (!found) {
      throw new ODataError('syntax', option, start + 1, "the string has no end; write a quote within it as ''");
    }
    return [{ kind: 'string', text: (found[1] ?? '').replaceAll("''", "'") }, start + found[0].length];
  }
}
