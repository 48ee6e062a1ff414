import type { AnyEntity } from '../../definition/entity.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { recordOutcome } from '../ledger/ledger.js';
import { forOperation, recordEnd } from './records.js';
import type { Effect, Step } from '../rules/step.js';

/** The effect of an event on the operations that are under way, and which of them it ends. */
export interface Interrupted extends Step {
  readonly replaces: readonly string[];
}

/**
 * Tells the other operations that are under way on the entity that an event was accepted. They end canceled where the event is
 * declared to take their place. S4.8
 */
export function interrupt(entity: AnyEntity, snapshot: Snapshot, request: RaiseRequest, now: number): Interrupted {
  const by = request.operation ?? request.id;
  const others = snapshot.engagements.filter(({ operation }) => operation !== by);
  const waiting = snapshot.awaiting.filter((operation) => operation !== by);
  const operations = new Set([...waiting, ...others.filter(({ opened }) => opened).map(({ operation }) => operation)]);
  const ends = entity.events[request.event]?.interrupts === 'cancel';
  const participant = { type: snapshot.type, key: snapshot.key, life: snapshot.life };
  const { state, version } = snapshot;
  const ending = { state, version, health: 'normal', waiting: false } as const;
  const outcome: EngagementOutcome = { ...ending, canceled: true, interrupted: true };
  const told = [...operations].map((operation): Effect => {
    return { kind: 'tell', operation, message: { kind: 'interrupted', participant, by, ...(ends && { outcome }) } };
  });
  if (!ends) return { snapshot, effects: told, replaces: [] };

  const ended = others
    .filter(({ opened }) => opened)
    .map((each): Effect => {
      const { id, event, operation, caused, awaiter } = each;
      const engagement = {
        ...{ engagement: id, event, caused },
        ...(awaiter && { awaiter }),
        ...forOperation(entity, snapshot, each, now),
      };
      return {
        kind: 'tell',
        operation,
        message: { kind: 'ended', participant, outcome, judgements: [], ...engagement },
      };
    });
  const records = others.map((engagement) => recordEnd(entity, snapshot, engagement, outcome, now));
  return {
    snapshot: {
      ...snapshot,
      engagements: snapshot.engagements.filter((engagement) => !others.includes(engagement)),
      awaiting: snapshot.awaiting.filter((operation) => !waiting.includes(operation)),
      ledger: others.reduce((ledger, engagement) => recordOutcome(ledger, engagement, outcome), snapshot.ledger),
    },
    effects: [...told, ...records, ...ended],
    replaces: [...operations],
  };
}
