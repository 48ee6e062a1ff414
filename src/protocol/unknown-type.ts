/** The task of an entity that a worker took whose bundle does not have the type. */
export interface UnservedType {
  readonly type: string;
  readonly taskQueue: string;
  /** What the worker runs, where that is known. */
  readonly build?: string | undefined;
  /** The types that the bundle has. */
  readonly known: readonly string[];
}

/** What the worker says of it. Temporal keeps of a failed task no more than a sentence. */
export function unknownTypeMessage({ type, taskQueue, build, known }: UnservedType): string {
  const which = build === undefined ? '' : ` (build ${build})`;
  return (
    `A worker of the task queue '${taskQueue}'${which} has no entity type '${type}'. It has: ${known.join(', ')}. ` +
    `The task is tried again until a worker that has the type takes it: start one, and end those that have not.`
  );
}

/** Whether a worker has said so. */
export function isUnknownTypeMessage(message: string): boolean {
  return /^A worker of the task queue '.*'( \(build .*\))? has no entity type '/.test(message);
}
