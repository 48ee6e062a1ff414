/*
 * Tells whether the values of a schema survive JSON: by what the schema consists of, and by a trial where it has code of its author.
 * S1.5a
 */
import type { DeclarationProblem } from '../declaration-error.js';
import { z } from 'zod';
import { natureOf } from './nature.js';
import { plainCopy } from './plain.js';
import { defOf, innerOf, isCodec, membersOf, type AnySchema } from './schema-parts.js';
import { trial } from './trial.js';

/**
 * The use of the values. `taken`: only what is given is JSON (the input of a call, a constraint). `made`: what the schema makes of
 * it is JSON, too (parameters, outputs). `kept`: the schema takes again what it has made, each time an action ends (properties).
 */
export type ValueUse = 'taken' | 'made' | 'kept';

const CODEC =
  'z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })';
const REMEDIES: Readonly<Record<string, string>> = {
  date: `Use z.iso.datetime() for what toISOString() gives, or ${CODEC}.`,
  bigint:
    'Use z.string().regex(/^-?\\d+$/) for its digits, or z.codec(z.string().regex(/^-?\\d+$/), z.bigint(), { decode: BigInt, encode: String }).',
  map: 'Use z.record(z.string(), ...), or z.array(z.tuple([key, value])) for its entries.',
  set: 'Use z.array(...).',
  nan: 'Use z.null(), or .nullable() on the number.',
  symbol: 'Use z.enum([...]) or a text.',
  function: 'Leave it out: only data is stored.',
  promise: 'Use the schema of what the promise gives, and await it.',
  file: 'Keep the file in a resource, and its address here: z.url().',
  instance: 'Use a z.object({ ... }) with its data.',
  undefined: 'Use .nullable(), or leave the value out of the list.',
  member: 'Make it .optional(), or leave it out.',
  literal: 'Use a text, a number, true, false or null.',
  default: 'Use a default that is JSON.',
  transform: `Use a codec, which goes both ways: ${CODEC}.`,
  mixed: 'Use codecs only, or transforms only.',
  async: 'Look asynchronously in an action or a resource.',
};

/** Finds what of a schema's values does not survive, each with its place below `place`. */
export function survivalProblems(schema: AnySchema, place: string, use: ValueUse): readonly DeclarationProblem[] {
  const found = new Map<string, DeclarationProblem>();
  const search = new Search((problem) => found.set(`${problem.place} ${problem.problem}`, problem));
  search.input(schema, place);
  if (use !== 'taken') search.output(schema, place);
  // Anything that is wrong in its structure would only be found again by a trial.
  if (found.size === 0) tryOut(schema, place, use, (problem) => found.set(problem.place, problem));
  return [...found.values()];
}

type Report = (problem: DeclarationProblem) => void;
interface Where {
  /** Tells whether it is a member of a list, where JSON makes null of undefined. */
  readonly inList: boolean;
}

class Search {
  readonly #report: Report;
  #problems = 0;
  /** In which nothing was found, or which are being searched: schemas may be recursive. */
  readonly #clean = new Map<AnySchema, Set<string>>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Looks at what is given as JSON. */
  input(schema: AnySchema, place: string): void {
    this.#look(schema, place, { inList: false }, 'input');
  }

  /** Looks at what the schema makes of it; of a codec, at what it encodes to. */
  output(schema: AnySchema, place: string): void {
    this.#look(schema, place, { inList: false }, 'output');
  }

  #look(schema: AnySchema, place: string, where: Where, side: 'input' | 'output'): void {
    const how = `${side} ${where.inList}`;
    const clean = this.#clean.get(schema) ?? new Set();
    this.#clean.set(schema, clean);
    if (clean.has(how)) return;
    clean.add(how);
    const before = this.#problems;
    this.#lookAt(schema, place, where, side);
    // Elsewhere, it is a problem again.
    if (this.#problems > before) clean.delete(how);
  }

  #lookAt(schema: AnySchema, place: string, where: Where, side: 'input' | 'output'): void {
    const def = defOf(schema);
    const say = (problem: string, remedy: string) => this.#say(place, problem, remedy);
    const on = (part: AnySchema | null | undefined, below = '', inList = where.inList) => {
      if (part) this.#look(part, `${place}${below}`, { inList }, side);
    };
    switch (def.type) {
      case 'date':
      case 'bigint':
        // A value that is coerced may be given as anything.
        if (side === 'input' && def.coerce) return;
        return say(`is a ${def.type === 'date' ? 'Date' : 'BigInt'}, which JSON does not have`, def.type);
      case 'map':
      case 'set':
        return say(`is a ${def.type === 'map' ? 'Map' : 'Set'}, which JSON does not have`, def.type);
      case 'nan':
        return say('is NaN, which JSON makes null of', 'nan');
      case 'symbol':
      case 'function':
      case 'promise':
      case 'file':
        return say(`is a ${def.type}, which JSON does not have`, def.type);
      case 'custom': {
        const { Class } = schema._zod.bag as { readonly Class?: { readonly name?: string } };
        if (Class) say(`is an instance of ${Class.name ?? 'a class'}, which JSON does not have`, 'instance');
        return;
      }
      case 'undefined':
      case 'void':
        if (where.inList) say('may be undefined in a list, which JSON makes null of', 'undefined');
        return;
      case 'literal':
        for (const value of def.values) {
          if (value === undefined && where.inList)
            say('may be undefined in a list, which JSON makes null of', 'undefined');
          const copied = plainCopy(value);
          if (!copied.plain) say(`has the value ${String(value)}, which JSON does not have`, 'literal');
        }
        return;
      case 'enum':
        for (const value of Object.values(def.entries))
          if (!plainCopy(value).plain) say(`has the value ${String(value)}, which JSON does not have`, 'literal');
        return;
      case 'object':
        for (const [name, member] of membersOf(schema)) {
          // zod reads inherited members as if they were given, and `readonly` freezes them.
          if (name in Object.prototype)
            say(`has a member '${name}', which every JavaScript object inherits`, 'Choose another name.');
          if (['undefined', 'void'].includes(defOf(member).type))
            this.#say(`${place}.${name}`, 'has to be there as undefined, which JSON leaves out', 'member');
          on(member, `.${name}`, false);
        }
        on(def.catchall, '.*', false);
        return;
      case 'array':
        return on(def.element, '[]', true);
      case 'tuple':
        // An optional one at the end may be left out.
        def.items.forEach((item, index) => on(item, `[${index}]`, defOf(item).type !== 'optional'));
        return on(def.rest, '[]', true);
      case 'record':
        on(def.keyType, '{}', false);
        return on(def.valueType, '{}', false);
      case 'union':
        for (const option of def.options) on(option);
        return;
      case 'intersection':
        on(def.left);
        return on(def.right);
      case 'lazy':
        return on(innerOf(schema));
      case 'pipe':
        // Only a trial can say what a transform takes or gives.
        if (isCodec(schema)) return this.#look(def.in, place, where, 'input');
        return on(side === 'input' ? def.in : def.out);
      case 'optional':
        if (where.inList) say('may be undefined in a list, which JSON makes null of', 'undefined');
        return on(def.innerType, '', false);
      case 'default':
      case 'prefault':
        this.#default(schema, place, side);
        return on(def.innerType, '', false);
      case 'nonoptional':
        return on(def.innerType, '', false);
      case 'catch':
      case 'nullable':
      case 'readonly':
        return on(def.innerType);
      case 'success':
        if (side === 'input') on(def.innerType);
        return;
      default:
        // Texts, numbers, booleans, null, anything (looked at when it comes), never, and transforms.
        return;
    }
  }

  /** The value of `default` is one that the schema gives, that of `prefault` one that it takes. */
  #default(schema: AnySchema, place: string, side: 'input' | 'output'): void {
    const { type, defaultValue, innerType } = defOf(schema);
    // A codec encodes it, so it is what code sees.
    if (type === 'default' && (side === 'input' || natureOf(schema).codec)) return;
    if (type === 'prefault' && side === 'output') return;
    const copied = plainCopy(defaultValue);
    if (!copied.plain) this.#say(place, `has a default that is not JSON: ${copied.message}`, 'default');
    else if (refusesCopy(innerType, defaultValue, copied.value))
      this.#say(place, 'has a default that it does not accept once JSON has left out what is undefined', 'default');
  }

  #say(place: string, problem: string, remedy: string): void {
    this.#problems++;
    this.#report({ place, problem, remedy: REMEDIES[remedy] ?? remedy });
  }
}

/** Tells whether a schema accepts a value, and not its copy in JSON. */
function refusesCopy(schema: AnySchema, value: unknown, copy: unknown): boolean {
  const accepts = (given: unknown) => z.safeParse(schema, given).success;
  try {
    return value !== undefined && accepts(value) && !accepts(copy);
  } catch {
    // It cannot be told without running asynchronously; a trial looks at that.
    return false;
  }
}

/** Tries the parts that have code of their author in them, each as deep as it can be told by a place. */
function tryOut(schema: AnySchema, place: string, use: ValueUse, report: Report): void {
  const { codec, transform } = natureOf(schema);
  if (use !== 'taken' && codec && transform) {
    const problem = 'has a codec and a transform in it, and a transform cannot be undone';
    report({ place, problem, remedy: REMEDIES['mixed']! });
    return;
  }
  attempt(schema, place, use, report, new Set());
}

const STRUCTURES = ['object', 'array', 'tuple', 'record', 'optional', 'nullable', 'nonoptional', 'readonly', 'lazy'];

function attempt(schema: AnySchema, place: string, use: ValueUse, report: Report, seen: Set<AnySchema>): void {
  if (seen.has(schema) || !natureOf(schema).unsure) return;
  seen.add(schema);
  const def = defOf(schema);
  const on = (part: AnySchema | null | undefined, below = '') => {
    if (part) attempt(part, `${place}${below}`, use, report, seen);
  };
  if (def.type === 'object') for (const [name, member] of membersOf(schema)) on(member, `.${name}`);
  else if (def.type === 'array') on(def.element, '[]');
  else if (def.type === 'tuple') def.items.forEach((item, index) => on(item, `[${index}]`));
  else if (def.type === 'record') on(def.valueType, '{}');
  else if (def.type === 'lazy') on(innerOf(schema));
  else if (STRUCTURES.includes(def.type)) on(def.innerType);
  if (STRUCTURES.includes(def.type) && (def.checks ?? []).length === 0) return;
  const said = use === 'taken' ? tryTaken(schema) : trial(schema, use === 'kept');
  if (said === undefined) return;
  report({ place, problem: said, remedy: REMEDIES[said.startsWith('is asynchronous') ? 'async' : 'transform']! });
}

/** Of what is only taken, all that can be wrong is that it is asynchronous. */
function tryTaken(schema: AnySchema): string | undefined {
  const said = trial(schema, false);
  return said?.startsWith('is asynchronous') ? said : undefined;
}
