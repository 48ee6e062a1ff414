/** A bug that is planted in a copy of the code, to see that the simulation finds it. */
export interface PlantedBug {
  readonly name: string;
  /** Of the compiled code, below `src`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [];
