import type { DeclarationProblem } from '../definition/declaration-error.js';
import type { Branch } from './flat.js';

type Options = Readonly<Record<string, unknown>>;

export interface StateSkeleton {
  readonly initial: boolean;
  readonly kind: 'stable' | 'unstable' | 'terminal' | 'deleted';
  readonly options: Options;
}

export interface ActionSkeleton {
  readonly on?: string;
  readonly in: readonly string[];
  readonly to: readonly string[];
  readonly branches: readonly Branch[];
  /** The service that the action has to call. */
  readonly service?: string | undefined;
  /** The ways after an error that the state's own retries do not take. */
  readonly onError: readonly Branch[];
}

/** An entity as far as a machine gives it. */
export interface Skeleton {
  readonly name: string;
  readonly description?: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly states: Readonly<Record<string, StateSkeleton>>;
  readonly events: Readonly<Record<string, Options>>;
  readonly actions: Readonly<Record<string, ActionSkeleton>>;
  readonly limits: Readonly<Record<string, Options>>;
  /** All that the machine has and the entity has not, or has in another way. */
  readonly remarks: readonly DeclarationProblem[];
}

/** Adds a remark. */
export function remarked(skeleton: Skeleton, place: string, problem: string, remedy: string): Skeleton {
  return { ...skeleton, remarks: [...skeleton.remarks, { place, problem, remedy }] };
}
