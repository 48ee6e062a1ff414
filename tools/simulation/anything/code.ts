/* Writes a plan as code, for the person who reads what fails. */
import type { TypePlan, WorldPlan } from './plan.js';
import type { SchemaPlan } from './schema.js';

export function codeOf({ outside: name, types, calls, requests }: WorldPlan): string {
  const outside = Object.entries(calls).map(
    ([name, { input, output, gives, throws, afterMs, ...options }]) =>
      `  ${name}: ${written({ input: new Code(schemaCode(input)), output: new Code(schemaCode(output)), ...options })}, // gives ${written(gives)}` +
      `${throws === undefined ? '' : `, throws ${written(throws)}`}${afterMs === undefined ? '' : `, after ${afterMs} ms`}`,
  );
  return [
    ...(outside.length > 0 ? [`defineResource(${written(name)}, {\n${outside.join('\n')}\n});`] : []),
    ...types.map(typeCode),
    `// What is asked, in order:`,
    ...requests.map((request) => `// ${written(request)}`),
  ].join('\n');
}

/** A text that is code itself. */
class Code {
  constructor(readonly text: string) {}
}

const SCHEMAS = ['key', 'params', 'constraint'];
const SHAPES = ['properties', 'construct'];

function typeCode({ name, declared, code, keys }: TypePlan): string {
  const lines = Object.entries(declared).map(([part, value]) => `  ${part}: ${partCode(part, value)},`);
  const actions = Object.entries(code).map(([action, { deeds, goes }]) => {
    // A plan that was made smaller may lack either.
    const all = [
      ...(deeds ?? []).map(written),
      goes?.length > 0 ? `goes ${goes.map(written).join(', then ')}` : 'goes nowhere',
    ];
    return `//   ${action}: ${all.join('; ')}`;
  });
  return `defineEntity(${written(name)}, {\n${lines.join('\n')}\n});\n// Its keys: ${written(keys)}. Its actions:\n${actions.join('\n')}`;
}

function partCode(part: string, value: unknown): string {
  if (SCHEMAS.includes(part)) return schemaCode(value as SchemaPlan);
  if (SHAPES.includes(part)) return shapeCode(value as Record<string, SchemaPlan>);
  if (part === 'subordinates') return membersCode(value as Record<string, SchemaPlan>);
  return written(value);
}

export function schemaCode(plan: SchemaPlan): string {
  const calls = plan.map(([method, ...args]) => {
    const given = args.map((arg) => {
      if ('schema' in arg) return schemaCode(arg.schema);
      if ('list' in arg) return `[${arg.list.map(schemaCode).join(', ')}]`;
      if ('shape' in arg) return membersCode(arg.shape);
      if ('code' in arg) return arg.code;
      return written(arg.value);
    });
    return `${method}(${given.join(', ')})`;
  });
  return `z.${calls.join('.')}`;
}

function shapeCode(shape: Readonly<Record<string, SchemaPlan>>): string {
  return `z.object(${membersCode(shape)})`;
}

function membersCode(shape: Readonly<Record<string, SchemaPlan>>): string {
  const members = Object.entries(shape).map(([name, each]) => `${nameCode(name)}: ${schemaCode(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** A value as code in one line: `{ in: 'Rest0' }`. */
function written(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return `'${JSON.stringify(value).slice(1, -1).replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  const members = Object.entries(value).map(([name, each]) =>
    SCHEMAS.includes(name) && Array.isArray(each) && Array.isArray(each[0])
      ? `${name}: ${schemaCode(each as unknown as SchemaPlan)}`
      : `${nameCode(name)}: ${written(each)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function nameCode(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : written(name);
}
