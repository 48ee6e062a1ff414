/*
 * Code of one's own: what it asks for, what it is told, and how it returns. With its journal, a new run brings it to the same
 * place: what it asks for again is known by its place.
 */
import { valueFingerprint } from '../../protocol/fingerprint.js';
import type { Json } from '../description/description.js';
import { setAttribute } from '../tree/change.js';
import type { Draft } from '../tree/draft.js';
import { dispatch } from '../tree/events.js';
import { makeCall } from '../tree/handlers.js';
import type { Ask } from '../tree/input.js';
import type { Self } from '../tree/kind.js';
import type { Failure, Result } from '../tree/result.js';
import type { Component, PendingCall, RunningHandler } from '../tree/tree.js';
import { cleanedUp } from './end.js';
import { fail } from '../tree/create.js';
import { invoke } from './invoke.js';
import { goOn } from './start.js';

/** Takes what a handler asks for, once. */
export function asked(draft: Draft, key: string, place: number, ask: Ask): void {
  const found = holderOf(draft, key);
  if (!found || place < found.running.asked.length) return;
  const { component, running } = found;
  const { id } = component;
  replace(draft, component, { ...running, asked: [...running.asked, valueFingerprint(ask)] });
  invoke(draft, id, (_, self) => fulfil(draft, id, self, key, place, ask));
}

function fulfil(draft: Draft, id: number, self: Self, key: string, place: number, ask: Ask): void {
  switch (ask.kind) {
    case 'call':
      return makeCall(draft, id, { ...ask, handler: key, place });
    case 'send':
      return dispatch(draft, id, ask.event, []);
    case 'set':
      return setAttribute(draft, { id }, ask.name, ask.value);
    case 'end':
      return self.end(ask.type, ask.description);
  }
}

/** Takes the answer of a call, if somebody still waits for it. */
export function answered(draft: Draft, key: string, result: Result): void {
  const component = componentOf(draft, key);
  const call = component?.calls?.find((each) => each.key === key);
  if (call) answer(draft, component!, call, result);
}

function answer(draft: Draft, { id, calls = [] }: Component, call: PendingCall, result: Result): void {
  const others = calls.filter(({ key }) => key !== call.key);
  draft.change(id, { calls: others.length > 0 ? others : undefined });
  const found = call.handler === undefined ? undefined : holderOf(draft, call.handler);
  if (!found) return draft.push({ do: 'answered', id, result, place: call.place });
  const entry = { place: call.place, at: draft.now, result };
  replace(draft, draft.get(id), { ...found.running, journal: [...found.running.journal, entry] });
  draft.effects.push({ kind: 'resume', handler: found.running.key, ...entry });
}

/** A handler has returned or thrown. */
export function returned(draft: Draft, key: string, result: Result): void {
  const found = holderOf(draft, key);
  if (!found) return;
  const { component, running } = found;
  const { id } = component;
  const others = component.handlers!.filter((each) => each.key !== key);
  const left = (component.calls ?? []).filter(({ handler }) => handler === key);
  const calls = (component.calls ?? []).filter(({ handler }) => handler !== key);
  draft.change(id, {
    handlers: others.length > 0 ? others : undefined,
    calls: calls.length > 0 ? calls : undefined,
  });
  for (const call of left) draft.effects.push({ kind: 'cancel', key: call.key });
  const error = 'error' in result ? result.error : undefined;
  const output = 'error' in result ? undefined : result.output;
  invoke(draft, id, (_, self) => over(draft, id, self, running, error, output));
}

function over(
  draft: Draft,
  id: number,
  self: Self,
  { handler }: RunningHandler,
  error: Failure | undefined,
  output: Json | undefined,
): void {
  switch (handler) {
    case 'start':
      return error ? fail(draft, id, error.message) : goOn(draft, id);
    case 'end':
      if (error) draft.record(id, { message: `Its end has failed: ${error.message}` });
      return cleanedUp(draft, id);
    case 'evaluate':
      return self.answer(error ? { error } : { holds: output === true });
    case 'work':
      if (error) return fail(draft, id, error.message);
      if (output !== undefined) self.set('output', output);
      return self.finish('normal', 'its work is done');
    case 'ping':
      if (error || output === false) fail(draft, id, error?.message ?? 'it does not answer a ping');
      return;
    case 'handle': {
      if (error) return fail(draft, id, error.message);
      const [event, ...inbox] = draft.get(id).inbox ?? [];
      draft.change(id, { inbox: inbox.length > 0 ? inbox : undefined });
      if (event) draft.push({ do: 'handle', id, event });
    }
  }
}

function holderOf(draft: Draft, key: string): { component: Component; running: RunningHandler } | undefined {
  const component = componentOf(draft, key);
  const running = component?.handlers?.find((each) => each.key === key);
  return running && { component: component!, running };
}

/** A key ends with the number of its component: `deployment/shop/a#12/start:4` of a handler, `…#12/start:4/0` of its call. */
const KEY = /#(\d+)\/[a-z]+:\d+(?:\/\d+)?$/;

/** The component whose handler or call has this key, if it is there. */
function componentOf(draft: Draft, key: string): Component | undefined {
  const id = KEY.exec(key)?.[1];
  return id === undefined ? undefined : draft.find(Number(id));
}

function replace(draft: Draft, { id, handlers = [] }: Component, running: RunningHandler): void {
  draft.change(id, { handlers: handlers.map((each) => (each.key === running.key ? running : each)) });
}
