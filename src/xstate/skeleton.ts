import type { DeclarationProblem } from '../definition/declaration-error.js';

type Options = Readonly<Record<string, unknown>>;

export interface StateSkeleton {
  readonly initial: boolean;
  readonly kind: 'stable' | 'unstable' | 'terminal' | 'deleted';
  readonly options: Options;
}

/** One of the ways that a state can be left by. Without `to`, the state stays. */
export interface Branch {
  readonly to?: string;
  readonly guard?: string;
  /** The actions of the machine on this way: of what is left, of the transition, and of what is entered. */
  readonly runs: readonly string[];
  readonly description?: string;
}

export interface Ways {
  /** The last one is taken if no guard holds. */
  readonly branches: readonly Branch[];
  /** The service that has to be called before. */
  readonly service?: string | undefined;
  /** The ways after an error of the service. The declared attempts take the last one, unless code runs on it. */
  readonly onError: readonly Branch[];
}

export interface ActionSkeleton extends Ways {
  readonly on?: string;
  readonly in: readonly string[];
  readonly to: readonly string[];
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
