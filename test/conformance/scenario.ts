import type { Plane } from './plane.js';

/** A scenario that proves the heart of a requirement, on any driver. `key` is its own. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly run: (plane: Plane, key: string) => Promise<void>;
  /** True where it ends the worker, which scenarios beside it would feel. */
  readonly alone: boolean;
  /** True where a real service would prove no more, or another test proves it there already. */
  readonly simulated: boolean;
}

export function scenario(
  id: string,
  title: string,
  run: Scenario['run'],
  { alone = false, simulated = false } = {},
): Scenario {
  return { id, title, run, alone, simulated };
}
