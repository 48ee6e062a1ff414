import { Rejected } from '../../protocol/errors.js';
import type { OperationReading } from '../operation-reading.js';
import { namesShown, type Audience } from './audience.js';
import type { Explanation } from './explanation.js';

/**
 * Adds why the explained entity rests in an error state, where it has no failure of its own: the errors of the operation that led
 * there, as far as the audience may see their entities. An operation that cannot be read adds none. S5.4
 */
export async function withErrorCauses(
  explanation: Explanation,
  read: (operation: string) => Promise<OperationReading>,
  audience: Audience,
): Promise<Explanation> {
  const [root, ...others] = explanation.entities;
  if (root?.kind !== 'entity' || root.enteredIn === undefined) return explanation;
  const errors = await errorsOf(read(root.enteredIn));
  const shown = await namesShown(audience, new Set(errors.map(({ entity }) => entity)));
  const causes = errors.filter(({ entity }) => audience.everything || shown.has(entity));
  return causes.length === 0 ? explanation : { ...explanation, entities: [{ ...root, causes }, ...others] };
}

async function errorsOf(reading: Promise<OperationReading>) {
  try {
    const read = await reading;
    return read.state === 'ended' ? read.result.errors : [];
  } catch (thrown) {
    if (thrown instanceof Rejected) return [];
    throw thrown;
  }
}
