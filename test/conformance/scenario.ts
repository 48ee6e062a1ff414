import type { Plane } from './plane.js';

/** A scenario that proves the heart of a requirement, on any driver. `key` is its own. */
export interface Scenario {
  readonly id: string;
  readonly title: string;
  readonly run: (plane: Plane, key: string) => Promise<void>;
  /** Whether it ends the worker, which others that run beside it would feel. */
  readonly alone: boolean;
  /** Whether a real service would prove no more, or another test does so there already. */
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
