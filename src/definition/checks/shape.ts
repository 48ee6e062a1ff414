import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';

/** Whoever writes plain JavaScript has no compiler that says it. */
export function shapeProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const expect = (holds: boolean, place: string, problem: string, remedy: string) => {
    if (!holds) problems.push({ place, problem, remedy });
  };
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  const isSchema = (value: unknown) => isObject(value) && '_zod' in value;

  expect(typeof entity.name === 'string', 'name', 'is no text', "Write defineEntity('Name', { ... }).");
  expect(isSchema(entity.key), 'key', 'is no zod schema', 'Write key: z.string().');
  const isProperties = isSchema(entity.properties) && 'shape' in entity.properties;
  expect(isProperties, 'properties', 'is no zod object', 'Write properties: z.object({ ... }).');
  for (const part of ['states', 'events', 'actions', 'subscriptions'] as const) {
    const declared: unknown = entity[part];
    expect(isObject(declared), part, 'is no object', `Write ${part}: { ... }.`);
    if (!isObject(declared)) continue;
    for (const [name, member] of Object.entries(declared)) {
      expect(isObject(member), `${part}.${name}`, 'is no object', EXAMPLES[part]);
    }
  }
  return problems;
}

const EXAMPLES = {
  states: 'Make it with initial(), stable(), unstable() or deleted().',
  events: "Write { in: 'State' }, with params: z.object({ ... }) where it takes some.",
  actions: "Write { on: 'event', in: 'State', to: 'Other' }.",
  subscriptions: "Write { when: all({ ... }), raise: 'event' }.",
} as const;
