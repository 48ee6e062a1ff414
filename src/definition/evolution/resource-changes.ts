import { refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { inWords, paired, same } from './context.js';
import { toMilliseconds } from '../duration.js';
import type { ResourceModel } from './model.js';

/** Changes of contracts: what running actions have asked, and what they are answered. */
export function resourceChanges(old: readonly ResourceModel[], next: readonly ResourceModel[]): readonly Change[] {
  const { gone, came, both } = paired(old, next);
  return [
    ...gone.map(({ name }) =>
      broken(`resources.${name}`, `The resource '${name}' was removed. Running actions may still call it.`),
    ),
    ...came.map(({ name }) => safe(`resources.${name}`, `The resource '${name}' is new.`)),
    ...both.flatMap(([one, other]) => callChanges(other.name, one.calls, other.calls)),
  ];
}

type Calls = ResourceModel['calls'];

function callChanges(resource: string, old: Calls, next: Calls): readonly Change[] {
  const { gone, came, both } = paired(old, next);
  const place = (name: string) => `resources.${resource}.${name}`;
  return [
    ...gone.map(({ name }) =>
      broken(place(name), `The call '${resource}.${name}' was removed. Running actions may still make it.`),
    ),
    ...came.map(({ name }) => safe(place(name), `The call '${resource}.${name}' is new.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const { name } = other;
      const changes: Change[] = [];
      const refused = refusals(other.input, one.input);
      if (refused.length > 0) {
        const sentence = `'${resource}.${name}' rejects inputs of running actions: ${inWords(refused, 'the input')}.`;
        changes.push(broken(place(name), sentence));
      }
      const unread = refusals(one.output, other.output, true);
      if (unread.length > 0) {
        const sentence = `'${resource}.${name}' returns outputs that running actions do not expect: ${inWords(unread, 'the output')}.`;
        changes.push(broken(place(name), sentence));
      }
      // An answer that was given before, or is under way, is read by the new code.
      const stale = refusals(other.output, one.output, true);
      if (stale.length > 0 && unread.length === 0) {
        const sentence = `'${resource}.${name}' has returned outputs that the new code does not expect: ${inWords(stale, 'the output')}.`;
        changes.push(broken(place(name), sentence));
      }
      const sooner =
        one.within !== undefined &&
        other.within !== undefined &&
        toMilliseconds(other.within as never) < toMilliseconds(one.within as never);
      if (sooner)
        changes.push(
          broken(place(name), `'${resource}.${name}' waits for its answer for less time than running actions expect.`),
        );
      if ((one.mode === 'callback') !== (other.mode === 'callback')) {
        changes.push(
          broken(
            place(name),
            `'${resource}.${name}' is ${other.mode === 'callback' ? '' : 'not '}answered from outside now.`,
          ),
        );
      }
      changes.push(...mannerChanges(place(name), `${resource}.${name}`, one.manners, other.manners));
      if (changes.length > 0 || same(one, other)) return changes;
      return [safe(place(name), `'${resource}.${name}' still accepts all inputs, and its outputs still fit.`)];
    }),
  ];
}

type Manners = Calls[number]['manners'];

/** Compares the other settings of a call. Executions that have begun rely on them. */
function mannerChanges(place: string, call: string, one: Manners, other: Manners): readonly Change[] {
  const shorter = (['timeout', 'heartbeat'] as const).filter((name) => {
    const [was, is] = [one[name], other[name]];
    if (is === undefined || was === is) return false;
    return was === undefined || toMilliseconds(is) < toMilliseconds(was);
  });
  return [
    ...shorter.map((name) =>
      broken(place, `'${call}' has less time than before (${name}), and calls that take longer fail.`),
    ),
    ...(one.resumes && !other.resumes
      ? [broken(place, `'${call}' no longer resumes, but running executions rely on that.`)]
      : []),
    ...(one.withdraw && !other.withdraw
      ? [broken(place, `The provider is no longer informed when a question of '${call}' is closed without an answer.`)]
      : []),
    ...(same(one, other) || shorter.length > 0
      ? []
      : [safe(place, `The settings of '${call}' have changed for the next executions.`)]),
  ];
}

function broken(place: string, sentence: string): Change {
  const remedy =
    'Add a new call beside it, use that in the actions, and remove this one when no call of it runs any more.';
  return { place, class: 'breaks-running-actions', sentence, remedy, covered: false };
}
