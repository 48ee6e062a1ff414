/** Texts that mean nothing but themselves, in YAML 1.1 and 1.2. */
const PLAIN = /^[A-Za-z][\w./-]*( [A-Za-z][\w./-]*)*$/;
const RESERVED = /^(true|false|null|yes|no|on|off|y|n|inf|nan)$/i;

/** A JSON value as YAML. All other texts are written as in JSON, which YAML reads too. */
export function yamlOf(value: unknown): string {
  return isFilled(value) ? linesOf(value).join('\n') + '\n' : `${scalar(value)}\n`;
}

function linesOf(value: object): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => ofItem(item));
  const members = Object.entries(value as Readonly<Record<string, unknown>>).filter(
    ([, member]) => member !== undefined,
  );
  return members.flatMap(([name, member]) => ofMember(scalar(name), member));
}

function ofItem(item: unknown): readonly string[] {
  if (!isFilled(item)) return [`- ${scalar(item)}`];
  return linesOf(item).map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

function ofMember(name: string, member: unknown): readonly string[] {
  if (!isFilled(member)) return [`${name}: ${scalar(member)}`];
  return [`${name}:`, ...linesOf(member).map((line) => `  ${line}`)];
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function scalar(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value) && !RESERVED.test(value)) return value;
  return JSON.stringify(value) ?? 'null';
}
