import {
  and,
  attribute,
  call,
  compound,
  counterAction,
  delay,
  doNothing,
  during,
  evaluateCondition,
  eventCounter,
  eventQueue,
  eventSend,
  fail,
  finallyDo,
  ifThen,
  livenessTest,
  not,
  onEvent,
  or,
  parallel,
  randomSequence,
  ref,
  repeat,
  retry,
  run,
  sequence,
  terminator,
  testBlock,
  testCompound,
  timeout,
  tryThen,
  waitFor,
  type Children,
  type Description,
} from '../../../src/components/index.js';
import type { Random } from '../../../src/simulation/index.js';
import { askedOf, boxed, ear, Made, outside, Own, reader } from './kinds.js';

const NAMES = ['a', 'b', 'c', 'd'];
const RETRIES = ['running_1', 'running_2'];
const TIMES = [0, 0, 100, 500, 700, 1_500];
const TYPES = ['normal', 'normal', 'abnormal', 'odd'];
export const EVENTS = ['open', 'shut', 'odd', 'else'];

/** A random tree. Depth counts the levels that may still come. */
export function someDescription(random: Random, depth: number): Description {
  const children = someChildren(random, depth - 1);
  return random.pick([
    () => boxed(children, { mark: 'root', stays: random.chance(0.5), ...sync(random) }),
    () => parallel(children, { terminateOnAbnormalChildTermination: false, ...sync(random) }),
    () => compound(children, sync(random)),
    () => boxed({ ...children, m: someMarket(random) }, { stays: true }),
  ])();
}

function someChildren(random: Random, depth: number): Children {
  const names = NAMES.slice(0, 1 + random.below(NAMES.length));
  return Object.fromEntries(names.map((name) => [name, some(random, depth, names)]));
}

const sync = (random: Random) => ({ sfSyncTerminate: random.chance(0.3) });

/** Switches of a component that looks at them, and paths of events: few have any. */
function switches(random: Random) {
  return {
    ...(random.chance(0.7) && { sfShouldTerminate: true }),
    ...(random.chance(0.1) && { sfShouldTerminateQuietly: true }),
    ...(random.chance(0.1) && { sfShouldDetach: true }),
  };
}

function paths(random: Random, siblings: readonly string[]) {
  const some = (chance: number) =>
    random.chance(chance)
      ? [...new Set([random.pick(siblings), random.pick(siblings)])].map((name) => ref(`../${name}`))
      : [];
  return { sendTo: some(0.3), registerWith: random.chance(0.5) ? some(0.3) : [] };
}

function some(random: Random, depth: number, siblings: readonly string[]): Description {
  return depth <= 0 || random.chance(0.3) ? someLeaf(random, siblings) : someHolder(random, depth, siblings);
}

/** Components that send each other events, some of which come later. */
function someMarket(random: Random): Description {
  const names = NAMES.slice(0, 3);
  const ways = (self: string) => {
    const others = names.filter((name) => name !== self);
    const some = () => others.filter(() => random.chance(0.5)).map((name) => ref(`../${name}`));
    return { sendTo: some(), registerWith: some() };
  };
  const stands = names.map((name) => {
    const make = random.pick([ear, ear, eventQueue]);
    return [name, make(ways(name))] as const;
  });
  const late = delay({ time: 300, action: ear({ registerWith: [ref(`../../${random.pick(names)}`)] }) });
  return boxed({ ...Object.fromEntries(stands), late }, { stays: true });
}

function someLeaf(random: Random, siblings: readonly string[]): Description {
  const ways = paths(random, siblings);
  const sibling = ref(`../${random.pick(siblings)}`);
  const letters = () => random.pick(['', '', 'c', 'cc', 'cs', 'nc', 'ce', 'x', 'cx']);
  return random.pick<() => Description>([
    () => ear({ ...(random.chance(0.6) && { life: random.pick(TIMES) }), type: random.pick(TYPES), ...ways }),
    () => ear({ ...ways }),
    () => doNothing({ time: random.pick(TIMES), terminationType: random.pick([...TYPES, 'none']), ...ways }),
    () => fail({ normal: random.chance(0.7) }),
    () => call(outside.do, { what: 'leaf' }),
    () => eventSend({ event: random.pick(EVENTS), ...ways }),
    () => eventCounter({ count: 1 + random.below(3), allDifferent: random.chance(0.5), ...ways }),
    () => eventQueue({ limit: 1 + random.below(4), ...ways }),
    () =>
      terminator({
        ...(random.chance(0.7) && { kill: sibling }),
        detachFirst: random.chance(0.2),
        selftype: random.pick(TYPES),
      }),
    () =>
      attribute({
        component: ref(random.pick(['..', '../..'])),
        name: 'mark',
        ...(random.chance(0.8) && { value: random.below(9) }),
      }),
    () => reader({ value: ref(random.pick(['../mark', '../../mark', '../../../mark'])), every: 300, times: 3 }),
    () =>
      Own({
        starts: letters(),
        works: letters(),
        ends: random.pick(['', 'c', 'x']),
        pings: random.pick(['', 'c', 'x']),
        handles: random.pick(['', 'c']),
        ...switches(random),
        ...ways,
      }),
    () => Own({ starts: 'c', works: 'cc', ends: 'c', ...switches(random) }),
    () => Made(),
    // It cannot be deployed.
    () => delay({ time: -1 }),
    () => Own({ starts: 'x', ...ways }),
  ])();
}

function someHolder(random: Random, depth: number, siblings: readonly string[]): Description {
  const action = some(random, depth - 1, ['running']);
  const children = someChildren(random, depth - 1);
  const time = random.pick(TIMES);
  const condition = someCondition(random, depth - 1);
  const attributes = { ...sync(random), ...paths(random, siblings) };
  return random.pick<() => Description>([
    () =>
      boxed(children, {
        ...(random.chance(0.5) && { mark: random.below(9) }),
        stays: random.chance(0.3),
        ...attributes,
      }),
    () => boxed(children, { ...switches(random), ...attributes }),
    () => sequence(children, { ...attributes, ...switches(random) }),
    () =>
      parallel(children, {
        asynchCreateChild: random.chance(0.4),
        terminateOnAbnormalChildTermination: random.chance(0.5),
        terminateOnAbnormalChildDeploy: random.chance(0.5),
        ...attributes,
        ...switches(random),
      }),
    () => boxed(children, { mark: 'left', stays: true, done: time, sfShouldDetach: true }),
    () => compound(children, attributes),
    () => randomSequence(children, { seed: random.below(99) }),
    () =>
      counterAction({
        action,
        counterAction: some(random, depth - 1, ['action']),
        ...(random.chance(0.5) && { liveness: ear({}) }),
        within: 1_000,
        ...sync(random),
      }),
    () => delay({ time, ...(random.chance(0.7) && { action }) }),
    () => during({ time: random.pick([...TIMES, -1]), action, ...sync(random) }),
    () => finallyDo({ action, within: 1_000 }),
    () => repeat({ action, repeat: random.below(4) }),
    () => retry({ action, retry: random.below(4), delay: time }),
    () => testBlock({ action, timeout: random.pick([...TIMES, -1]) }),
    () => timeout({ action, time }),
    () => tryThen({ action, [random.pick(TYPES)]: some(random, depth - 1, ['running']), odd: fail({ normal: true }) }),
    () =>
      onEvent({
        open: action,
        odd: fail(),
        otherwise: ear({ life: 100 }),
        singleEvent: random.chance(0.5),
        ...attributes,
      }),
    () => run({ action, asName: `free${random.below(99)}`, ...(random.chance(0.4) && { parent: ref('../..') }) }),
    // A name that another child has, or will have.
    () =>
      run({
        action,
        asName: random.pick([...NAMES, 'running_1', 'running']),
        parent: ref(random.pick(['..', '../..'])),
      }),
    () => besieged(random, retry({ action: random.chance(0.5) ? fail() : action, retry: 2, delay: time }), RETRIES),
    () => besieged(random, sequence(children, switches(random)), Object.keys(children)),
    () => besieged(random, randomSequence(children, { seed: random.below(99) }), Object.keys(children)),
    () => ifThen({ condition, then: action, ...(random.chance(0.5) && { else: fail() }) }),
    () => waitFor({ condition, then: action, timeout: random.pick([-1, 0, 900]), interval: 400 }),
    () => evaluateCondition({ condition, failOnFalse: random.chance(0.5) }),
    () => livenessTest({ condition }),
    () =>
      testCompound({
        action: ear({}),
        ...(random.chance(0.5) && { condition }),
        tests: action,
        timeout: random.pick([-1, 900]),
      }),
  ])();
}

/** Somebody adds a child to a component while it runs, under one of the names that it gives to its own children later. */
function besieged(random: Random, target: Description, names: readonly string[]): Description {
  const action = ear({ ...(random.chance(0.3) && { life: random.pick(TIMES) }), type: random.pick(TYPES) });
  return boxed({ target, add: run({ action, asName: random.pick(names), parent: ref('../target') }) });
}

function someCondition(random: Random, depth: number): Description {
  const leaf = () => askedOf(random.chance(0.5) ? { says: random.chance(0.7) } : {});
  if (depth <= 0 || random.chance(0.6)) return leaf();
  const two = { x: someCondition(random, depth - 1), y: leaf() };
  return random.pick([() => and(two), () => or(two), () => not({ condition: two.x })])();
}
