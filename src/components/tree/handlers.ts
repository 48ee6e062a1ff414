import type { Json } from '../description/description.js';
import { common } from '../description/fields.js';
import { keepsReference } from './attribute.js';
import { hostOf, reachOf } from './change.js';
import type { Draft } from './draft.js';
import type { Effect } from './effect.js';
import { fieldOf } from './kind.js';
import { attributeOf, resolve } from './resolve.js';
import type { HandlerName, PendingCall } from './tree.js';

/** Begins code of one's own. The shell runs it, and tells what it asks for and how it returns. @throws ReferenceFailed */
export function runHandler(draft: Draft, id: number, handler: HandlerName, argument?: Json): void {
  const attributes: Record<string, Json> = {};
  const kind = draft.kind(id);
  for (const name of Object.keys(kind.attributes.shape)) {
    const value = name in common.shape ? undefined : attributeOf(draft, id, name);
    if (value === undefined) continue;
    attributes[name] = keepsReference(fieldOf(kind, name)!) ? (value as Json) : resolve(draft, id, value);
  }
  const key = `${draft.key(id)}/${handler}:${draft.number()}`;
  const running = {
    key,
    handler,
    ...(argument !== undefined && { argument }),
    attributes,
    at: draft.now,
    asked: [],
    journal: [],
  };
  draft.change(id, { handlers: [...(draft.get(id).handlers ?? []), running] });
  draft.effects.push({ kind: 'run', component: draft.path(id), of: draft.description(id).kind, handler: running });
}

/** Makes a call. Its key is the same whenever it is issued again. */
export function makeCall(
  draft: Draft,
  id: number,
  call: { readonly activity: string; readonly input: Json; readonly handler?: string; readonly place?: number },
): void {
  const place = call.place ?? draft.number();
  const key =
    call.handler === undefined ? `${draft.key(id)}/${draft.get(id).phase}:${place}` : `${call.handler}/${place}`;
  const host = hostOf(draft, id);
  const reachWithin = reachOf(draft, id);
  const { activity, input, handler } = call;
  const where = { ...(host !== undefined && { host }), ...(reachWithin !== undefined && { reachWithin }) };
  const pending = { key, activity, input, place, since: draft.now, ...where, ...(handler && { handler }) };
  draft.change(id, { calls: [...(draft.get(id).calls ?? []), pending] });
  draft.effects.push(callEffect(draft, id, pending));
}

export function callEffect(draft: Draft, id: number, call: PendingCall): Effect {
  const { key, activity, input, host, reachWithin } = call;
  const where = { ...(host !== undefined && { host }), ...(reachWithin !== undefined && { reachWithin }) };
  return { kind: 'call', key, activity, input, ...where, component: draft.path(id) };
}
