import { isAtRest, isSettled, standingOf, stateOf } from '../kernel/index.js';
import type { OperationStatus } from '../operations/status.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { Overview, Subject } from './fact.js';

/** Lists what has not settled although nothing is under way any more, in words; empty when all is at rest. */
export function unsettled(overview: Overview): readonly string[] {
  return [
    ...overview.entities().flatMap(({ subject, snapshot }) => unsettledEntity(subject, snapshot)),
    ...overview.operations().map(({ id, status }) => `${id} has not ended${status ? `: ${openParts(status)}` : ''}`),
  ];
}

function unsettledEntity({ entity, id }: Subject, snapshot: Snapshot): readonly string[] {
  const { running, waiting, engagements, judgements, state, reservation, postponed, exhausted } = snapshot;
  const problems = [
    ...(running ? [`its action '${running.action}' runs and waits for something that never comes`] : []),
    ...(waiting.length > 0 ? [`these events wait: ${waiting.map(({ event }) => event).join(', ')}`] : []),
    ...(!running && !isAtRest(entity, snapshot) ? [`it does not go on in ${state}`] : []),
    ...(!running && !exhausted && stateOf(entity, snapshot).waiting
      ? [`it waits in ${state} for its successors: ${successors(snapshot) || 'it has none'}`]
      : []),
    ...(engagements.length > 0
      ? [`these events have not ended: ${engagements.map(({ event }) => event).join(', ')}`]
      : []),
    ...(postponed ? [`its action '${postponed.running.action}' is to run again`] : []),
    ...(reservation ? [`it is reserved by ${entityId(reservation.owner)}`] : []),
    ...(!running && judgements.length > 0 ? ['it owes judgements of reports'] : []),
  ];
  // Callers would hear otherwise that it is in progress. standing.1
  const all =
    problems.length > 0 || isSettled(entity, snapshot) ? problems : [`it is ${standingOf(entity, snapshot).kind}`];
  return all.map((problem) => `${id}: ${problem}`);
}

function successors({ successors: all }: Snapshot): string {
  return all.map(({ type, key, event, outcome }) => `${type}/${key} ${outcome?.state ?? event}`).join(', ');
}

function openParts({ items, waiting, participants }: OperationStatus): string {
  const open = items.filter(({ state }) => state === 'open');
  const resting = Object.keys(waiting).flatMap((name) => participants[name] ?? []);
  return [
    ...open.map(({ id, on, kind }) => `nothing was heard of the ${kind} ${id} on ${on}`),
    ...resting.map((participant) => `${entityId(participant)} waits in ${participant.state}`),
  ].join(', ');
}
