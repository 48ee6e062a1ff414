import type { Duration } from './duration.js';
import type { AnyEntity, LinksOf, PropertiesOf, StateOf, SubordinatesOf } from './entity.js';
import type { Health } from './state.js';

/** Another entity as it was when it answered: what it had committed, nothing that an action was about to change. S3.7 */
export interface EntityView<E extends AnyEntity = AnyEntity> {
  readonly type: E['name'];
  readonly key: string;
  readonly state: StateOf<E>;
  /** Grows by one with each transition. */
  readonly version: number;
  readonly health: Health;
  /** It is at rest in a state that is not waiting. */
  readonly settled: boolean;
  readonly properties: Readonly<PropertiesOf<E>>;
  readonly links: Readonly<LinksOf<E>>;
  readonly subordinates: Readonly<SubordinatesOf<E>>;
}

export interface ReadOptions {
  /** How long to wait for the answer at most. Default: 1 minute. */
  readonly within?: Duration;
}
