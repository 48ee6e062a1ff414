import type { Subject } from './subject.js';

/** A bug that is planted in a copy of the code, to check that the simulation finds it. */
export interface PlantedBug {
  readonly name: string;
  /** The path of a compiled file, from its folder `src`. */
  readonly file: string;
  /** The text that is replaced. The file has it exactly once. */
  readonly find: string;
  readonly replace: string;
  /** The simulations that can find it, where the folder of its file does not say so. */
  readonly by?: readonly Subject[];
}
