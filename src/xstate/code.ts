/** A line of the written files has this many characters at most, as Prettier breaks it in this repository. */
export const WIDTH = 120;
/** Code in place of a value: as it is, or the head of a call with its argument. */
export class Code {
  constructor(
    readonly head: string,
    readonly argument?: unknown,
  ) {}
}

export function comment(notes: readonly string[]): readonly string[] {
  const [only, ...others] = notes;
  if (others.length === 0 && only!.length + 7 <= WIDTH) return [`/** ${only} */`];
  return [
    '/**',
    ...notes.flatMap((note) => folded(note.replaceAll('*/', '* /'), ' * ', note.startsWith('- ') ? '  ' : '')),
    ' */',
  ];
}

export function folded(text: string, before: string, indent = ''): readonly string[] {
  const lines: string[] = [];
  for (const word of text.trimEnd().split(/(?<=\S)\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${before}${line === undefined ? '' : indent}${word}`);
  }
  return lines;
}

/** An object or list with a line for each member. The members of the first levels are expanded in any case. */
export function expanded(value: object, indent: string, levels = 0): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return `[\n${value.map((each) => `${inner}${flat(each)},\n`).join('')}${indent}]`;
  const members = Object.entries(value).map(
    ([key, member]) => `${inner}${memberText(nameText(key), member, inner, levels - 1)},\n`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join('')}${indent}}`;
}

function memberText(name: string, value: unknown, indent: string, levels: number): string {
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Code);
  const line = `${name}: ${flat(value)}`;
  if (isPlain && levels > 0) return `${name}: ${expanded(value, indent, levels)}`;
  if (indent.length + line.length + 1 <= WIDTH) return line;
  if (isPlain) return `${name}: ${expanded(value, indent)}`;
  if (!(value instanceof Code)) return `${name}:\n${indent}  ${flat(value)}`;
  return `${name}: ${called(value, indent)}`;
}

function called({ head, argument }: Code, indent: string): string {
  if (argument === undefined) return head;
  if (!(argument instanceof Code)) return `${head}(${expanded(argument as object, indent)})`;
  const line = flat(argument);
  const inner = `${indent}  `;
  return `${head}(\n${inner}${inner.length + line.length + 1 <= WIDTH ? line : called(argument, inner)},\n${indent})`;
}

/** A value in one line. */
export function flat(value: unknown): string {
  if (value instanceof Code)
    return value.argument === undefined ? value.head : `${value.head}(${flat(value.argument)})`;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${nameText(key)}: ${flat(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function nameText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

/** A text as Prettier quotes it: with the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  if (text.split("'").length > text.split('"').length) return json;
  return `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
