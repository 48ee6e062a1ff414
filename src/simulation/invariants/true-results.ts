import { entityId, operationWorkflowId } from '../../protocol/names.js';
import { failedInState } from '../../protocol/outcome.js';
import type { Fact, Invariant } from '../fact.js';

/** Checks that an operation's result says of a participant how it was at that version, which is the last one it was told. */
export function trueResults(): Invariant {
  const states = new Map<string, string>();
  /** Operation, and participant with its life -> the latest version that the operation was told. */
  const told = new Map<string, Map<string, number>>();
  /** Operations of which a part was ended early, in favour of others. */
  const cutShort = new Map<string, string>();
  return {
    name: 'an operation tells what was',
    hear(fact) {
      if (fact.kind === 'changed') states.set(`${fact.by.life} ${fact.after.version}`, fact.after.state);
      if (fact.kind === 'told') tell(fact);
      if (fact.kind !== 'ended') return undefined;
      const problem = check(fact);
      // The same request, raised again after its entity was ended by hand, begins an operation of its own.
      told.delete(fact.operation);
      cutShort.delete(fact.operation);
      return problem;
    },
  };

  function tell({ operation, message }: Extract<Fact, { kind: 'told' }>): void {
    const id = operationWorkflowId(operation);
    if (message.kind === 'interrupted' && message.outcome) cutShort.set(id, entityId(message.participant));
    if ((message.kind !== 'ended' && message.kind !== 'moved') || message.outcome.rejection) return;
    const { life } = message.participant;
    const versions = told.get(id) ?? new Map<string, number>();
    told.set(id, versions.set(life, Math.max(versions.get(life) ?? 0, message.outcome.version)));
  }

  function check({ operation, result }: Extract<Fact, { kind: 'ended' }>): string | undefined {
    // Anything that a lost participant has set off is not waited for, and may be told too late.
    const lost = result.errors.some(({ code }) => code === 'lost');
    for (const participant of result.participants) {
      const { life, version, state } = participant;
      const said = `${operation} says that ${entityId(participant)} was ${state} at version ${version}`;
      const was = states.get(`${life} ${version}`);
      if (was !== undefined && was !== state) return `${said}, and it was ${was}`;
      if (participant.waiting) return `${operation} has ended, and ${entityId(participant)} waits in ${state}`;
      const latest = told.get(operation)?.get(life) ?? 0;
      if (version < latest && !lost) return `${said}, and was told of version ${latest}`;
    }
    if (result.outcome !== 'success') return undefined;
    if (cutShort.has(operation)) return `${operation} is a success, and was cut short on ${cutShort.get(operation)}`;
    const bad = result.errors.length > 0 || result.participants.some(failedInState);
    return bad ? `${operation} is a success, and something in it failed` : undefined;
  }
}
