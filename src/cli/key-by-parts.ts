import type { EntityRef } from '../protocol/names.js';
import type { Api } from './api/api.js';
import { keyPartsOfType } from './api/type-paths.js';
import { UsageError } from './usage-error.js';

/**
 * The entity that a command names: a key of several parts is written as one text, `demo,sales`, or part by part in any order,
 * `name=sales,server=demo`. A comma within a part is ~1 in both, and ~ is ~0.
 * @throws UsageError for parts that are not those of the type
 */
export async function meantBy(api: Api, written: EntityRef): Promise<EntityRef> {
  const names = await keyPartsOfType(api, written.type);
  return names ? { type: written.type, key: keyByParts(names, written) } : written;
}

function keyByParts(names: readonly string[], { type, key }: EntityRef): string {
  const pieces = key.split(',').map((piece) => {
    const name = names.find((each) => piece.startsWith(`${each}=`));
    return { name, text: name === undefined ? piece : piece.slice(name.length + 1) };
  });
  // A key that is written as one text may have a part that looks like this.
  if (pieces[0]?.name === undefined) return key;
  const texts = names.map((name) => pieces.filter((piece) => piece.name === name));
  if (pieces.length === names.length && texts.every(({ length }) => length === 1)) {
    return texts.map(([piece]) => piece!.text).join(',');
  }
  const [byParts, asText] = [names.map((name) => `${name}=...`).join(','), names.join(',')];
  throw new UsageError(
    `'${key}' is not a key of ${type}: it names each of its parts once, like '${byParts}', or none, like '${asText}'. ` +
      `Write a comma within a part as ~1, and ~ as ~0.`,
  );
}

/** Writes a key that is one text part by part, in their order. */
export function writeByParts(names: readonly string[], key: string): string {
  return key
    .split(',')
    .map((text, index) => `${names[index]}=${text}`)
    .join(',');
}

/** How a key that is written part by part can go on: with the names of the parts that it lacks. */
export function nextParts(names: readonly string[], current: string): readonly string[] {
  const written = current.split(',').slice(0, -1);
  const left = names.filter((name) => !written.some((piece) => piece.startsWith(`${name}=`)));
  return left.map((name) => [...written, `${name}=`].join(','));
}
