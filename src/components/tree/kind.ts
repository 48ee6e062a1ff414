import type { z } from 'zod';
import { makeShareable } from '../../definition/shareable.js';
import type { Description, Json, Value } from '../description/description.js';
import { common } from '../description/fields.js';
import type { Failure, Result, Verdict } from './result.js';
import type { End, EventPassed, HandlerName, Phase, TableDescription } from './tree.js';

/*
 * A kind of component: what it does when it starts, when one of its children ends, when its time has come, ... Each of these is a
 * reducer: it changes the tree through `self`, and nothing else. Combinators of one's own are made in the same way.
 */

/** A child, as its parent sees it. */
export interface Child {
  readonly id: number;
  readonly name: string;
  readonly phase: Phase;
  readonly end?: End;
  /** Its parent has been told of its end: not of a quiet one. */
  readonly told?: boolean;
  /** It failed before it was up. */
  readonly undeployed?: boolean;
}

/** A component that a reference names: one of this tree, or the path of one of another tree. */
export type Target = { readonly id: number } | { readonly path: string };

type CommonShape = (typeof common)['shape'];

/** A component, for the reducers of its kind. */
export interface Self<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly id: number;
  readonly name: string;
  /** The time of the input, in milliseconds since 1970. */
  readonly now: number;
  readonly phase: Phase;
  readonly deployedAt: number;
  /** Is true if an end waits until its start is over. W-2 */
  readonly isToEnd: boolean;
  /**
   * An attribute, its references resolved now.
   * @throws ReferenceFailed, AttributeWrong
   */
  attribute<Name extends keyof (Shape & CommonShape) & string>(name: Name): z.output<(Shape & CommonShape)[Name]>;
  /** Returns whether the attribute is given, or has been set. */
  has(name: string): boolean;
  /** The description that the attribute holds, if it holds one. */
  template(name: string): number | undefined;
  /** The descriptions of its children. */
  readonly declared: readonly (readonly [name: string, template: number])[];
  /** The component that the attribute names. @throws ReferenceFailed */
  target(name: string): Target;
  /** Returns what the kind has kept. */
  local<T extends Json>(): T | undefined;
  keep(local: Json): void;

  /** Its children that have not been forgotten, in the order of their creation. */
  readonly children: readonly Child[];
  create(name: string, template: number): number;
  /** Deploys a created child: with a mistake in its attributes, it ends. */
  deploy(child: number): void;
  /** Starts a deployed child. One that has ended stays ended. */
  launch(child: number): void;
  /** Creates, deploys and starts a child. */
  start(name: string, template: number): number;
  /** Starts a component as a child of another one, and hears in `launched` whether it came up. */
  adopt(parent: number, name: string, template: number): void;
  /** Deploys a tree that goes on by itself, and hears in `answered` whether it came up. */
  deployAlone(name: string, template: number, host?: string): void;
  endChild(child: number, type: string, description: string): void;
  /** An ended child is not kept any longer: nothing can refer to it then. */
  forget(child: number): void;
  pingChild(child: number): void;

  /** Ends. The first end wins; one that comes while it starts is delivered after that. W-1, W-2 */
  end(type: string, description: string): void;
  /** Ends with the record of another end. */
  endAs(end: End): void;
  /** Its work is done: it ends, ends quietly, or leaves its parent, as its attributes say. W4 */
  finish(type: string, description: string): void;
  finishAs(end: End): void;
  /** As `finishAs`, and it ends whatever `sfShouldTerminate` says. */
  complete(end: End): void;
  /** The record of an end of its own. */
  record(type: string, description: string): End;
  /** Fails. While it starts, it does not come up by that. */
  fail(description: string): void;
  endOther(target: Target, type: string, description: string, detachFirst: boolean): void;
  /** Comes back in `due` after so many milliseconds. There is only one such wait. */
  wait(milliseconds: number): void;
  stopWaiting(): void;
  /** In `ending`: keeps children and own clean-up waiting, for so many milliseconds at most, until `release`. */
  hold(milliseconds: number): void;
  release(): void;

  call(activity: string, input: Json): void;
  /** Sends an event to its listeners. W-7 */
  send(event: Json): void;
  /** Those that get its events, in the order of registration. */
  readonly listeners: readonly Target[];
  /** Brings an event that was kept to some of them. */
  deliver(event: EventPassed, to: readonly Target[]): void;
  set(name: string, value: Value): void;
  setOther(target: Target, name: string, value: Value | undefined): void;
  /** Returns whether a component of this tree lives: one that ends does not. @throws TypeError for one of another tree */
  isAlive(target: Target): boolean;
  /** The value of an attribute, its references resolved now, whatever its schema. @throws ReferenceFailed */
  resolved(name: string): Json;
  log(message: string): void;
  /** Asks a child whether its condition holds: `evaluated` is told. */
  evaluate(child: number): void;
  /** Answers whoever asked whether this condition holds. */
  answer(verdict: Verdict): void;
  /** Begins own code. */
  run(handler: HandlerName): void;
}

/** Describes a kind of component: its attributes, and how it reacts to what happens in its tree. */
export interface KindShape<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly attributes: z.ZodObject<Shape>;
  /** Sets whether it has children of its own names. */
  readonly takesChildren?: boolean;
  /** Sets whether attributes of any other name may hold descriptions: `tryThen`, `onEvent`. */
  readonly takesTemplates?: boolean;
  /** Sets whether it can be asked if it holds. */
  readonly isCondition?: boolean;
  /** Sets whether it forwards events itself, later: `eventQueue`. */
  readonly keepsEvents?: boolean;
  /** Sets whether it sends events of its own: others may listen to it. */
  readonly sendsEvents?: boolean;
  /** Sets whether its children are conditions that it asks: `and`. */
  readonly asksChildren?: boolean;
  /** Sets whether it goes on only when it is told that what it runs has ended: a quiet end leaves it waiting. */
  readonly waitsForEnds?: boolean;
  /** Sets whether what its attributes hold is started outside of it: `run`. */
  readonly startsElsewhere?: boolean;
  /** Sets whether its references are asked about: they may lead nowhere. */
  readonly mayLeadNowhere?: boolean;
  /** Attributes whose default is another one for this kind: `sfShouldTerminate` of `sequence`. */
  readonly defaults?: Readonly<Record<string, Json>>;
  /** The children that are created and deployed together with it. */
  along?(description: TableDescription): readonly (readonly [name: string, template: number])[];
  /** Returns what it consists of: its child `running`, created with it. */
  deploys?(): Description;
  /** The code of one's own that it has. */
  readonly handlers?: ReadonlySet<HandlerName>;

  start?(self: Self<Shape>): void;
  /** Tells whether its start goes on, though that of its children is over. */
  isStarting?(self: Self<Shape>): boolean;
  /** It is up: its start is over. */
  up?(self: Self<Shape>): void;
  childUp?(self: Self<Shape>, child: Child): void;
  childEnded?(self: Self<Shape>, child: Child, end: End): void;
  /** A child goes on without it, and has left it. */
  childLeft?(self: Self<Shape>): void;
  launched?(self: Self<Shape>, failure: string | undefined): void;
  due?(self: Self<Shape>): void;
  answered?(self: Self<Shape>, result: Result): void;
  event?(self: Self<Shape>, event: EventPassed): void;
  /** It begins to end, before its children do. */
  ending?(self: Self<Shape>): void;
  evaluate?(self: Self<Shape>): void;
  evaluated?(self: Self<Shape>, child: Child, verdict: Verdict): void;
  /** It is pinged. `stop`: the ping does not go on to its children. */
  ping?(self: Self<Shape>): 'stop' | void;
  /** In a few words, what it is doing. */
  doing?(self: Self<Shape>): string;
  /** Returns what is wrong with a description beyond its schema. */
  wrong?(attributes: Readonly<Record<string, Value>>, children: readonly string[]): Failure | undefined;
  /** Returns why such a component never ends by itself unless something fails; nothing when it ends, or when nobody can know. */
  endless?(outlook: Outlook): Endless | string | undefined;
}

/** Describes why a component never ends by itself. */
export interface Endless {
  /** The path of the component that does not. */
  readonly place: string;
  readonly why: string;
}

/** Describes what is known of a component before it runs. */
export interface Outlook {
  /** An attribute as it is given, or its default. Nothing is known of a reference. */
  value(name: string): unknown;
  /** Returns why what an attribute holds never ends. */
  held(name: string): Endless | undefined;
  /** The same of each child. */
  readonly children: readonly (Endless | undefined)[];
}

/** A kind, whatever its attributes. */
export type Kind = KindShape<z.ZodRawShape>;
/** Holds kinds of components by their names. */
export type Kinds = ReadonlyMap<string, Kind>;

/** Makes a kind of component. Its reducers see its attributes with their types. */
export function defineKind<Shape extends z.ZodRawShape>(shape: KindShape<Shape>): Kind {
  const attributes = common.extend(shape.attributes.shape);
  makeShareable(attributes);
  return { ...shape, attributes } as unknown as Kind;
}

/** The schema of an attribute. */
export function fieldOf(kind: Kind, name: string): z.ZodType | undefined {
  return Object.hasOwn(kind.attributes.shape, name) ? (kind.attributes.shape[name] as z.ZodType) : undefined;
}

/** The value of an attribute among those that are given, the ones of any name included; else its default. */
export function givenOrDefault(
  kind: Kind | undefined,
  given: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  if (Object.hasOwn(given, name)) return given[name];
  const { parameters } = given;
  if (isRecord(parameters) && Object.hasOwn(parameters, name)) return parameters[name];
  if (!kind) return undefined;
  if (kind.defaults && Object.hasOwn(kind.defaults, name)) return kind.defaults[name];
  return fieldOf(kind, name)?.safeParse(undefined).data as Value | undefined;
}

function isRecord(value: Value | undefined): value is Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null;
}
