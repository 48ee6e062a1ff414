/** An entity and the build that was handed its run, with the schemas of both. Q2 */
export interface SchemasApart {
  /** The entity, as type and key. */
  readonly entity: string;
  readonly type: string;
  /** The schema of what is stored. */
  readonly stored: number;
  /** The schema of the build. */
  readonly schema: number;
}

/** The message of a build that meets a run of an older schema which another build has begun. */
export function olderRunMessage({ entity, type, stored, schema }: SchemasApart): string {
  return (
    `${entity} is in a run that a build with schema ${stored} of ${type} has begun. This build has schema ${schema}, ` +
    `and migrates entities when they continue as new. Start workers of the older build: they end the run (docs/guides/migrations.md).`
  );
}

/** The message of a build that meets an entity of a newer schema. */
export function newerEntityMessage({ entity, type, stored, schema }: SchemasApart): string {
  return (
    `${entity} was migrated to schema ${stored} of ${type}. This build has schema ${schema}, and no migration leads back to it. ` +
    `The entity is not changed. Start workers of the newer build, and stop those of this one.`
  );
}

/** Which of the two a message is; nothing where it is neither. */
export function schemasApart(message: string): 'older_run' | 'newer_entity' | undefined {
  if (/^\S+ is in a run that a build with schema \d+ of \w+ has begun/.test(message)) return 'older_run';
  return /^\S+ was migrated to schema \d+ of \w+\. This build has schema/.test(message) ? 'newer_entity' : undefined;
}
