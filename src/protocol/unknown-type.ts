/** A worker took the task of an entity, and its bundle does not have the type of that entity. */
export interface UnservedType {
  readonly type: string;
  readonly taskQueue: string;
  /** The build of the worker, where that is known. */
  readonly build?: string | undefined;
  /** The types that the bundle has. */
  readonly known: readonly string[];
}

/** The message of the worker. Temporal keeps only one sentence of a failed task. */
export function unknownTypeMessage({ type, taskQueue, build, known }: UnservedType): string {
  const which = build === undefined ? '' : ` (build ${build})`;
  return (
    `A worker of the task queue '${taskQueue}'${which} has no entity type '${type}'. It has: ${known.join(', ')}. ` +
    `Temporal retries the task. Start workers that have the type, and stop those that do not.`
  );
}

/** Tells whether a message is this one. */
export function isUnknownTypeMessage(message: string): boolean {
  return /^A worker of the task queue '.*'( \(build .*\))? has no entity type '/.test(message);
}
