import { isSameSchema, refusals } from './acceptance.js';
import { safe, type Change } from './change.js';
import { contentsChanges } from './contents-changes.js';
import { breaksCallers, inWords, isMigrated, isSameCode, paired, same, stored, type Versions } from './context.js';
import { describeCalendar } from '../calendar/calendar-words.js';
import { toMilliseconds } from '../duration.js';
import { isNotSooner } from './not-sooner.js';
import { calendarOf, type PeriodicTimer } from '../timer.js';
import { eventChanges } from './event-changes.js';
import { stateChanges } from './state-changes.js';

/** All changes of one entity type. */
export function typeChanges(versions: Versions): readonly Change[] {
  return [
    ...ownChanges(versions),
    ...contentsChanges(versions),
    ...stateChanges(versions),
    ...eventChanges(versions),
    ...actionChanges(versions),
    ...triggerChanges(versions),
    ...migrationChanges(versions),
  ];
}

/** How entities of older schemas come to the present one: some have come already, and others have yet to. */
function migrationChanges({ old, next }: Versions): readonly Change[] {
  const touches = { type: next.name };
  const place = (number: number) => `${next.name}.migrations.${number}`;
  const { gone, both } = paired(old.migrations, next.migrations);
  const changed = both.filter(([one, other]) => !isSameCode(one, other));
  const renames = Object.entries(old.renamed).flatMap(([kind, names]) =>
    Object.entries(names as Readonly<Record<string, string>>)
      .filter(([from, to]) => (next.renamed as typeof old.renamed & Record<string, never>)[kind]?.[from] !== to)
      .map(([from]) => ({ kind, from })),
  );
  return [
    ...gone
      // Of the one to the next schema, the change of the schema speaks.
      .filter(({ number }) => !(next.schema > old.schema && number === old.schema + 1))
      .map(({ number }): Change => ({
        place: place(number),
        class: 'strands-entities',
        sentence: `The migration to schema ${number} was removed: entities of an older schema cannot continue.`,
        remedy: `Keep it until no entity of a schema before ${number} lives.`,
        covered: false,
        touches,
      })),
    ...changed.map(([{ number }]): Change => ({
      place: place(number),
      class: 'needs-migration',
      sentence: `The code of the migration to schema ${number} has changed, and its result cannot be compared. Entities that the old code migrated do not change.`,
      remedy: `Fix entities that have migrated already in a migration to schema ${old.schema + 1}, unless none has.`,
      covered: next.schema > old.schema && number > old.schema,
      touches,
    })),
    ...renames.map(({ kind, from }) =>
      breaksCallers(
        `${next.name}.renamed.${kind}.${from}`,
        `The old name '${from}' was removed: waiting events, earlier entities and callers that use it are rejected.`,
        `Keep renamed: { ${kind}: { ${from}: '...' } } while callers use it.`,
        touches,
      ),
    ),
  ];
}

function ownChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const changes: Change[] = [];
  const at = (member: string) => `${next.name}.${member}`;
  if (next.schema < old.schema) {
    changes.push({
      place: at('schema'),
      class: 'strands-entities',
      sentence: `The schema goes back from ${old.schema} to ${next.schema}: this build cannot read entities of a newer schema.`,
      remedy: `Write schema: ${old.schema} or more, with a migration that leads back.`,
      covered: false,
      touches,
    });
  } else if (isMigrated(versions)) {
    const lacking = next.migrations.length > 0 && !next.migrations.some(({ number }) => number === old.schema + 1);
    changes.push(
      lacking
        ? {
            place: at('schema'),
            class: 'strands-entities',
            sentence: `No migration leads from schema ${old.schema} to ${old.schema + 1}: entities of schema ${old.schema} cannot continue.`,
            remedy: `Keep the migration to schema ${old.schema + 1} until no entity of schema ${old.schema} lives.`,
            covered: false,
            touches,
          }
        : safe(
            at('schema'),
            `Entities are migrated from schema ${old.schema} to ${next.schema}${rollbackClause(versions)}.`,
          ),
    );
  }
  const keys = refusals(next.key, old.key);
  if (keys.length > 0) {
    changes.push({
      place: at('key'),
      class: 'strands-entities',
      sentence: `Keys of live entities may no longer be valid: ${inWords(keys, 'a key')}.`,
      remedy: 'A key is never changed: declare a new type, hand over, and let an alias lead to it.',
      covered: false,
      touches,
    });
  } else if (!same(old.key, next.key)) changes.push(safe(at('key'), 'All earlier keys are valid.'));
  if (!isSameSchema(old.construct, next.construct)) {
    const refused = refusals(next.construct ?? NOTHING, old.construct ?? NOTHING);
    const sentence = `Creation rejects values that it accepted before: ${inWords(refused, 'the value')}.`;
    changes.push(
      refused.length > 0
        ? breaksCallers(at('construct'), sentence, 'Make new members optional, and keep accepting the others.', touches)
        : safe(at('construct'), 'Creation accepts all earlier values.'),
    );
  }
  for (const what of ['read', 'raise', 'operate'] as const) {
    const without = old.roles[what].filter((role) => !next.roles[what].includes(role));
    if (what === 'raise' && same(old.construct, next.construct) && without.length > 0) {
      changes.push(
        breaksCallers(
          at('roles.raise'),
          `These roles may no longer create or raise: ${without.join(', ')}.`,
          'Keep the role while callers use it.',
          touches,
        ),
      );
    } else if (without.length > 0) {
      changes.push(
        breaksCallers(
          at(`roles.${what}`),
          `These roles may no longer ${what}: ${without.join(', ')}.`,
          'Keep the role while callers use it.',
          touches,
        ),
      );
    } else if (!same(old.roles[what], next.roles[what])) {
      changes.push(safe(at(`roles.${what}`), `More roles may ${what}.`));
    }
  }
  const dimensions = new Set([...Object.keys(old.dimensions), ...Object.keys(next.dimensions)]);
  for (const name of [...dimensions].sort()) {
    const [was, is] = [old.dimensions[name], next.dimensions[name]];
    if (was === is) continue;
    const renamed = was !== undefined && is === renamedSource(was, next.renamed);
    changes.push(
      was === undefined || renamed
        ? safe(at(`dimensions.${name}`), `Rows are found by '${name}' from now on.`)
        : breaksCallers(
            at(`dimensions.${name}`),
            `Rows are no longer found by '${name}', or by another value.`,
            `Keep the dimension, and add another one.`,
            touches,
          ),
    );
  }
  if (!same(old.fixed, next.fixed)) changes.push(safe(at('fixed'), "'fixed' applies to actions from now on."));
  if (old.path !== next.path && old.path !== undefined && next.path !== undefined)
    changes.push(
      breaksCallers(
        at('path'),
        `It is served under ${next.path} instead of ${old.path}.`,
        'Serve it under the old name and version while callers use them.',
        touches,
      ),
    );
  if (!same(old.description, next.description)) changes.push(safe(at('description'), 'Its description has changed.'));
  const answers = next.renamed.events?.[old.cancel ?? ''] ?? old.cancel;
  if (answers !== next.cancel) {
    changes.push(
      old.cancel === undefined
        ? safe(at('cancel'), `Requests to cancel are answered by '${next.cancel}'.`)
        : breaksCallers(
            at('cancel'),
            `Requests to cancel are ${next.cancel === undefined ? 'refused' : `answered by '${next.cancel}'`} now.`,
            `Keep cancel: '${old.cancel}'.`,
            touches,
          ),
    );
  }
  return changes;
}

function rollbackClause({ old, next }: Versions): string {
  return next.backTo <= old.schema
    ? ', and back when the build is rolled back'
    : '; a build with it cannot be rolled back';
}

const NOTHING = { type: 'object', properties: {}, additionalProperties: false };

function renamedSource(source: string, { properties = {}, links = {} }: Versions['next']['renamed']): string {
  const dot = source.indexOf('.');
  const [kind, name] = [source.slice(0, dot), source.slice(dot + 1)];
  if (kind === 'properties') return `properties.${properties[name] ?? name}`;
  return kind === 'links' ? `links.${links[name] ?? name}` : source;
}

/** An action that has begun goes on by its name, in the state in which it began. */
function actionChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const { gone, came, both } = paired(old.actions, next.actions);
  const place = (name: string) => `${next.name}.actions.${name}`;
  const present = (states: readonly string[]) => states.map((state) => next.renamed.states?.[state] ?? state);
  return [
    ...gone.map((action) => ({
      place: place(action.name),
      class: 'breaks-running-actions' as const,
      sentence: `The action '${action.name}' was removed. Where it runs now, it cannot continue.`,
      remedy: `Keep '${action.name}' until it runs nowhere, or increase the schema: entities are migrated only when no action runs.`,
      covered: isMigrated(versions),
      touches: { type: next.name, states: action.in },
    })),
    ...came.map(({ name }) => safe(place(name), `The action '${name}' is new.`)),
    ...both.flatMap(([one, other]): readonly Change[] => {
      const lost = present(one.to).filter(
        (state) => !other.to.includes(state) && next.states.some(({ name }) => name === state),
      );
      if (lost.length > 0) {
        return [
          {
            place: place(one.name),
            class: 'breaks-running-actions',
            sentence: `The action '${one.name}' may no longer go to ${lost.join(', ')}. Where it runs now, it may have to.`,
            remedy: `Keep the target until it runs nowhere, or increase the schema.`,
            covered: isMigrated(versions),
            touches: { type: next.name, states: one.in },
          },
        ];
      }
      const shape = (action: typeof one) => [action.on, action.in, action.to, action.wait, action.raises];
      return same(shape(one), shape(other))
        ? []
        : [safe(place(one.name), `The states or targets of the action '${one.name}' have changed.`)];
    }),
  ];
}

/** When a timer ticks. */
function rhythmOf(timer: PeriodicTimer) {
  return calendarOf(timer) ?? toMilliseconds(timer.every!);
}

/** Compares what sets off events by itself. What is new would come at once where it holds already, unless entities are migrated. */
function triggerChanges(versions: Versions): readonly Change[] {
  const { old, next } = versions;
  const touches = { type: next.name };
  const remedy = `Write schema: ${old.schema + 1} with a migration: what holds already then sets nothing off.`;
  const timers = paired(old.timers, next.timers);
  const subscriptions = paired(old.subscriptions, next.subscriptions);
  const limits = paired(old.limits ?? [], next.limits ?? []);
  const limit = (name: string) => `${next.name}.limits.${name}`;
  const timer = (name: string) => `${next.name}.timers.${name}`;
  const subscription = (name: string) => `${next.name}.subscriptions.${name}`;
  return [
    ...timers.gone.map(({ name }) => safe(timer(name), `The timer '${name}' no longer ticks.`)),
    ...timers.came.map(({ name, cron }) =>
      cron !== undefined
        ? safe(timer(name), `The timer '${name}' is new, and ticks at the next time of its calendar.`)
        : stored(versions, {
            place: timer(name),
            sentence: `The timer '${name}' is new, and would tick at once for all that have been in their state for a period.`,
            ...{ remedy, touches },
          }),
    ),
    ...timers.both.flatMap(([one, other]) => {
      const place = timer(one.name);
      if (same(rhythmOf(one), rhythmOf(other)))
        return one.raise === other.raise
          ? []
          : [safe(place, `The timer '${one.name}' raises '${other.raise}' from now on.`)];
      const calendar = calendarOf(other);
      return [
        calendar
          ? safe(place, `The timer '${one.name}' ticks ${describeCalendar(calendar)} from now on.`)
          : safe(place, `The timer '${one.name}' has another period after its next tick.`),
      ];
    }),
    ...limits.gone.map(({ name }) => safe(limit(name), `The limit '${name}' was removed.`)),
    ...[...limits.came, ...limits.both.flatMap(([one, other]) => (same(one, other) ? [] : [other]))].map(({ name }) =>
      stored(versions, {
        place: limit(name),
        sentence: `The limit '${name}' is new or another one, and would fire at once for all that have been in their state for longer.`,
        ...{ remedy, touches },
      }),
    ),
    ...subscriptions.gone.map(({ name }) => safe(subscription(name), `The subscription '${name}' was removed.`)),
    ...subscriptions.came.map(({ name }) =>
      stored(versions, {
        place: subscription(name),
        sentence: `The subscription '${name}' is new, and would fire where its pattern matches already.`,
        ...{ remedy, touches },
      }),
    ),
    ...subscriptions.both.flatMap(([one, other]): readonly Change[] => {
      const changes: Change[] = [];
      if (!same([one.when, one.among, one.raise], [other.when, other.among, other.raise])) {
        const sentence = `The subscription '${one.name}' has another pattern, and fires at once where that matches already.`;
        changes.push(stored(versions, { place: subscription(one.name), sentence, remedy, touches }));
      }
      const before = one.in?.map((state) => next.renamed.states?.[state] ?? state);
      if (!same(before?.toSorted(), other.in?.toSorted())) {
        const isNarrower = other.in !== undefined && other.in.every((state) => !before || before.includes(state));
        const sentence = `The subscription '${one.name}' fires in more states, and would fire where its pattern matches already.`;
        changes.push(
          isNarrower
            ? safe(subscription(one.name), `The subscription '${one.name}' fires in fewer states.`)
            : stored(versions, { place: subscription(one.name), sentence, remedy, touches }),
        );
      }
      if (!same(one.timeout, other.timeout)) {
        const isLater =
          other.timeout === undefined || (one.timeout !== undefined && isNotSooner(one.timeout, other.timeout));
        const sentence = `The timeout of '${one.name}' is new or shorter, and fires at once where it has elapsed already.`;
        changes.push(
          isLater
            ? safe(subscription(one.name), `The timeout of '${one.name}' is longer, or none.`)
            : stored(versions, { place: subscription(one.name), sentence, remedy, touches }),
        );
      }
      return changes;
    }),
  ];
}
