/*
 * The results that jobs have ended with are a part of an instance's data, which travels as one message.
 *
 * results.1. Results are kept as long as they fit together; how many were left out is told. The first one is always kept.
 */
import type { Instance } from './instance.js';

/** The length of all results together, in characters of JSON: a message of Temporal has two million bytes. */
const MOST_CHARACTERS = 400_000;

export function withResults(
  { results, resultCharacters, resultsLeftOut }: Instance,
  told: readonly (readonly [partition: string, result: unknown])[],
): Pick<Instance, 'results' | 'resultCharacters' | 'resultsLeftOut'> {
  const kept: Record<string, unknown> = { ...results };
  let characters = resultCharacters;
  let leftOut = resultsLeftOut;
  for (const [partition, result] of told) {
    const length = JSON.stringify(result)?.length ?? 0;
    if (characters > 0 && characters + length > MOST_CHARACTERS) {
      leftOut++;
      continue;
    }
    kept[partition] = result;
    characters += length;
  }
  return { results: kept, resultCharacters: characters, resultsLeftOut: leftOut };
}
