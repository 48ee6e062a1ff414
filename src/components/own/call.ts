import { z } from 'zod';
import type { Call, CallInput } from '../../definition/resource.js';
import { describe, type Description, type Json, type Value } from '../description/description.js';
import { anything } from '../description/fields.js';
import type { Reference } from '../description/reference.js';
import type { CommonAttributes, Referable } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { stays } from '../tree/outlook.js';

/** A call's input, any part of which may be a reference. */
type Referring<T> = T extends object ? { readonly [Name in keyof T]: Referring<T[Name]> | Reference } : Referable<T>;

/** Calls a resource once. Its answer is the attribute `output`, to which others refer; then it ends. */
export const CALL = defineKind({
  name: 'Call',
  attributes: z.object({ activity: z.string(), input: anything, output: anything }),
  defaults: { sfShouldTerminate: true },
  start(self) {
    self.call(self.attribute('activity'), self.resolved('input'));
  },
  answered(self, result) {
    if ('error' in result) return self.end('abnormal', `${result.error.code}: ${result.error.message}`);
    self.set('output', result.output ?? null);
    self.finish('normal', `${self.attribute('activity')} is done`);
  },
  endless: stays,
  doing: (self) => `calls ${self.attribute('activity')}`,
});

/** Calls a resource: `call(files.copy, { from: ref('../url') })`. */
export function call<C extends Call>(
  { activity }: C,
  input: Referring<CallInput<C>> | Reference,
  attributes: CommonAttributes = {},
): Description {
  return describe('Call', { ...(attributes as Record<string, Value>), activity, input: input as Json });
}
