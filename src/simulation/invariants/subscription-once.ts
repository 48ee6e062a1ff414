import { asList } from '../../definition/names.js';
import { counted, matches } from '../../kernel/index.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';

/**
 * S4.3: a subscription fires when its pattern is there, and once for each match: within one entry into a state, not
 * again before the pattern was gone. Where it names states, it fires in no other.
 */
export function subscriptionOnce(): Invariant {
  /** Life and subscription -> when and in which entry it fired last. */
  const fired = new Map<string, { readonly entry: number; readonly failures: number; readonly at: number }>();
  /** The last start of each life: another action that came in between may have entered the state again. */
  const latest = new Map<string, string | undefined>();
  return {
    name: 'a subscription fires once for each match',
    hear(fact, { now }) {
      if (fact.kind !== 'started') return undefined;
      const { by, snapshot } = fact;
      const name = snapshot.running?.subscription;
      const previous = latest.get(by.life);
      latest.set(by.life, name);
      // A postponed action that runs again is the same one.
      if (name === undefined || snapshot.running?.restarts !== undefined) return undefined;
      const place = `${by.life} ${name}`;
      const subscription = by.entity.subscriptions[name]!;
      const places = asList(subscription.in ?? snapshot.state);
      if (!places.includes(snapshot.state))
        return `'${name}' of ${by.id} fires in ${snapshot.state}, which it does not name`;
      const before = fired.get(place);
      const failures = snapshot.rearm?.failures ?? 0;
      fired.set(place, { entry: snapshot.entry, failures, at: now });
      // A report that came in the same task, after the pattern had been there, may have changed it since.
      const unchanged = snapshot.judgements.length === 0;
      if (unchanged && !candidates(snapshot).some((successors) => matches(subscription.when, successors))) {
        return `'${name}' of ${by.id} fires, and its pattern is not there`;
      }
      // Where its event stays, the pattern may have gone and come within one entry.
      const stays = by.entity.events[subscription.raise]?.stays === true;
      if (before?.entry === snapshot.entry && !stays) return `'${name}' of ${by.id} fires twice for one match`;
      if (before && previous === name && failures > before.failures && before.at === now) {
        return `'${name}' of ${by.id} fires again at once, though its action has just failed`;
      }
      return undefined;
    },
  };
}

/** The successors that may have counted: those of the operation that was current before the event opened its own. */
function candidates(snapshot: Snapshot): readonly (readonly Successor[])[] {
  const operations = new Set(snapshot.successors.map(({ operation }) => operation));
  return [
    snapshot.successors,
    counted(snapshot),
    ...[...operations].map((operation) => snapshot.successors.filter((each) => each.operation === operation)),
  ];
}
