import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { busyChanges } from './busy-changes.js';
import { guardChanges } from './guard-changes.js';
import { breaksCallers, inPresentStates, inWords, paired, same, type Versions } from './context.js';

/** Changes of events: what callers, other entities and events that wait ask for, and what they are answered. */
export function eventChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const { gone, came, both } = paired(old.events, next.events, next.renamed.events);
  const place = (name: string) => `${next.name}.events.${name}`;
  const formerly = (name: string) =>
    Object.entries(next.renamed.states ?? {}).find(([, present]) => present === name)?.[0] ?? name;
  return [
    ...gone.map(({ name }) =>
      breaksCallers(
        place(name),
        `The event '${name}' was removed. Requests for it are rejected, and so are events that wait already.`,
        `Keep '${name}' while callers raise it, or declare its new name: renamed: { events: { ${name}: '...' } }.`,
        { type: next.name, event: name },
      ),
    ),
    ...came.map(({ name }) => safe(place(name), `The event '${name}' is new.`)),
    ...both.flatMap(([before, other]): readonly Change[] => {
      const one = inPresentStates(before, versions);
      const { name } = other;
      const at = place(name);
      const touches = { type: next.name, event: one.name };
      const changes: Change[] = [];
      if (one.name !== name) {
        changes.push(
          breaksCallers(
            at,
            `The event '${one.name}' is now named '${name}'. Entities accept both names. The API and its description have only the new one.`,
            `Inform the callers that raise '${one.name}' through the API.`,
            touches,
            true,
          ),
        );
      }
      const refused =
        other.params === undefined || isSameSchema(one.params, other.params)
          ? []
          : refusals(other.params, one.params ?? NO_PARAMETERS);
      if (other.params === undefined && one.params !== undefined) {
        const sentence = `'${name}' no longer takes parameters, and is rejected with any.`;
        changes.push(breaksCallers(at, sentence, 'Keep accepting them, and ignore them.', touches));
      } else if (refused.length > 0) {
        const sentence = `'${name}' rejects parameters that it accepted before: ${inWords(refused, 'the value')}.`;
        changes.push(breaksCallers(at, sentence, 'Make new parameters optional, or add another event.', touches));
      } else if (!same(one.params, other.params)) {
        changes.push(safe(at, `'${name}' accepts all earlier parameters.`));
      }
      const lost = one.in.filter((each) => !other.in.includes(each));
      if (lost.length > 0) {
        const sentence = `'${name}' is no longer valid in ${lost.join(', ')}.`;
        const remedy = 'Keep it valid there while callers raise it, with an action that does nothing.';
        changes.push(breaksCallers(at, sentence, remedy, { ...touches, states: lost.map(formerly) }));
      }
      const gained = other.in.filter((each) => !one.in.includes(each));
      if (gained.length > 0) changes.push(safe(at, `'${name}' is valid in ${gained.join(', ')} too.`));
      const codes = rejectionChanges(one.rejections, other.rejections, [...other.in, ...gained]);
      if (codes.length > 0) {
        const sentence = `'${name}' is rejected with another code: ${codes.join('; ')}.`;
        changes.push(breaksCallers(at, sentence, 'Keep the code; its message may change.', touches));
      }
      if (!one.internal && other.internal) {
        const sentence = `'${name}' is internal now: callers cannot raise it.`;
        changes.push(breaksCallers(at, sentence, 'Keep it public while callers outside raise it.', touches));
      } else if (one.internal && !other.internal) {
        changes.push(safe(at, `'${name}' is public now: callers can raise it too.`));
      } else {
        const without = (one.roles ?? []).filter((role) => !(other.roles ?? []).includes(role));
        if (without.length > 0) {
          const sentence = `'${name}' may no longer be raised by: ${without.join(', ')}.`;
          changes.push(breaksCallers(at, sentence, 'Keep the role while callers use it.', touches));
        } else if (!same(one.roles, other.roles)) {
          changes.push(safe(at, `'${name}' may be raised by more roles.`));
        }
      }
      if (other.needs !== undefined && one.needs !== other.needs) {
        const sentence = `'${name}' needs ${other.needs} to exist before it creates anything.`;
        changes.push(breaksCallers(at, sentence, `Create the ${other.needs} first if callers do not.`, touches));
      } else if (one.needs !== other.needs) {
        changes.push(safe(at, `'${name}' no longer needs a ${one.needs}.`));
      } else if (!isSameSchema(one.needed, other.needed)) {
        const sentence = `'${name}' asks for another ${other.needs}, or rejects with another answer without it: the two cannot be compared.`;
        changes.push(breaksCallers(at, sentence, 'Keep its key and the codes; messages may change.', touches));
      }
      if (!same(one.rejectionWords, other.rejectionWords)) {
        changes.push(safe(at, `The messages with which '${name}' is rejected have changed.`));
      }
      if (Boolean(one.answer) !== Boolean(other.answer)) {
        const sentence = other.answer
          ? `Actions can make an address for '${name}' now.`
          : `Actions can make no address for '${name}' any more. Addresses that are pending still raise it.`;
        changes.push(safe(at, sentence));
      }
      const manners = (event: typeof one) => [event.interrupts, event.stays, event.budget];
      if (!same(manners(one), manners(other))) {
        changes.push(safe(at, `The changed interruption by '${name}' applies to events that are raised from now on.`));
      }
      changes.push(...busyChanges(versions, before, other), ...guardChanges(versions, before, other));
      if (!same([one.displayName, one.description], [other.displayName, other.description])) {
        changes.push(safe(at, `The description of '${name}' has changed.`));
      }
      return changes;
    }),
  ];
}

const NO_PARAMETERS = { type: 'object', properties: {}, additionalProperties: false };

type Codes = Readonly<Record<string, string>>;

/** The codes that are others now, in states where the event is rejected before and after. */
function rejectionChanges(old: Codes, next: Codes, valid: readonly string[]): readonly string[] {
  const states = [...new Set([...Object.keys(old), ...Object.keys(next)])];
  return states.flatMap((state) => {
    const [was, is] = [old[state] ?? 'not_valid', next[state] ?? 'not_valid'];
    return was === is || valid.includes(state) ? [] : [`in ${state} ${is} instead of ${was}`];
  });
}
