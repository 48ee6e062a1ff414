import { safe, type Change } from './change.js';
import { breaksCallers, same, type Versions } from './context.js';
import type { EntityModel } from './model.js';

type EventModel = EntityModel['events'][number];

/** Compares the guards of an event: one that is new or different may reject what was accepted. S2.2 */
export function guardChanges({ next }: Versions, one: EventModel, other: EventModel): readonly Change[] {
  const place = `${next.name}.events.${other.name}`;
  const [before, after] = [one.when ?? [], other.when ?? []];
  if (same(before, after)) return [];
  const conditions = before.map(({ is }) => is);
  const came = after.filter(({ is }) => !conditions.includes(is));
  const codes = before.flatMap(({ is, code }) => {
    const now = after.find((each) => each.is === is)?.code ?? code;
    return now === code ? [] : [`'${is}' with ${now}, not ${code}`];
  });
  const touches = { type: next.name, event: one.name };
  if (came.length > 0) {
    const sentence = `'${other.name}' is rejected now unless ${came.map(({ is }) => is).join('; ')}.`;
    return [breaksCallers(place, sentence, 'Inform the callers that raise it otherwise.', touches)];
  }
  if (codes.length > 0) {
    const sentence = `'${other.name}' is rejected with another code: ${codes.join('; ')}.`;
    return [breaksCallers(place, sentence, 'Keep the code; its message may change.', touches)];
  }
  const gone = conditions.filter((is) => !after.some((each) => each.is === is));
  return [
    safe(
      place,
      gone.length > 0
        ? `'${other.name}' is also accepted where this does not hold: ${gone.join('; ')}.`
        : `The messages or the order of the guards of '${other.name}' have changed.`,
    ),
  ];
}
