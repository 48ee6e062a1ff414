import { z } from 'zod';
import { defOf, isCodec, type AnySchema } from '../values/schema-parts.js';

/*
 * The rules of a schema beyond what JSON Schema says of it. Code is told by its text: another text is another rule, and the same text is
 * the same rule as long as what it takes from outside is.
 */

/** The keyword under which a schema of a model has it. */
export const CODE = 'x-code';

export interface SchemaCode {
  /** The other checks that values have to pass: one more refuses more, one less lets more through. */
  readonly rules?: readonly string[];
  /** The code that makes other values of them, or takes them in another way: two that differ cannot be compared. */
  readonly conversions?: readonly string[];
}

/** Stands for code whose text nobody can read: it is never the same as anything. */
export const UNREADABLE = '(code that cannot be read)';

/** Reads the code of one schema, without that of its parts which JSON Schema shows; nothing where it has none. */
export function codeOf(schema: AnySchema): SchemaCode | undefined {
  const rules: string[] = [];
  const conversions: string[] = [];
  const { type, checks = [], coerce } = defOf(schema);
  // A format is its own first check: z.email().
  const own = 'check' in defOf(schema) && type !== 'custom' ? [schema as unknown as Check] : [];
  for (const check of [...own, ...(checks as readonly unknown[] as readonly Check[])]) {
    const { check: name } = check._zod.def;
    if (name === 'overwrite') conversions.push(textOf(check._zod.def['tx']));
    else rules.push(...ruleOf(check));
  }
  if (coerce) conversions.push(`z.coerce.${type}`);
  if (type === 'custom') {
    const { fn } = defOf(schema) as unknown as { readonly fn: unknown };
    rules.push(textOf(fn));
  } else if (type === 'union') {
    if ((defOf(schema) as unknown as { readonly inclusive?: boolean }).inclusive === false) rules.push('z.xor');
  } else if (type === 'record') {
    const { mode } = defOf(schema) as unknown as { readonly mode?: string };
    if (mode !== undefined) rules.push(`z.record: ${mode}`);
  } else if (type === 'literal') {
    if (!defOf(schema).values.every(isJson)) conversions.push(outlineText(defOf(schema)));
  } else if (!SAID.has(type)) conversions.push(type === 'pipe' ? pipeText(schema) : outlineText(defOf(schema)));
  if (rules.length === 0 && conversions.length === 0) return undefined;
  return { ...(rules.length > 0 && { rules }), ...(conversions.length > 0 && { conversions }) };
}

/** The types of which JSON Schema says everything. */
const SAID = new Set<string>([
  ...['string', 'number', 'int', 'boolean', 'null', 'any', 'unknown', 'never', 'enum', 'template_literal'],
  ...['object', 'array', 'tuple', 'intersection', 'lazy'],
  ...['optional', 'nullable', 'nonoptional', 'readonly', 'default', 'prefault'],
]);

type Check = { readonly _zod: { readonly def: Readonly<Record<string, unknown>>; readonly check?: unknown } };

/** The keywords of JSON Schema for a check, by its name. */
const SAID_OF_CHECKS: Readonly<Record<string, readonly string[]>> = {
  less_than: ['value', 'inclusive'],
  greater_than: ['value', 'inclusive'],
  multiple_of: ['value'],
  number_format: ['format'],
  min_length: ['minimum'],
  max_length: ['maximum'],
  length_equals: ['length'],
  string_format: [
    ...['format', 'pattern', 'version', 'prefix', 'suffix', 'includes', 'position'],
    ...['precision', 'offset', 'local'],
  ],
  describe: [],
  meta: [],
};

const NO_RULE = new Set(['check', 'type', 'abort', 'error', 'when', 'checks', 'coerce']);

function ruleOf({ _zod: { def, check } }: Check): readonly string[] {
  const name = String(def['check']);
  if (name === 'custom') {
    const when = typeof def['when'] === 'function' ? ` when ${textOf(def['when'])}` : '';
    return [textOf(def['fn'] ?? check) + when];
  }
  const said = SAID_OF_CHECKS[name] ?? [];
  const others = Object.entries(def).filter(
    ([member, value]) => !NO_RULE.has(member) && value !== undefined && !(said.includes(member) && isJson(value)),
  );
  const unsaid = others.filter(([member, value]) => !(member === 'pattern' && value instanceof RegExp && !value.flags));
  return unsaid.length === 0 && name in SAID_OF_CHECKS ? [] : [`${name} ${outlineText(Object.fromEntries(unsaid))}`];
}

function isJson(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** Its code, and the schemas between which it leads. */
function pipeText(schema: AnySchema): string {
  const { in: from, out, ...def } = defOf(schema);
  const { transform, reverseTransform } = def as unknown as Readonly<Record<string, unknown>>;
  const code = isCodec(schema) ? ` decode ${textOf(transform)} encode ${textOf(reverseTransform)}` : '';
  return wordsOf(schema) ?? `${outlineText(from)} to ${outlineText(out)}${code}`;
}

/** Gives the words that `z.stringbool` takes for yes and no. It tells them only to a caller that gives it something else. */
function wordsOf(schema: AnySchema): string | undefined {
  const { transform } = defOf(schema) as unknown as { readonly transform?: unknown };
  if (typeof transform !== 'function' || textOf(transform) !== UNREADABLE) return undefined;
  const [issue] = z.safeParse(schema, '').error?.issues ?? [];
  if (issue?.code !== 'invalid_value') return undefined;
  const words = issue.values.map(String);
  const said = [...words, ...words.map((word) => word.toUpperCase())].map((word) => z.safeParse(schema, word).data);
  return `z.stringbool ${JSON.stringify([words, said])}`;
}

function outlineText(value: unknown): string {
  return JSON.stringify(outline(value));
}

/** A value with the text of its functions and expressions. */
function outline(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'function') return textOf(value);
  if (typeof value !== 'object' || value === null) return isJson(value) ? value : `${typeof value} ${String(value)}`;
  if (value instanceof RegExp) return String(value);
  const depth = above.indexOf(value);
  if (depth >= 0) return { contains: depth };
  const within = [...above, value];
  if ('_zod' in value) {
    const { error: _error, ...def } = defOf(value as AnySchema) as unknown as Record<string, unknown>;
    const { check } = (value as unknown as Check)._zod;
    const hasCode = def['check'] === 'custom' && def['fn'] === undefined;
    return outline(hasCode ? { ...def, fn: check } : def, within);
  }
  if (Array.isArray(value)) return value.map((member) => outline(member, within));
  if (Symbol.iterator in value) return [...(value as Iterable<unknown>)].map((member) => outline(member, within));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== undefined && name !== 'error')
      .map(([name, member]) => [name, outline(member, within)]),
  );
}

/** The text of a function, in one line. */
export function textOf(code: unknown): string {
  const text = Function.prototype.toString.call(code).replaceAll(/\s+/g, ' ');
  return HIDING.has(text) || text === BOUND ? UNREADABLE : text;
}

/** The text of every bound function. That of a built-in has its name. */
const BOUND = 'function () { [native code] }';

/** The text of what zod puts around code or settings of the author, which nobody sees from outside. */
const HIDING: ReadonlySet<string> = hidingTexts();

function hidingTexts(): ReadonlySet<string> {
  const refined = z.string().superRefine(() => undefined);
  const normal = z.string().normalize('NFC');
  const words = defOf(z.stringbool()) as unknown as Readonly<Record<string, unknown>>;
  const [rule, form] = [refined, normal].map((schema) => (defOf(schema).checks![0] as unknown as Check)._zod);
  const codes = [rule!.check, form!.def['tx'], words['transform'], words['reverseTransform']];
  return new Set(codes.map((code) => Function.prototype.toString.call(code).replaceAll(/\s+/g, ' ')));
}
