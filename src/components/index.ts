/*
 * Workflow components, as the rest of Reeve sees them: nothing else of them is imported from outside. W1 to W4
 *
 * Their rooms, each of which knows only those before it: description (plain data that says what is to be), tree (the running tree as
 * data, and what its reducers may do), running (one step after another), own (components with code of one's own), combinators,
 * events, handling, conditions (the shipped kinds), shell (a tree on a driver), check (mistakes in a description), show (how a tree looks), testing (for tests of
 * components of one's own).
 */
export { concat, ref, rootRef, strictRef, type Concatenation, type Reference } from './description/reference.js';
export {
  describe as describeComponent,
  extend,
  type Changes,
  type Children,
  type Description,
  type Json,
  type Value,
} from './description/description.js';
export { condition, delay as delayField, target, template, time as timeField } from './description/fields.js';
export { holder, maker, type AttributesOf, type CommonAttributes, type Referable } from './description/written.js';
export {
  defineKind,
  type Child,
  type Endless,
  type Outlook,
  type Kind,
  type Kinds,
  type KindShape,
  type Self,
  type Target,
} from './tree/kind.js';
export type { Effect } from './tree/effect.js';
export type { Ask, Input } from './tree/input.js';
export type { Failure, Result, Verdict } from './tree/result.js';
export type { Component, End, EventPassed, HandlerName, Phase, RunningHandler, Tree } from './tree/tree.js';
export { plant, type Planting } from './tree/plant.js';
export { step, type Step } from './running/step.js';
export { endOf, launchOf, nextDue, statusOf, underWay, type ComponentStatus } from './running/reading.js';
export { component, ownAttributes, type AnyComponent, type Handlers, type OwnComponent } from './own/component.js';
export type { ComponentRoles } from './own/component-roles.js';
export type { OwnSelf } from './own/own-self.js';
export { HandlerHost, type HandlerShell } from './own/handler-host.js';
export { Turns } from './own/turns.js';
export { call } from './own/call.js';
export { kindsOf } from './kinds.js';
export { TreeShell, type TreeInput } from './shell/tree-shell.js';
export { addressed } from './shell/addressed.js';
export { treeProgram, type TreeProgram, type TreeProgramOptions } from './shell/tree-program.js';
export { runDeployment, treeToRun, type DeploymentInput, type DeploymentRunEnd } from './shell/deployment-life.js';
export type {
  DeploymentDriver,
  DeploymentHandlers,
  Detachment,
  LengthOfRun,
  TreeCall,
  TreeDriver,
  TreeMessage,
  TreeRecord,
} from './shell/tree-driver.js';
export { checkComponents, componentProblems, componentWarnings } from './check/check.js';
export { endlessness } from './check/endless.js';
export { explainTree, type Explanation } from './show/explain.js';
export { drawTree, mermaidTree } from './show/draw.js';
export { TestTree, type TestAnswer, type TestTreeOptions } from './testing/test-tree.js';
export { provesItEnds, type EndingOptions } from './testing/proves-it-ends.js';

export { compound } from './combinators/compound.js';
export { counterAction } from './combinators/counter-action.js';
export { delay } from './combinators/delay.js';
export { during } from './combinators/during.js';
export { finallyDo } from './combinators/finally.js';
export { parallel } from './combinators/parallel.js';
export { randomSequence } from './combinators/random-sequence.js';
export { repeat } from './combinators/repeat.js';
export { retry } from './combinators/retry.js';
export { sequence } from './combinators/sequence.js';
export { testBlock } from './combinators/test-block.js';
export { timeout } from './combinators/timeout.js';
export { tryThen } from './combinators/try.js';
export { doNothing } from './events/do-nothing.js';
export { eventCounter } from './events/event-counter.js';
export { eventQueue } from './events/event-queue.js';
export { eventSend } from './events/event-send.js';
export { onEvent } from './events/on-event.js';
export { attribute } from './handling/attribute.js';
export { run } from './handling/run.js';
export { terminator } from './handling/terminator.js';
export { evaluateCondition } from './conditions/evaluate.js';
export { fail, failAbnormal } from './conditions/fail.js';
export { ifThen } from './conditions/if.js';
export { livenessTest } from './conditions/liveness-test.js';
export { and, not, or, xor } from './conditions/logic.js';
export { conditions } from './conditions/resource.js';
export { testCompound } from './conditions/test-compound.js';
export { isAlive, resolves } from './conditions/reference.js';
export {
  assertCondition,
  equals,
  isFalse,
  isTrue,
  runningFor,
  stringEquals,
  stringLength,
  value,
} from './conditions/value.js';
export { failingWaitFor, waitFor } from './conditions/wait-for.js';
export { databaseLive, databaseOpen, fileExists, hostExists, isPropertySet, livenessPage } from './conditions/world.js';
