import type { Json, Value } from '../description/description.js';
import { isTemplate } from '../description/fields.js';
import { isReference } from '../description/reference.js';
import { readAttribute } from './attribute.js';
import { detach, setAttribute } from './change.js';
import { create, deploy, fail, launch } from './create.js';
import type { Draft } from './draft.js';
import { deliver, dispatch, listenersOf } from './events.js';
import { makeCall, runHandler } from './handlers.js';
import type { Child, Self, Target } from './kind.js';
import { DEPLOY, deployment } from './plant.js';
import { attributeOf, componentAt, ReferenceFailed, resolve } from './resolve.js';
import type { Verdict } from './result.js';
import type { End, EventPassed, HandlerName, Phase } from './tree.js';

/** A component as the reducers of its kind see and change it. */
export class DraftSelf implements Self {
  readonly #draft: Draft;
  readonly id: number;

  constructor(draft: Draft, id: number) {
    this.#draft = draft;
    this.id = id;
  }

  get #own() {
    return this.#draft.get(this.id);
  }

  get name(): string {
    return this.#own.name;
  }

  get now(): number {
    return this.#draft.now;
  }

  get phase(): Phase {
    return this.#own.phase;
  }

  get deployedAt(): number {
    return this.#own.deployedAt ?? this.#draft.now;
  }

  get isToEnd(): boolean {
    return this.#own.pendingEnd !== undefined;
  }

  // The typed face of this method is in `Self`.
  attribute(name: string): never {
    return readAttribute(this.#draft, this.id, name) as never;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#own.attributes ?? this.#draft.description(this.id).attributes, name);
  }

  template(name: string): number | undefined {
    const value = attributeOf(this.#draft, this.id, name);
    const resolved = isReference(value) ? resolve(this.#draft, this.id, value) : value;
    return isTemplate(resolved) ? resolved.$description : undefined;
  }

  get declared(): readonly (readonly [string, number])[] {
    return this.#draft.description(this.id).children;
  }

  target(name: string): Target {
    const value = attributeOf(this.#draft, this.id, name);
    if (isReference(value)) return componentAt(this.#draft, this.id, value.$ref);
    throw new ReferenceFailed(
      `Attribute '${name}' of ${this.#draft.path(this.id)} is no reference: write ref('../x').`,
    );
  }

  local<T extends Json>(): T | undefined {
    return this.#own.local as T | undefined;
  }

  keep(local: Json): void {
    this.#draft.change(this.id, { local });
  }

  get children(): readonly Child[] {
    return this.#own.children.map((child) => this.#draft.get(child));
  }

  create(name: string, template: number): number {
    return create(this.#draft, this.id, name, template);
  }

  deploy(child: number): void {
    deploy(this.#draft, child);
  }

  launch(child: number): void {
    launch(this.#draft, child);
  }

  start(name: string, template: number): number {
    const child = this.create(name, template);
    this.deploy(child);
    this.launch(child);
    return child;
  }

  adopt(parent: number, name: string, template: number): void {
    const { phase, children } = this.#draft.get(parent);
    if (phase !== 'starting' && phase !== 'up') throw new ReferenceFailed(`The parent of '${name}' has ended.`);
    const namesakes = children.map((child) => this.#draft.get(child)).filter((child) => child.name === name);
    const isToCome = this.#draft.description(parent).children.some(([declared]) => declared === name);
    if (namesakes.some((child) => child.phase !== 'ended') || (isToCome && namesakes.length === 0))
      throw new ReferenceFailed(`The parent has a child '${name}' already, or will have. Choose another 'asName'.`);
    const child = create(this.#draft, parent, name, template);
    this.#draft.change(child, { launcher: this.id });
    this.deploy(child);
    this.launch(child);
  }

  deployAlone(name: string, template: number, host?: string): void {
    const key = `${this.#draft.key(this.id)}/deploy:${this.#draft.number()}`;
    const input = { name, template };
    const pending = { key, activity: DEPLOY, input, place: 0, since: this.now, ...(host !== undefined && { host }) };
    this.#draft.change(this.id, { calls: [...(this.#own.calls ?? []), pending] });
    this.#draft.effects.push(deployment(this.#draft, pending));
  }

  endChild(child: number, type: string, description: string): void {
    this.#draft.push({ do: 'end', id: child, end: this.record(type, description) });
  }

  forget(child: number): void {
    if (this.#draft.get(child).phase === 'ended') this.#draft.remove(child);
    else this.#draft.change(child, { forgotten: true });
  }

  pingChild(child: number): void {
    this.#draft.push({ do: 'ping', id: child });
  }

  end(type: string, description: string): void {
    this.endAs(this.record(type, description));
  }

  endAs(end: End): void {
    this.#draft.push({ do: 'end', id: this.id, end });
  }

  finish(type: string, description: string): void {
    this.finishAs(this.record(type, description));
  }

  finishAs(end: End): void {
    this.#leave(end, this.#switch('sfShouldTerminate'));
  }

  complete(end: End): void {
    this.#leave(end, true);
  }

  #leave(end: End, ends: boolean): void {
    const quiet = this.#switch('sfShouldTerminateQuietly');
    if (this.#switch('sfShouldDetach')) detach(this.#draft, this.id);
    if (quiet || ends) this.#draft.push({ do: 'end', id: this.id, end, ...(quiet && { quiet }) });
  }

  fail(description: string): void {
    fail(this.#draft, this.id, description);
  }

  endOther(target: Target, type: string, description: string, detachFirst: boolean): void {
    if ('path' in target) {
      this.#draft.effects.push({ kind: 'terminate', path: target.path, end: { type, description } });
      return;
    }
    if (detachFirst) detach(this.#draft, target.id);
    this.#draft.push({ do: 'end', id: target.id, end: this.record(type, description) });
  }

  wait(milliseconds: number): void {
    this.#draft.change(this.id, { due: this.#draft.now + milliseconds });
  }

  stopWaiting(): void {
    this.#draft.change(this.id, { due: undefined });
  }

  hold(milliseconds: number): void {
    this.#draft.change(this.id, { ending: 'held', due: this.#draft.now + milliseconds });
  }

  release(): void {
    this.#draft.change(this.id, { ending: 'children', due: undefined });
    this.#draft.push({ do: 'proceed', id: this.id });
  }

  call(activity: string, input: Json): void {
    makeCall(this.#draft, this.id, { activity, input });
  }

  send(event: Json): void {
    dispatch(this.#draft, this.id, event, []);
  }

  get listeners(): readonly Target[] {
    return listenersOf(this.#draft, this.id);
  }

  deliver({ event, passed }: EventPassed, to: readonly Target[]): void {
    deliver(this.#draft, event, passed, to);
  }

  set(name: string, value: Value): void {
    this.#draft.setAttribute(this.id, name, value);
  }

  setOther(target: Target, name: string, value: Value | undefined): void {
    setAttribute(this.#draft, target, name, value);
  }

  isAlive(target: Target): boolean {
    if ('path' in target)
      throw new TypeError(`${target.path} is in another deployment: ask for components of this tree.`);
    const { phase, undeployed } = this.#draft.get(target.id);
    return phase !== 'ending' && phase !== 'ended' && !undeployed;
  }

  resolved(name: string): Json {
    return resolve(this.#draft, this.id, attributeOf(this.#draft, this.id, name) ?? null);
  }

  log(message: string): void {
    this.#draft.record(this.id, { message });
  }

  evaluate(child: number): void {
    this.#draft.push({ do: 'evaluate', id: child, asker: this.id });
  }

  answer(verdict: Verdict): void {
    const { asker } = this.#own;
    if (asker === undefined) return;
    this.#draft.change(this.id, { asker: undefined });
    this.#draft.push({ do: 'evaluated', id: asker, child: this.id, verdict });
  }

  run(handler: HandlerName): void {
    runHandler(this.#draft, this.id, handler);
  }

  #switch(name: string): boolean {
    return readAttribute(this.#draft, this.id, name) === true;
  }

  record(type: string, description: string): End {
    return { type, description, component: this.#draft.path(this.id) };
  }
}
