import { z } from 'zod';
import { parseDuration, type Duration } from '../../definition/duration.js';
import { makeShareable } from '../../definition/shareable.js';
import { isDescription, type Description } from './description.js';
import { isReference, routeOf, type Reference } from './reference.js';

const NO_TIME = "is not a time: write milliseconds, or '30s', '5m', '2h'";

/*
 * The schemas of attributes that mean more than their value. An attribute may always be a reference to a value of its schema.
 */

/** A time in milliseconds, or with its unit: `'10s'`. Negative ones mean what the component says. */
export const time = z
  .custom<Duration>((value) => typeof value === 'number' || typeof value === 'string', { error: NO_TIME })
  .transform((value, context): number => {
    const milliseconds = typeof value === 'number' ? value : parseDuration(value);
    if (milliseconds !== undefined && Number.isFinite(milliseconds)) return milliseconds;
    context.addIssue({ code: 'custom', message: NO_TIME });
    return z.NEVER;
  });

/** A time that is not negative. */
export const delay = time.refine((milliseconds) => milliseconds >= 0, { error: 'is negative: write 0 or more' });

/** In a running tree, a description is the number of one in the tree's table. */
export interface Template {
  readonly $description: number;
}

export function isTemplate(value: unknown): value is Template {
  return typeof value === 'object' && value !== null && typeof (value as Template).$description === 'number';
}

/** A description that the component deploys when its time has come. */
export const template = z.custom<Description | Reference>((value) => isDescription(value) || isTemplate(value), {
  error: 'is not a description: write a component, as in sequence({ ... })',
});

/** A reference to a component, which is not resolved to a value. */
export const target = z.custom<Reference>((value) => isReference(value) && routeOf(value.$ref) !== undefined, {
  error: "is not a reference to a component: write ref('../name')",
});

/** A description of a component that can be evaluated: the check of descriptions sees to that. W3 */
export const condition = template.describe('a condition');

/** Tells whether an attribute of this schema holds a description, and whether that is one of a condition. */
export function heldBy(field: z.ZodType): 'component' | 'condition' | undefined {
  const its: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
  if (its === condition) return 'condition';
  return its === template ? 'component' : undefined;
}

/** Components that take events. W2 */
const listeners = z.array(target);

/** Any JSON, which may be missing. */
export const anything = z.any().optional();

/** The attributes that every component has. The defaults are the source's. W2, W4 */
export const common = z.object({
  /** Tells whether it ends when its work is done. */
  sfShouldTerminate: z.boolean().default(false),
  /** As `sfShouldTerminate`, and the parent is not told. */
  sfShouldTerminateQuietly: z.boolean().default(false),
  /** Tells whether it leaves its parent when its work is done, to go on by itself. */
  sfShouldDetach: z.boolean().default(false),
  /** Tells whether its children end one by one, and before its parent is told of its end. */
  sfSyncTerminate: z.boolean().default(false),
  /** The components that get its events. */
  sendTo: listeners.default([]),
  /** The components whose events it gets. */
  registerWith: listeners.default([]),
  /** Attributes of any name, for the references of those that it holds: `ref('../url')`. */
  parameters: z.record(z.string(), z.any()).optional(),
  /** The task queue on which its calls run, and those of its descendants. */
  host: z.string().optional(),
  /** For how long a host may leave a call unanswered before it counts as unreachable. */
  reachWithin: delay.optional(),
});
makeShareable(common);
