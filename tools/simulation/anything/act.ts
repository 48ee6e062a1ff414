/* The code of a drawn action. All that it does depends on its plan and on what it is given. */
import { callsOf, type Call } from '../../../src/definition/resource.js';
import {
  CallFailed,
  type Action,
  type ActionContext,
  type AnyEntity,
  type AnyImplementation,
  type Transition,
} from '../../../src/definition/index.js';
import { delay, doNothing, fail, parallel, sequence, type Description } from '../../../src/components/index.js';
import { declareWorld, echoes } from './declare.js';
import type { CodePlan, Deed, RaisePlan, Step, TargetPlan, TreePlan, When, WorldPlan } from './plan.js';
import { same } from './same.js';
import { valueOf } from './value.js';
import { attempt, told, type Watch } from './watch.js';

type AnyContext = ActionContext<AnyEntity, string>;
type AnyRest = [never];

/** The surroundings that a world's actions share. */
interface Surroundings {
  readonly plan: WorldPlan;
  readonly types: readonly AnyEntity[];
  readonly calls: ReadonlyMap<string, Call>;
  readonly watch: Watch;
}

/** @throws DeclarationError, TypeError for what is not valid */
export function implement(plan: WorldPlan, watch: Watch, declared = declareWorld(plan)): readonly AnyImplementation[] {
  const { types, outside } = declared;
  const calls = new Map(callsOf(outside).map((call) => [call.name, call]));
  const around = { plan, types, calls, watch };
  return types.map((entity, index): AnyImplementation => {
    const { code, deploys } = plan.types[index]!;
    const actions = Object.keys(entity.actions).map(
      (name) => [name, actionOf(name, entity, code[name], around)] as const,
    );
    const deployed = Object.values(entity.states).flatMap(({ deploys: name }) => name ?? []);
    return {
      entity,
      actions: Object.fromEntries(actions) as unknown as AnyImplementation['actions'],
      deploys: Object.fromEntries(deployed.map((name) => [name, () => treeOf(deploys[name] ?? 'nothing')])),
    };
  });
}

function actionOf(
  name: string,
  entity: AnyEntity,
  plan: CodePlan | undefined,
  around: Surroundings,
): Action<AnyEntity, string> {
  return async (app, { params }) => {
    const { watch } = around;
    watch.begins(entity, app, name);
    const key = String(app.key);
    const count = Number(app.properties['n'] ?? 0);
    app.properties['n'] = count + 1;
    const running: Running = { app, key, name, entity, count, params: params as unknown, ...around };
    for (const deed of plan?.deeds ?? []) if ((await perform(deed, running)) === 'return') break;
    watch.ends(entity, key, app);
    const go = plan && plan.goes.length > 0 ? plan.goes[(count + app.attempt - 1) % plan.goes.length] : undefined;
    if (go?.wait !== undefined) watch.paces(entity, key, name);
    const options = {
      ...(go?.wait !== undefined && { wait: go.wait }),
      ...(go?.error && { error: { code: go.error.code, message: String(valueOf(go.error.message)) } }),
    };
    // The action of an event has no next round; its plan does not know what it is.
    if (go?.again) return (app as unknown as { nextRound: (given: object) => Transition<never> }).nextRound(options);
    return go?.to === undefined ? undefined : (app.goTo(go.to as never, options) as Transition<never>);
  };
}

interface Running extends Surroundings {
  readonly app: AnyContext;
  /** As the action was given it: it can write another one into its context. */
  readonly key: string;
  readonly name: string;
  readonly entity: AnyEntity;
  readonly count: number;
  readonly params: unknown;
}

async function perform(deed: Deed, running: Running): Promise<'return' | void> {
  const { app, watch, entity, name, count } = running;
  switch (deed.do) {
    case 'set':
      (app.properties as Record<string, unknown>)[deed.name] = valueOf(deed.value);
      return;
    case 'link':
      (app.links as Record<string, unknown>)[deed.name] = valueOf(deed.value);
      return;
    case 'member': {
      const members = app.subordinates[deed.of] as Record<string, unknown> | undefined;
      if (deed.value === undefined) delete members?.[deed.key];
      else (app.subordinates as Record<string, unknown>)[deed.of] = { ...members, [deed.key]: valueOf(deed.value) };
      return;
    }
    case 'call':
      return call(deed.call, valueOf(deed.input), running);
    case 'say':
      return say(deed.way, deed.counted ? `${name} ${count}` : name, running);
    case 'together':
      await Promise.all(deed.branches.map((branch) => walk(branch, running)));
      return;
    case 'times':
      for (let time = 0; time < deed.times; time++)
        if ((await perform(deed.deed, running)) === 'return') return 'return';
      return;
    case 'throw':
      // Anything can be thrown.
      if (isTime(deed.when, running)) throw valueOf(deed.what) as Error;
      return;
    case 'giveUp':
      if (isTime(deed.when, running)) app.giveUp({ code: 'no_use', message: String(valueOf(deed.message)) });
      return;
    case 'forever':
      return new Promise(() => undefined);
    case 'freeze':
      Object.freeze(app.properties);
      return;
    case 'spoil':
      (app as { key: string }).key = 'other';
      if (typeof running.params === 'object' && running.params !== null) Object.assign(running.params, { more: 1 });
      return;
    case 'deep': {
      const down = (level: number): number => down(level + 1) + 1;
      down(0);
      return;
    }
    case 'return':
      return 'return';
    case 'retryAfter':
      watch.paces(entity, running.key, name);
      return app.retryAfter(deed.delay);
    case 'raise':
    case 'create': {
      const [on, key] = target(deed.raise, running);
      return app[deed.do](on, key, deed.raise.event, ...(argumentsOf(deed.raise, on) as AnyRest));
    }
    case 'construct': {
      const [on, key] = target(deed.raise, running);
      return app.construct(
        on,
        key,
        valueOf(deed.raise.construct ?? {}) as Record<string, unknown>,
        optionsOf(deed.raise),
      );
    }
    case 'wait':
    case 'createAndWait': {
      const [on, key] = target(deed.raise, running);
      const rest = argumentsOf(deed.raise, on, { within: deed.within }) as AnyRest;
      await (deed.do === 'wait'
        ? app.raiseAndWait(on, key, deed.raise.event, ...rest)
        : app.createAndWait(on, key, deed.raise.event, ...rest));
      return;
    }
    case 'read': {
      const [on, key] = target(deed.of, running);
      const seen = await app.read(on, key, { within: deed.within });
      if (seen && seen.type !== on.name) watch.note('answers are true', `read ${on.name}, and got ${seen.type}`);
      return;
    }
    case 'reserve': {
      const { lease, until, within } = deed;
      await app.reserveAll(
        deed.of.map((each) => target(each, running)),
        { lease, until, within },
      );
      return;
    }
    case 'collect': {
      const calls = deed.ways.map((way, place) => [echoes[way], { about: `${name} ${place}` }] as const);
      const { until, within, atOnce, none, several } = deed;
      const options = {
        until,
        within,
        ...(atOnce !== undefined && { atOnce }),
        ...(none && { none }),
        ...(several && { several }),
      };
      const { results } = await app.collect(calls, options);
      for (const [place, result] of results.entries()) {
        if (result.status !== 'answered' || result.output.said === `${name} ${place}`) continue;
        watch.note('answers are true', `'${name}' asked '${name} ${place}', and heard '${result.output.said}'`);
      }
      return;
    }
    case 'answerBy': {
      const at = app.answerBy(deed.event, { within: deed.within });
      await app.call(echoes.tell, { at, afterMs: deed.afterMs });
      return;
    }
    case 'run':
      await app.run(treeOf(deed.tree));
  }
}

/** One thing after another, beside others. */
async function walk(steps: readonly Step[], running: Running): Promise<void> {
  const { app } = running;
  for (const step of steps) {
    if ('hops' in step) for (let hop = 0; hop < step.hops; hop++) await undefined;
    else if ('say' in step) await say(step.say, step.about, running);
    else if ('read' in step) await app.read(...target(step.read, running), { within: '1m' });
    else {
      const [on, key] = target(step.raise, running);
      const rest = argumentsOf(step.raise, on, { within: step.within }) as AnyRest;
      await app.raiseAndWait(on, key, step.raise.event, ...rest);
    }
  }
}

/** Asks, and must hear what was asked. */
async function say(way: 'ask' | 'inline' | 'say', about: string, { app, watch, name }: Running): Promise<void> {
  const { said } = await app.call(echoes[way], { about });
  if (said !== about) watch.note('answers are true', `'${name}' of ${app.key} asked '${about}', and heard '${said}'`);
}

async function call(named: string, input: unknown, { app, calls, plan, watch, name }: Running): Promise<void> {
  const found = calls.get(named);
  const { gives, throws } = (Object.hasOwn(plan.calls, named) && plan.calls[named]) || {};
  if (!found) return;
  const { input: takes, output: gets } = found.shape;
  try {
    const output: unknown = await app.call(found, input as never);
    const given = await valueOf(gives);
    const parsed = attempt(() => gets.safeParse(given).data);
    if (!same(output, parsed) && !same(output, given))
      watch.note(
        'values read back as they were written',
        `'${name}' got ${told(output)} of ${named}, which gave ${told(given)}`,
      );
  } catch (thrown) {
    // A value that a schema takes without a word on it must survive JSON all the same.
    const survives = (value: unknown) =>
      attempt(() => isPlain(value) && same(JSON.parse(JSON.stringify(value)), value)) === true;
    const fits = (schema: typeof takes, value: unknown) =>
      survives(value) && attempt(() => schema.safeParse(value).success) === true;
    if (thrown instanceof CallFailed && throws === undefined) {
      const wrong =
        (thrown.code === 'invalid_input' && fits(takes, input) && `its input ${told(input)}`) ||
        (thrown.code === 'invalid_output' && fits(gets, valueOf(gives)) && `its output ${told(valueOf(gives))}`);
      if (wrong) watch.note('what a schema takes arrives', `${named} was refused for ${wrong}: ${thrown.message}`);
    }
    throw thrown;
  }
}

/** Tells whether all of a value are lists, plain objects without a member that replaces their prototype, and what is no object. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Object.hasOwn(value, '__proto__')) return false;
  if (!Array.isArray(value) && ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))
    return false;
  return Object.values(value).every(isPlain);
}

function isTime(when: When, { app, count }: Running): boolean {
  return when === 'always' || (when === 'first' && app.attempt === 1) || (when === 'odd' && count % 2 === 1);
}

function target({ type, key }: TargetPlan, { app, types, plan, name, count }: Running): [AnyEntity, string] {
  const on = types[type] ?? types[0]!;
  if (key === 'own') return [on, app.key];
  if (key === 'fresh') return [on, `${app.key.slice(0, 50)}-${name}-${count}`];
  const { keys } = plan.types[type] ?? plan.types[0]!;
  return [on, (keys[key] ?? 'a') as string];
}

function optionsOf({ role, mayBeRejected, construct }: RaisePlan) {
  return {
    ...(role !== undefined && { role }),
    ...(mayBeRejected !== undefined && { mayBeRejected }),
    ...(construct !== undefined && { construct: valueOf(construct) }),
  };
}

/** Gives the arguments that come after the event's name. */
export function argumentsOf(raise: RaisePlan, on: AnyEntity, more: object = {}): readonly unknown[] {
  const takes = Object.hasOwn(on.events, raise.event) && on.events[raise.event]?.params !== undefined;
  const options = { ...optionsOf(raise), ...more };
  return takes ? [valueOf(raise.params), options] : [options];
}

function treeOf(plan: TreePlan): Description {
  const some = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`c${index}`, doNothing({ time: 10 })]));
  switch (plan) {
    case 'nothing':
      return doNothing({ time: 1_000 });
    case 'delay':
      return delay({ time: 5_000 });
    case 'sequence':
      return sequence({ ...some(2), failing: fail() });
    case 'many':
      return parallel(some(250));
    case 'fails':
      return fail();
    case 'unknown':
      return { kind: 'NoSuchKind', attributes: {}, children: [] };
  }
}
