/** JSON Schema, as far as forms are made from it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly writeOnly?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** The values that somebody has filled in, by the path of the field: `rule.cidr`. */
export type Filled = Readonly<Record<string, string | boolean>>;

/** The kind of field in which a value of the schema is given. */
export type FieldKind = 'group' | 'choice' | 'check' | 'number' | 'text' | 'secret' | 'json';

export function fieldKind(name: string, schema: Schema): FieldKind {
  if (schema.enum) return 'choice';
  switch (schema.type) {
    case 'object':
      return schema.properties ? 'group' : 'json';
    case 'boolean':
      return 'check';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return isSensitive(name, schema) ? 'secret' : 'text';
    default:
      return 'json';
  }
}

/** Tells whether a value must not be in a command that somebody copies. */
function isSensitive(name: string, { format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true || /password|secret|token|credential/i.test(name);
}

/** Where a field stands: `rule.cidr`. */
export function pathOf(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`;
}

/** Gives what a form begins with: the defaults of the schema. */
export function filledAtFirst(schema: Schema, above = ''): Filled {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, part]): [string, string | boolean][] => {
    const path = pathOf(above, name);
    const kind = fieldKind(name, part);
    if (kind === 'group') return Object.entries(filledAtFirst(part, path));
    if (kind === 'check') return [[path, part.default === true]];
    const first = part.const ?? part.default;
    if (first === undefined) return [];
    return [[path, typeof first === 'string' ? first : JSON.stringify(first)]];
  });
  return Object.fromEntries(entries);
}

const FORMATS: Readonly<Record<string, string>> = {
  ipv4: 'an IPv4 address, like 10.1.0.0',
  cidrv4: 'a block of addresses, like 10.1.0.0/16',
  'date-time': 'a time, like 2026-11-29T07:46:33Z',
  uuid: 'a UUID',
  email: 'an address of e-mail',
  uri: 'an address, like https://example.org/',
};

/** How a value has to be written, in a few words; nothing where that is free. */
export function formatOf(schema: Schema): string | undefined {
  const { format, pattern, minimum, maximum, minLength, maxLength } = schema;
  const known = format !== undefined && FORMATS[format];
  if (known) return known;
  const parts = [
    pattern !== undefined && `matches ${pattern}`,
    rangeOf(minimum, maximum) && `a number ${rangeOf(minimum, maximum)}`,
    rangeOf(minLength, maxLength) && `${rangeOf(minLength, maxLength)} characters`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : undefined;
}

/** A range in words. What is as wide as whole numbers are is no limit. */
function rangeOf(least: number | undefined, most: number | undefined): string | undefined {
  const low = least !== undefined && least > Number.MIN_SAFE_INTEGER ? least : undefined;
  const high = most !== undefined && most < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (low !== undefined && high !== undefined) return `from ${low} to ${high}`;
  if (low !== undefined) return `from ${low}`;
  return high === undefined ? undefined : `up to ${high}`;
}

/** The fields that have to be filled in and are empty. A group that may be left out counts once a part of it is given. */
export function emptyFields(schema: Schema, filled: Filled, above = ''): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const path = pathOf(above, name);
    const needed = schema.required?.includes(name) === true && part.default === undefined && part.const === undefined;
    const kind = fieldKind(name, part);
    if (kind === 'group') {
      const given = Object.keys(valueOf(part, filled, { above: path })).length > 0;
      return needed || given ? emptyFields(part, filled, path) : [];
    }
    return needed && kind !== 'check' && (filled[path] ?? '') === '' ? [path] : [];
  });
}

/**
 * The value that a filled form stands for. What was left empty is left out, and what is not right stays as it was written: the
 * service says what is wrong with it, and where. `hiding` puts dots in the place of what is secret.
 */
export function valueOf(
  schema: Schema,
  filled: Filled,
  { above = '', hiding = false } = {},
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(schema.properties ?? {}).flatMap(([name, part]): [string, unknown][] => {
    const path = pathOf(above, name);
    const kind = fieldKind(name, part);
    if (kind === 'group') {
      const value = valueOf(part, filled, { above: path, hiding });
      const needed = schema.required?.includes(name) === true;
      return Object.keys(value).length > 0 || needed ? [[name, value]] : [];
    }
    const given = filled[path];
    if (given === undefined || given === '') return [];
    if (hiding && kind === 'secret') return [[name, '…']];
    return [[name, typeof given === 'boolean' ? given : parsed(kind, part, given)]];
  });
  return Object.fromEntries(entries);
}

function parsed(kind: FieldKind, schema: Schema, given: string): unknown {
  if (kind === 'number') return Number.isNaN(Number(given)) ? given : Number(given);
  if (kind === 'choice') return schema.enum?.find((each) => String(each) === given) ?? given;
  if (kind !== 'json') return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given;
  }
}
