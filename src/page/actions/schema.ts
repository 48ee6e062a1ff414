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
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** What somebody has filled in, by the path of the field: `rule.cidr`. */
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

/** Whether a value must not be in a command that somebody copies. */
function isSensitive(name: string, { format, writeOnly }: Schema): boolean {
  return format === 'password' || writeOnly === true || /password|secret|token|credential/i.test(name);
}

/** Where a field stands: `rule.cidr`. */
export function pathOf(above: string, name: string): string {
  return above === '' ? name : `${above}.${name}`;
}

/** What a form begins with: the defaults of the schema. */
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
