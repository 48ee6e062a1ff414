import { all, kindOf, notes, parentOf, pathOf, sights, type Law } from './look.js';

const LOGIC = ['And', 'Or', 'Xor', 'Not', 'Asked'];

/** W-8: a condition is asked while it is up, and its failure is a failure of who asked. */
export const asksConditions: Law = () => (look) => {
  const { before, input, after } = look;
  const changed = new Map(notes(look).flatMap(({ id, phase }) => (phase ? [[id, phase]] : [])));
  for (const { id, seen } of sights(look)) {
    if (seen.saw !== 'question') continue;
    const was = before.components[id]?.phase;
    if (was !== 'up' && !changed.has(id)) return `condition ${id} is asked while it is ${was}`;
  }
  for (const component of all(after)) {
    const { phase } = component;
    const holder = parentOf(after, component);
    if (kindOf(after, component) !== 'Asked' || !holder) continue;
    if (phase === 'deployed' && holder.phase === 'up')
      return `${pathOf(after, component)} is not started with its holder`;
  }
  if (input.kind !== 'answer') return undefined;
  const asked = all(before).find(({ calls = [] }) => calls.some(({ key }) => key === input.key));
  if (!asked || kindOf(before, asked) !== 'Asked') return undefined;
  let holder = parentOf(before, asked);
  while (holder && LOGIC.includes(kindOf(before, holder))) holder = parentOf(before, holder);
  if (!holder || holder.end || holder.pendingEnd) return undefined;
  const now = after.components[holder.id];
  const end = now?.end ?? now?.pendingEnd?.end;
  const isFailure = end?.type === 'abnormal' && end.description.startsWith('its condition failed');
  const failed = 'error' in input.result;
  if (!now || failed === isFailure) return undefined;
  return `the condition of ${pathOf(before, holder)} ${failed ? 'fails' : 'answers'}, and it ${isFailure ? 'fails' : 'does not fail'}`;
};
