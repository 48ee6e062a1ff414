const NAMED = /^([\p{L}_][\p{L}\p{Nd}_]*)=/u;
const QUOTED = /^'((?:[^']|'')*)'/su;
const NUMBER = /^-?\d{1,16}/;

/** A part of a key. Where the name or the kind is left out, any will do. */
export interface KeyPart {
  readonly name?: string;
  readonly isNumber?: boolean;
}

/**
 * Reads a key as OData writes it in parentheses: `'O''Neil'`, `type='Alias',key='a'`, `12`. Gives its values in the order of its
 * parts, or a text that says what is wrong. S6.2
 */
export function keyValues(inner: string, parts: readonly KeyPart[]): readonly string[] | string {
  const found = new Map<KeyPart, string>();
  for (let rest = inner; rest !== '';) {
    const [written = '', named] = NAMED.exec(rest) ?? [];
    rest = rest.slice(written.length);
    const [whole, quoted] = QUOTED.exec(rest) ?? NUMBER.exec(rest) ?? [];
    if (whole === undefined) return `write each part of the key in quotes, with each quote within it doubled`;
    const [only] = parts;
    if (named === undefined && parts.length > 1) return 'write each part with its name';
    const part = parts.find(({ name }) => name === named) ?? (named === undefined || !only?.name ? only : undefined);
    if (!part || found.has(part)) return `write each part once: ${parts.map(({ name }) => name).join(', ')}`;
    if (part.isNumber !== undefined && part.isNumber !== (quoted === undefined)) {
      return part.isNumber ? `${whole} is not a number` : `write ${whole} in quotes`;
    }
    found.set(part, quoted?.replaceAll("''", "'") ?? whole);
    rest = rest.slice(whole.length);
    if (rest.startsWith(',') && rest.length > 1) rest = rest.slice(1);
    else if (rest !== '') return `nothing but a comma and another part can follow ${whole}`;
  }
  const values = parts.flatMap((part) => found.get(part) ?? []);
  if (values.length < parts.length) return `the key has ${parts.length === 1 ? 'one part' : `${parts.length} parts`}`;
  const unusable = values.find((value) => value === '' || value === '.' || value === '..');
  return unusable === undefined ? values : `'${unusable}' cannot be a key`;
}
