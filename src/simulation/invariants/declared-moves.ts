import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import { exhaustedStates } from '../../definition/retry-rules.js';
import type { Fact, Invariant } from '../fact.js';
import { unmetGuards } from './unmet-guards.js';

/** S2.2, S2.3, S3.1: an action starts only where it may, its event is valid there, its guards hold, and it goes only where it may. */
export function declaredMoves(): Invariant {
  return {
    name: 'every state change is a declared one',
    hear(fact) {
      if (fact.kind === 'started') return start(fact);
      if (fact.kind === 'changed') return move(fact);
      return undefined;
    },
  };
}

function start({ by, action, snapshot }: Extract<Fact, { kind: 'started' }>): string | undefined {
  const declared = by.entity.actions[action];
  const { state } = snapshot;
  if (!declared) return `${by.id} starts '${action}', which is not declared`;
  if (!asList(declared.in).includes(state)) return `${by.id} starts '${action}' in ${state}, where it does not run`;
  if (declared.on === undefined) return undefined;
  const valid = asList(by.entity.events[declared.on]?.in).includes(state);
  if (!valid) return `${by.id} takes '${declared.on}' in ${state}, where it is not valid`;
  // One that was postponed may find other contents when it runs again. S3.8
  if (snapshot.running?.restarts) return undefined;
  const [unmet] = unmetGuards(by.entity, snapshot, declared.on, snapshot.running?.params);
  return unmet === undefined ? undefined : `${by.id} takes '${declared.on}', although this does not hold: ${unmet}`;
}

function move({ by, before, after, ended }: Extract<Fact, { kind: 'changed' }>): string | undefined {
  if (!before || before.state === after.state) return undefined;
  const said = `${by.id} went from ${before.state} to ${after.state}`;
  if (!ended) return `${said} by no action`;
  return targets(by.entity, ended.action, before.state).includes(after.state)
    ? undefined
    : `${said} by '${ended.action}', which does not declare it`;
}

function targets(entity: AnyEntity, action: string, from: string): readonly string[] {
  return [...asList(entity.actions[action]?.to), ...exhaustedStates(entity.states[from])];
}
