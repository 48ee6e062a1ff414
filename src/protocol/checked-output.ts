import { CALL_OUTPUT_BYTES } from '../definition/limits.js';
import type { CallShape } from '../definition/resource.js';
import { giveOutput } from './carried.js';
import { ResourceError } from './errors.js';
import { describeIssues } from './schema-problems.js';
import { utf8Length } from './utf8-length.js';

/**
 * Gives an output as its call's schema has it. Whatever is wrong with it fails the call here: an output that could not be sent would
 * not reach the action, and Temporal would make the call again and again. S1.5a
 * @param giver who gives it: `The provider of 'shelf.put'`
 * @throws ResourceError
 */
export function checkedOutput({ output }: Pick<CallShape, 'output'>, given: unknown, giver: string): unknown {
  const [value, json] = writable(output, given, giver);
  const bytes = json === undefined ? 0 : utf8Length(json);
  if (bytes <= CALL_OUTPUT_BYTES) return value;
  throw new ResourceError(
    'output_too_large',
    `${giver} gives too much: at most ${counted(CALL_OUTPUT_BYTES)} bytes of JSON. It has ${counted(bytes)}. Keep it outside, and give where ` +
      'it is found.',
  );
}

/** The value, and its JSON: none of nothing. Code of the provider may run while it is read: getters, `toJSON`, a proxy. */
function writable(schema: CallShape['output'], given: unknown, giver: string): readonly [unknown, string | undefined] {
  const checked = giveOutput(schema, given);
  if (checked.valid) return [checked.value, JSON.stringify(checked.value) as string | undefined];
  const problem = describeIssues(checked.issues).replace(/\.$/, '');
  throw new ResourceError('invalid_output', `${giver} returned an invalid value: ${problem}.`);
}

function counted(bytes: number): string {
  return bytes.toLocaleString('en-US');
}
