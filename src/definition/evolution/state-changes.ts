import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { breaksCallers, inWords, isMigrated, paired, same, stored, type Versions } from './context.js';
import type { EntityModel } from './model.js';
import { isNotSooner } from './not-sooner.js';
import { settlingStates } from './settling-states.js';

/** Changes of states: where live entities are, and from where they can settle. */
export function stateChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const { gone, came, both } = paired(old.states, next.states, next.renamed.states);
  const place = (name: string) => `${next.name}.states.${name}`;
  const settledBefore = settlingStates(old);
  const settlesNow = settlingStates(next);
  return [
    ...gone
      // No entity that lives is in it: a deleted one has ended.
      .map(({ name, ending }) =>
        ending === 'deleted'
          ? safe(place(name), `The state '${name}' was removed: no live entity was ever in it.`)
          : stored(versions, {
              class: 'strands-entities',
              place: place(name),
              sentence: `The state '${name}' was removed. Entities in it have no valid state.`,
              remedy:
                `Rename it, with renamed: { states: { ${name}: '...' } }. Or move entities out of it, in a migration to schema ` +
                `${old.schema + 1}: ({ state }) => (state === '${name}' ? { state: '...' } : {}).`,
              touches: { type: next.name, states: [name] },
            }),
      ),
    ...came.map(({ name }) => safe(place(name), `The state '${name}' is new, so no entity is in it.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const { name } = other;
      const touches = { type: next.name, states: [one.name] };
      const at = place(name);
      const changes: Change[] = [];
      if (one.name !== name) {
        changes.push(
          isMigrated(versions)
            ? breaksCallers(
                at,
                `The state '${one.name}' is now named '${name}': callers and patterns of other types that read it find the new name.`,
                `Accept both names where '${one.name}' is read, until all entities have moved.`,
                touches,
                true,
              )
            : stored(versions, { place: at, sentence: `The state '${one.name}' is now named '${name}'.`, touches }),
        );
      }
      if (one.ending !== other.ending) {
        if (one.ending === undefined) {
          changes.push({
            ...stored(versions, {
              class: 'strands-entities',
              place: at,
              sentence: `The state '${name}' is ${other.ending} now: the entities in it can never leave it.`,
              remedy: `Add a separate state for the end, and keep '${name}' with its transitions.`,
              touches,
            }),
          });
        } else {
          changes.push(safe(at, `The state '${name}' was ${one.ending} and can be left now.`));
        }
      } else if (settledBefore.has(one.name) && !settlesNow.has(name)) {
        changes.push(
          stored(versions, {
            class: 'strands-entities',
            place: at,
            sentence: `Entities in the state '${name}' can no longer settle: no path leads to a settled state.`,
            remedy: `Add an action from '${name}' to a stable state, or move entities out of it in a migration.`,
            touches,
          }),
        );
      }
      if (one.stability !== other.stability) {
        const sentence =
          other.stability === 'unstable'
            ? `The state '${name}' is unstable now: entities that rest in it begin to act.`
            : `The state '${name}' is stable now: entities that act in it come to rest.`;
        changes.push(stored(versions, { place: at, sentence, touches }));
      }
      if (one.waiting !== other.waiting) {
        const sentence = other.waiting
          ? `'${name}' is a waiting state now. Operations that ended in it before did not wait.`
          : `'${name}' is no waiting state any more. Operations that rest in it still wait.`;
        changes.push(stored(versions, { place: at, sentence, touches }));
      }
      if (one.health !== other.health) {
        const sentence = `The state '${name}' counts as ${other.health} now: operations that end in it have another outcome.`;
        changes.push(breaksCallers(at, sentence, `Use a new state beside '${name}'.`, touches));
      }
      if (!isSameSchema(one.constraint, other.constraint)) {
        const refused =
          other.constraint === undefined ? [] : refusals(other.constraint, one.constraint ?? storedIn(old));
        const sentence = `The constraint of '${name}' is stricter than before, and entities in it may violate it: ${inWords(refused)}.`;
        changes.push(
          refused.length > 0
            ? stored(versions, { place: at, sentence, touches })
            : safe(at, `The constraint of '${name}' is not stricter than before.`),
        );
      }
      if (!same(one.deadline, other.deadline)) {
        const isLater =
          other.deadline === undefined ||
          (one.deadline?.raise === other.deadline.raise && isNotSooner(one.deadline, other.deadline));
        const sentence = `The deadline of '${name}' is new or sooner: it would fire at once for all entities that are in it for longer.`;
        changes.push(
          isLater
            ? safe(at, `The deadline of '${name}' is later, or none.`)
            : stored(versions, {
                place: at,
                sentence,
                remedy: `Write schema: ${old.schema + 1} with a migration: elapsed deadlines then start again.`,
                touches,
              }),
        );
      }
      if (one.deploys !== other.deploys) {
        const sentence = `The state '${name}' deploys '${other.deploys ?? 'nothing'}' now, and entities in it have '${one.deploys ?? 'nothing'}' running.`;
        changes.push({
          place: at,
          class: 'strands-entities',
          sentence,
          remedy: `Use a new state for it, and let entities go there by an event.`,
          covered: false,
          touches,
        });
      }
      if (!same([one.retry, one.wait, one.endWithin], [other.retry, other.wait, other.endWithin])) {
        changes.push(safe(at, `Attempts and waits of '${name}' have changed: they count from now on.`));
      }
      if (!same([one.displayName, one.description], [other.displayName, other.description])) {
        changes.push(safe(at, `The description of '${name}' has changed.`));
      }
      return changes;
    }),
  ];
}

/** Describes what entities hold, as a constraint sees it. */
function storedIn({ properties, links, subordinates }: EntityModel) {
  return {
    type: 'object',
    required: ['properties', 'links', 'subordinates'],
    properties: {
      properties,
      links: {
        type: 'object',
        properties: Object.fromEntries(
          links.map(({ name, many }) => [
            name,
            many ? { type: 'array', items: { type: 'string' } } : { type: 'string' },
          ]),
        ),
      },
      subordinates: {
        type: 'object',
        properties: Object.fromEntries(
          subordinates.map(({ name, schema }) => [name, { type: 'object', additionalProperties: schema }]),
        ),
      },
    },
  };
}
