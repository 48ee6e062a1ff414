import type { z } from 'zod';
import type { Call } from '../../definition/resource.js';
import type { Json } from '../description/description.js';
import { defineKind, fieldOf, type Kind } from '../tree/kind.js';

/** A condition that asks the world: its attributes are the input of the call. */
export function asking<Shape extends z.ZodRawShape>(
  name: string,
  attributes: z.ZodObject<Shape>,
  { activity }: Call,
): Kind {
  const names = Object.keys(attributes.shape);
  const kind: Kind = defineKind({
    name,
    attributes: attributes as z.ZodObject,
    isCondition: true,
    evaluate(self) {
      const input = names.map((each) => [each, fieldOf(kind, each)!.parse(self.resolved(each))] as const);
      self.call(activity, Object.fromEntries(input) as Json);
    },
    answered(self, result) {
      self.answer('error' in result ? { error: result.error } : { holds: result.output === true });
    },
    doing: () => 'can be asked',
  });
  return kind;
}
