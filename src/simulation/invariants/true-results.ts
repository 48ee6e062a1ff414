import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** What an operation's result says of a participant is how it was at that version. */
export function trueResults(): Invariant {
  const states = new Map<string, string>();
  return {
    name: 'an operation tells what was',
    hear(fact) {
      if (fact.kind === 'changed') {
        states.set(`${fact.by.life} ${fact.after.version}`, fact.after.state);
        return undefined;
      }
      if (fact.kind !== 'ended') return undefined;
      for (const participant of fact.result.participants) {
        const { life, version, state } = participant;
        const was = states.get(`${life} ${version}`);
        if (was !== undefined && was !== state) {
          return `${fact.operation} says that ${entityId(participant)} was ${state} at version ${version}, and it was ${was}`;
        }
        if (participant.waiting) return `${fact.operation} has ended, and ${entityId(participant)} waits in ${state}`;
      }
      const bad = fact.result.errors.length > 0 || fact.result.participants.some(({ health }) => health === 'error');
      if (bad && fact.result.outcome === 'success') return `${fact.operation} is a success, and something in it failed`;
      return undefined;
    },
  };
}
