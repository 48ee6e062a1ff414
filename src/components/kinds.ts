import { COMPOUND } from './combinators/compound.js';
import { COUNTER_ACTION } from './combinators/counter-action.js';
import { DELAY } from './combinators/delay.js';
import { DURING } from './combinators/during.js';
import { FINALLY } from './combinators/finally.js';
import { PARALLEL } from './combinators/parallel.js';
import { RANDOM_SEQUENCE } from './combinators/random-sequence.js';
import { REPEAT } from './combinators/repeat.js';
import { RETRY } from './combinators/retry.js';
import { SEQUENCE } from './combinators/sequence.js';
import { TEST_BLOCK } from './combinators/test-block.js';
import { TIMEOUT } from './combinators/timeout.js';
import { TRY } from './combinators/try.js';
import { EVALUATE_CONDITION } from './conditions/evaluate.js';
import { FAIL } from './conditions/fail.js';
import { IF } from './conditions/if.js';
import { LIVENESS_TEST } from './conditions/liveness-test.js';
import { AND, NOT, OR, XOR } from './conditions/logic.js';
import { TEST_COMPOUND } from './conditions/test-compound.js';
import { IS_ALIVE, RESOLVES } from './conditions/reference.js';
import { ASSERT, EQUALS, RUNNING_FOR, STRING_EQUALS, STRING_LENGTH, VALUE } from './conditions/value.js';
import { WAIT_FOR } from './conditions/wait-for.js';
import {
  DATABASE_LIVE,
  DATABASE_OPEN,
  FILE_EXISTS,
  HOST_EXISTS,
  IS_PROPERTY_SET,
  LIVENESS_PAGE,
} from './conditions/world.js';
import { DO_NOTHING } from './events/do-nothing.js';
import { EVENT_COUNTER } from './events/event-counter.js';
import { EVENT_QUEUE } from './events/event-queue.js';
import { EVENT_SEND } from './events/event-send.js';
import { ON_EVENT } from './events/on-event.js';
import { ATTRIBUTE } from './handling/attribute.js';
import { RUN } from './handling/run.js';
import { TERMINATOR } from './handling/terminator.js';
import { CALL } from './own/call.js';
import type { AnyComponent } from './own/component.js';
import type { Kind, Kinds } from './tree/kind.js';

/** The kinds that come with Reeve. W1 to W4 */
const SHIPPED: readonly Kind[] = [
  ...[COMPOUND, COUNTER_ACTION, DELAY, DURING, FINALLY, PARALLEL, RANDOM_SEQUENCE, REPEAT, RETRY, SEQUENCE, TEST_BLOCK],
  ...[
    TIMEOUT,
    TRY,
    CALL,
    DO_NOTHING,
    FAIL,
    EVENT_COUNTER,
    EVENT_QUEUE,
    EVENT_SEND,
    ON_EVENT,
    ATTRIBUTE,
    RUN,
    TERMINATOR,
  ],
  ...[EVALUATE_CONDITION, IF, LIVENESS_TEST, TEST_COMPOUND, WAIT_FOR, AND, NOT, OR, XOR, ASSERT, EQUALS, RUNNING_FOR],
  ...[IS_ALIVE, RESOLVES, STRING_LENGTH],
  ...[STRING_EQUALS, VALUE, DATABASE_LIVE, DATABASE_OPEN, FILE_EXISTS, HOST_EXISTS, IS_PROPERTY_SET, LIVENESS_PAGE],
];

/**
 * All kinds that descriptions may name: those that come with Reeve, components of one's own, and kinds of one's own.
 * @throws RangeError when two have the same name
 */
export function kindsOf(own: readonly (Kind | AnyComponent)[] = []): Kinds {
  const kinds = new Map(SHIPPED.map((kind) => [kind.name, kind]));
  for (const each of own) {
    const kind = 'kind' in each ? each.kind : each;
    if (kinds.has(kind.name))
      throw new RangeError(`There are two kinds '${kind.name}'. Give one of them another name.`);
    kinds.set(kind.name, kind);
  }
  return kinds;
}
