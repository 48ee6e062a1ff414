/** A number in a text of JSON that JavaScript would change without a word. */
export interface LossyNumber {
  /** `size`, `list.0`; empty for the whole text. */
  readonly path: string;
  readonly text: string;
}

/** Without one of these, all numbers are kept. */
const SUSPECT = /\d{16}|\d[eE]/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]/g;

/**
 * Finds the first number that JavaScript does not keep: a whole number that would be rounded, and one that is too large or too small.
 * Fractions are rounded to 17 digits everywhere. The text is one that `JSON.parse` takes. S1.5a
 */
export function lossyNumber(json: string): LossyNumber | undefined {
  if (!SUSPECT.test(json)) return undefined;
  const path: (string | number)[] = [];
  let text = '';
  for (const [token] of json.matchAll(TOKEN)) {
    switch (token[0]) {
      case '{':
        path.push('');
        break;
      case '[':
        path.push(0);
        break;
      case '}':
      case ']':
        path.pop();
        break;
      case ',': {
        const last = path.at(-1);
        if (typeof last === 'number') path[path.length - 1] = last + 1;
        break;
      }
      case ':':
        path[path.length - 1] = JSON.parse(text) as string;
        break;
      case '"':
        text = token;
        break;
      default:
        if (!isKept(token)) return { path: path.join('.'), text: token };
    }
  }
  return undefined;
}

/** Describes what is wrong with a number, for people. */
export function describeLossyNumber({ path, text }: LossyNumber): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}...` : text;
  return `${path === '' ? '' : `${path}: `}the number ${short} would become ${Number(text)}. Send a number that JavaScript can hold (whole numbers up to 2^53), or a text`;
}

function isKept(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return false;
  if (number === 0) return !/[1-9]/.test(token.split(/[eE]/)[0]!);
  if (!/^-?\d+$/.test(token) || Number.isSafeInteger(number)) return true;
  // JavaScript writes the shortest digits that it reads back as the same number.
  return String(number) === token || BigInt(token) === BigInt(number);
}
