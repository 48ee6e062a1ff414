/*
 * Many calls as one step. A3
 *
 * collecting.1. At most so many calls are under way at once as the action allows; the others wait for their turn.
 * collecting.2. When it is decided, the calls that are still under way are cancelled, those that wait are never made, and the
 *     questions that were asked outside are closed.
 * collecting.3. It ends in its time, also where its calls are made inline: the first of them that is not answered by then ends it.
 */
import { Aborted } from '../../definition/action-errors.js';
import type { Gathering, Unwanted } from '../callbacks/gathering.js';
import type { PlacedCall } from '../run/placed-call.js';

/** For how long the answer of a call is wanted. */
export interface Wanted {
  /** Why nobody wants it any more. */
  unwanted(): Unwanted | undefined;
  readonly limit: NonNullable<PlacedCall['limit']>;
}

export interface CollectTerms {
  readonly gathering: Gathering;
  /** When it ends in any case, in milliseconds since 1970, and how long that is from its beginning. */
  readonly until: number;
  readonly withinMs: number;
  readonly atOnce: number;
  /** Another way to make a call than the host's. */
  readonly call?: CollectingHost['call'];
  /** Tells whether this holds in time, as far as answers have been given that came before the end of the time. */
  readonly inTime?: (holds: () => boolean, wait: () => Promise<boolean>) => Promise<boolean>;
}

interface CollectingHost {
  /** @param wanted until when its answer is wanted */
  call(placed: PlacedCall, wanted: Wanted): Promise<unknown>;
  /** Tells whether a call that has begun is made inline; nothing of one that has not begun. */
  isInline(placed: PlacedCall): boolean | undefined;
  cancel(idempotencyKeys: readonly string[]): void;
  /** So many more calls wait for their turn, or fewer. */
  queue(more: number): void;
  aborted(): boolean;
  /** Waits until it holds, or the time is over (false). Without a time, it holds within the present task. */
  wait(holds: () => boolean, until: number | undefined, summary: string): Promise<boolean>;
}

/**
 * Makes the calls, and waits until the gathering is decided.
 * @throws Aborted, and what the author's `match` throws
 */
export async function collect(host: CollectingHost, calls: readonly PlacedCall[], terms: CollectTerms): Promise<void> {
  const { gathering, until, withinMs, atOnce } = terms;
  const { call = (placed, wanted) => host.call(placed, wanted), inTime = (_, wait) => wait() } = terms;
  const underWay = new Set<string>();
  const begun: Promise<void>[] = [];
  let [next, broken] = [0, undefined as { readonly thrown: unknown } | undefined];
  let late = false;
  const over = () => gathering.ended || broken !== undefined || host.aborted();
  const wanted: Wanted = {
    unwanted: () => (over() ? gathering.unwanted : undefined),
    limit: { until, over: () => void (late = true) },
  };
  const queue = (more: number) => void (calls.length > atOnce && host.queue(more));
  queue(calls.length);
  beginSome();
  // Calls that are made inline end within this task, and are not waited for as others are. collecting.3
  const inline = calls.every((each) => host.isInline(each) ?? each.call.shape.answer === 'inline');
  const summary = `${calls.length} calls of a collector`;
  const wait = () => host.wait(() => late || over(), inline ? undefined : until, summary).then((met) => met && !late);
  if (!over() && !(await inTime(over, wait))) gathering.timedOut(withinMs);
  host.cancel([...underWay]);
  queue(next - calls.length);
  // Nothing of it goes on when the action does.
  await Promise.all(begun);
  if (host.aborted()) throw new Aborted('The action was aborted while it collected answers.');
  if (broken) throw broken.thrown;

  function beginSome(): void {
    while (!over() && underWay.size < atOnce && next < calls.length) begun.push(begin(next++));
  }

  async function begin(place: number): Promise<void> {
    const placed = calls[place]!;
    queue(-1);
    underWay.add(placed.idempotencyKey);
    try {
      const answer = await call(placed, wanted).then(
        (output) => () => gathering.answered(place, output),
        (thrown: unknown) => () => gathering.failed(place, thrown),
      );
      answer();
    } catch (thrown) {
      broken ??= { thrown };
    }
    underWay.delete(placed.idempotencyKey);
    beginSome();
  }
}
