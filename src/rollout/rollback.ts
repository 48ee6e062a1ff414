import type { BuildSchemas } from '../temporal/build-schemas.js';

/** A build, and what it reads. */
export interface ReadingBuild {
  readonly build: string;
  readonly schemas: BuildSchemas;
}

/** Which entities of one build another one could not read, each in words; nothing where it reads all that it knows. Q2 */
export function unreadable(of: ReadingBuild, by: ReadingBuild): readonly string[] | undefined {
  const sentences = Object.entries(of.schemas).flatMap(([type, { backTo, schema }]) => {
    const { schema: read = backTo } = by.schemas[type] ?? {};
    if (read >= backTo) return [];
    return [`'${of.build}' brings ${type} to schema ${schema}, and '${by.build}' reads schema ${read}`];
  });
  return sentences.length > 0 ? sentences : undefined;
}

/** The types that another build has not: their entities can go on here alone. */
export function typesWithout(of: ReadingBuild, by: ReadingBuild): readonly string[] {
  return Object.keys(of.schemas).filter((type) => !(type in by.schemas));
}
