/*
 * Mends a drawn declaration as its author would, by the remedies that `check` gives: what is named is put right where that is clear,
 * and taken out otherwise.
 */
import { DeclarationError, type ActionShape, type DeclarationProblem } from '../../../src/definition/index.js';
import { asList } from '../../../src/definition/names.js';
import { checkModel } from '../../../src/definition/model/check.js';
import type { Random } from '../../../src/simulation/random.js';
import { declare, declareCalls } from './declare.js';
import type { DeclaredPlan, TypePlan, WorldPlan } from './plan.js';
import { schemaOf } from './schema.js';

type Loose = Record<string, unknown>;
type Types = readonly Pick<TypePlan, 'name' | 'declared'>[];

/** The refusals: the reason, without the names in it, and how often. */
export type Refusals = Map<string, number>;

const MOST_ROUNDS = 25;

/** Mends a declaration until `check` accepts it. Gives nothing when that does not succeed. */
export function mendType<T extends Types[number]>(random: Random, type: T, refusals: Refusals): T | undefined {
  let now = type;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    try {
      declare(now.name, now.declared);
      return now;
    } catch (thrown) {
      if (!(thrown instanceof DeclarationError)) {
        const declared = withoutBroken(now.declared);
        if (!declared && isOfAuthor(thrown)) {
          count(refusals, 'code of the author throws when it is declared');
          return undefined;
        }
        if (!declared) throw thrown;
        count(refusals, 'zod refuses to make the schema');
        now = { ...now, declared };
        continue;
      }
      for (const { problem } of thrown.problems) count(refusals, problem);
      for (const { remedy, problem } of thrown.problems)
        if (remedy.trim() === '') throw new Error(`'${problem}' has no remedy`);
      const copy = structuredClone(now) as unknown as { name: string; declared: DeclaredPlan };
      for (const problem of thrown.problems.slice(0, 4)) mend(random, copy, problem);
      if (Object.keys(copy.declared.states).length === 0) return undefined;
      now = copy as T;
    }
  }
  return undefined;
}

/** Tells whether code of a schema or a value has thrown: what an author would see at once. */
function isOfAuthor(thrown: unknown): boolean {
  return (
    thrown instanceof Error && (thrown.message.endsWith(' throws') || thrown.constructor.name === '$ZodAsyncError')
  );
}

/** Mends types until they fit together. Gives nothing when that does not succeed. */
export function mendModel<T extends Types[number]>(
  random: Random,
  types: readonly T[],
  refusals: Refusals,
): readonly T[] | undefined {
  let now = types;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const problems = checkModel(now.map(({ name, declared }) => declare(name, declared)));
    if (problems.length === 0) return now;
    for (const { problem } of problems) count(refusals, problem);
    const copies = structuredClone(now) as unknown as { name: string; declared: DeclaredPlan }[];
    const problem = problems[0]!;
    const copy = copies.find(({ name }) => problem.place.startsWith(`${name}.`));
    if (!copy) return undefined;
    mend(random, copy, { ...problem, place: problem.place.slice(copy.name.length + 1) });
    const mended: (T | undefined)[] = copies.map((each) => mendType(random, each as T, refusals));
    if (mended.includes(undefined)) return undefined;
    now = mended as T[];
  }
  return undefined;
}

/** Mends the calls of a world. */
export function mendCalls(calls: WorldPlan['calls'], refusals: Refusals): WorldPlan['calls'] {
  return Object.fromEntries(
    Object.entries(calls).filter(([name, call]) => {
      try {
        declareCalls({ outside: 'outside', calls: { [name]: call } });
        return true;
      } catch (thrown) {
        count(refusals, thrown instanceof TypeError ? thrown.message : 'zod refuses to make the schema');
        return false;
      }
    }),
  );
}

function count(refusals: Refusals, problem: string): void {
  const reason = problem
    .replaceAll(/'[^']*'/g, "'...'")
    .replaceAll(/: .*/g, ': ...')
    .replaceAll(/\b(Absent|Rest\d|Work\d|Over\d)(, (Absent|Rest\d|Work\d|Over\d))*\b/g, 'STATE')
    .replaceAll(/\b(states|events)\.\S+/g, '$1.NAME')
    .replaceAll(/-?\b(\d[\d.]*|NaN)\b/g, 'N');
  refusals.set(reason.slice(0, 110), (refusals.get(reason.slice(0, 110)) ?? 0) + 1);
}

/** Takes out the schemas that zod itself refuses to make. */
function withoutBroken(declared: DeclaredPlan): DeclaredPlan | undefined {
  const copy = structuredClone(declared) as unknown as Loose;
  let broken = 0;
  const walk = (on: Loose, name: string) => {
    const value = on[name];
    if (Array.isArray(value) && Array.isArray(value[0]) && typeof (value[0] as unknown[])[0] === 'string') {
      try {
        schemaOf(value as never);
      } catch {
        broken++;
        if (name === 'key') on[name] = [['string']];
        else delete on[name];
      }
    } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      for (const member of Object.keys(value)) walk(value as Loose, member);
    }
  };
  for (const name of Object.keys(copy)) walk(copy, name);
  return broken > 0 ? (copy as unknown as DeclaredPlan) : undefined;
}

function mend(
  random: Random,
  type: { name: string; declared: DeclaredPlan },
  { place, problem }: DeclarationProblem,
): void {
  const { declared } = type;
  const states = declared.states as unknown as Record<string, Loose>;
  const events = declared.events as unknown as Record<string, Loose>;
  const actions = declared.actions as unknown as Record<
    string,
    { on?: string; in: string | string[]; to?: string | string[] }
  >;
  const places = Object.keys(states);
  if (places.length === 0) return;
  const [part = '', ...rest] = place.split('.');
  const name = namedIn((declared as unknown as Loose)[part], rest.join('.'));
  const other = (than: string) =>
    random.pick(places.filter((each) => each !== than && !states[each]!['initial']).concat(places.slice(-1)));
  const add = (action: { to?: string | string[] }, to: string) =>
    (action.to = [...new Set([...asList(action.to), to])]);
  const leave = (state: string) => {
    const own = Object.values(actions).filter((action) => asList(action.in).includes(state));
    if (own.length > 0) add(random.pick(own), other(state));
    else delete states[state];
  };
  const without = (action: string, state: string) => {
    if (!Object.hasOwn(actions, action)) return takeOut(declared as unknown as Loose, place);
    actions[action]!.in = asList(actions[action]!.in).filter((each) => each !== state) as string[];
    if (actions[action]!.in.length === 0) delete actions[action];
  };
  const match = (pattern: RegExp) => pattern.exec(problem);

  // Another remedy of this round has taken it out.
  if (['states', 'events', 'actions'].includes(part) && rest.length > 0 && name === undefined) return;
  if (part === 'name') type.name = `Named${random.below(1_000_000)}`;
  else if (part === 'key') (declared as unknown as Loose)['key'] = [['string']];
  else if (match(/no state is the initial one/)) states[places[0]!]!['initial'] = true;
  else if (match(/are all initial/)) for (const state of places.slice(1)) states[state]!['initial'] = false;
  else if (match(/are all the deleted state/)) {
    for (const state of places.filter((each) => states[each]!['ending'] === 'deleted').slice(1))
      states[state]!['ending'] = 'terminal';
  } else if (match(/has no automatic action/)) actions[`work${name}`] = { in: name!, to: other(name!) };
  else if (match(/has more than one automatic action/) || match(/stable and has the automatic action/)) {
    delete actions[/'(\w+)'|: (\w+)/.exec(problem)?.slice(1).find(Boolean) ?? ''];
  } else if (match(/has a wait or a retry/)) {
    delete states[name!]!['wait'];
    delete states[name!]!['retry'];
  } else if (match(/is unstable and waiting/) || match(/waits forever: no|may never come|can wait forever/))
    states[name!]!['waiting'] = false;
  else if (match(/is valid in (\S+) and starts no action/)) {
    const [, state = ''] = match(/is valid in (\S+) and/)!;
    const own = Object.values(actions).find(({ on }) => on === name);
    if (own) own.in = [...new Set([...asList(own.in), state])];
    else actions[`on${name}`] = { on: name!, in: state };
  } else if (match(/starts two actions in (\S+): (\w+), (\w+)/)) {
    const [, state = '', , second = ''] = match(/starts two actions in (\S+): (\w+), (\w+)/)!;
    without(second, state);
  } else if (match(/never runs in (\S+):/)) without(name!, match(/never runs in (\S+):/)![1]!);
  else if (match(/runs in the \w+ state (\S+)/)) without(name!, match(/state (\S+)/)![1]!);
  else if (match(/is valid in the \w+ state (\S+)/)) {
    const state = match(/state (\S+)/)![1]!;
    events[name!]!['in'] = asList(events[name!]!['in'] as string).filter((each) => each !== state);
  } else if (match(/is never reached/)) {
    const sources = Object.values(actions).filter((action) => asList(action.in).some((each) => each !== name));
    if (sources.length > 0) add(random.pick(sources), name!);
    else delete states[name!];
  } else if (match(/has no transition that leaves it|can never settle|loops/)) leave(name!);
  else if (part === 'events' && place.includes('.when')) delete events[name!]!['when'];
  else if (match(/is internal, and nothing raises it/)) delete events[name!]!['internal'];
  else if (match(/there is no (state|event) '(.*)'/) && rest.length > 1)
    replaceName(
      declared as unknown as Loose,
      place,
      random.pick(match(/no state/) ? places : Object.keys(events)),
      match(/'(.*)'/)![1]!,
    );
  else takeOut(declared as unknown as Loose, place);
  prune(actions as Record<string, ActionShape>, Object.keys(events));
}

/** The longest name of a member with which the rest of a place begins. */
function namedIn(members: unknown, rest: string): string | undefined {
  if (typeof members !== 'object' || members === null) return undefined;
  return Object.keys(members)
    .filter((name) => rest === name || rest.startsWith(`${name}.`))
    .sort((one, two) => two.length - one.length)[0];
}

function replaceName(declared: Loose, place: string, by: string, given: string): void {
  const path = place.split('.');
  const last = path.pop()!;
  const on = path.reduce<unknown>((at, member) => (at as Loose | undefined)?.[member], declared) as Loose | undefined;
  const value = on?.[last];
  if (on && (typeof value === 'string' || Array.isArray(value))) {
    const others = asList(value as string | string[]).filter((each) => each !== given);
    on[last] = typeof value === 'string' ? by : [...new Set([...others, by])];
  } else takeOut(declared, place);
}

/** Takes out the innermost thing that a place names and that can be left out. */
function takeOut(declared: Loose, place: string): void {
  let on = declared;
  let rest = place;
  const chain: [Loose, string][] = [];
  for (;;) {
    const name = namedIn(on, rest);
    if (name === undefined) break;
    chain.push([on, name]);
    rest = rest.slice(name.length + 1);
    const next = on[name];
    if (rest === '' || typeof next !== 'object' || next === null) break;
    on = next as Loose;
  }
  // An option of a part can be left out; the place of a part goes with it.
  const NEEDED = [
    'in',
    'raise',
    'every',
    'after',
    'when',
    'stability',
    'to',
    'filter',
    'test',
    'predicates',
    'predicate',
    'code',
  ];
  while (chain.length > 1 && (NEEDED.includes(chain.at(-1)![1]) || Array.isArray(chain.at(-1)![0]))) chain.pop();
  const [holder, name] = chain.at(-1) ?? [];
  if (
    holder &&
    name !== undefined &&
    !(chain.length === 1 && ['key', 'properties', 'states', 'events', 'actions'].includes(name))
  )
    delete holder[name];
}

/** Forgets in actions what is not there any more. */
function prune(actions: Record<string, ActionShape>, events: readonly string[]): void {
  for (const [name, action] of Object.entries(actions)) {
    const loose = action as { on?: string; in: readonly string[] | string; to?: readonly string[] | string };
    if (loose.on !== undefined && !events.includes(loose.on)) delete actions[name];
  }
}
