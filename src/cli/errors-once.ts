/** An error of an operation. */
interface ToldError {
  readonly entity: string;
  readonly event: string;
  readonly code: string;
  readonly message: string;
}

/** Each error once, in lines: an entity that waits for another one fails with the same error. */
export function errorsOnce(errors: readonly ToldError[], paint: (text: string) => string): readonly string[] {
  const told = new Map<string, readonly ToldError[]>();
  for (const error of errors) {
    const says = `${error.code}: ${error.message}`;
    told.set(says, [...(told.get(says) ?? []), error]);
  }
  return [...told].flatMap(([says, [first, ...others]]) => [
    `${paint(first!.entity)}, ${first!.event}: ${says}`,
    ...(others.length === 0
      ? []
      : [`  the same: ${others.map(({ entity, event }) => `${entity}, ${event}`).join('; ')}`]),
  ]);
}
