import type { TransitionRecord } from '../../protocol/records.js';
import type { Invariant } from '../fact.js';
import { shelfName } from '../record-shelf.js';

/** S5.2: when nothing is under way any more, the store has a row for each transition and each event that has ended. */
export function everythingRecorded(): Invariant {
  const transitions = new Map<string, Pick<TransitionRecord, 'startState' | 'endState'>>();
  const ended = new Set<string>();
  /** Lives that an operator has ended. What they had not sent yet is lost with them. */
  const terminated = new Set<string>();
  return {
    name: 'everything is recorded',
    hear(fact, all) {
      if (fact.kind === 'changed' && fact.before && fact.after.version > fact.before.version) {
        const { before, after } = fact;
        const name = `transition ${after.version} of ${after.life}`;
        transitions.set(name, { startState: before.state, endState: after.state });
      }
      // An event on an entity that does not exist has no row: it happened on no state machine.
      if (fact.kind === 'told' && fact.message.kind === 'ended' && fact.message.participant.life !== '') {
        ended.add(`event ${fact.message.engagement} of ${fact.message.participant.life}`);
      }
      if (fact.kind === 'terminated') terminated.add(fact.life);
      if (fact.kind !== 'quiet') return undefined;
      const records = new Map(all.records().map((record) => [shelfName(record), record]));
      for (const [name, { startState, endState }] of transitions) {
        const record = records.get(name);
        if (terminated.has(lifeOf(name))) continue;
        if (record?.kind !== 'transition')
          return `the store has no row of the ${name}, from ${startState} to ${endState}`;
        if (record.startState !== startState || record.endState !== endState) {
          return `the ${name} went from ${startState} to ${endState}, and its row says from ${record.startState} to ${record.endState}`;
        }
      }
      for (const name of ended) {
        if (terminated.has(lifeOf(name))) continue;
        const record = records.get(name);
        if (record?.kind !== 'event' || record.endedAt === undefined) return `the store has no end of the ${name}`;
      }
      return undefined;
    },
  };
}

function lifeOf(name: string): string {
  return name.slice(name.lastIndexOf(' of ') + ' of '.length);
}
