import { z } from 'zod';
import { component, defineKind, delayField, holder, maker, type Json } from '../../../src/components/index.js';
import { defineResource } from '../../../src/definition/index.js';

/*
 * Components that write down what they see, so that a checker can compare it with what they should have seen.
 */

export const outside = defineResource('outside', {
  do: { input: z.object({ what: z.string() }), output: z.any() },
});

/** Something that a component has seen, as it stands in the log of a tree. */
export type Seen =
  | { readonly saw: 'event'; readonly event: Json }
  | { readonly saw: 'ping' }
  | { readonly saw: 'value'; readonly value: Json }
  | { readonly saw: 'nothing' }
  | { readonly saw: 'end'; readonly child: number; readonly type: string }
  | { readonly saw: 'question' };

const seen = (what: Seen): string => JSON.stringify(what);

const leaf = z.object({
  /** How long it lives. Without one, it lives until it is ended. */
  life: delayField.optional(),
  type: z.string().default('normal'),
});
/** Notes events and pings. */
export const EAR = defineKind({
  name: 'Ear',
  attributes: leaf,
  start(self) {
    const life = self.attribute('life');
    if (life !== undefined) self.wait(life);
  },
  due: (self) => self.end(self.attribute('type'), 'its life is over'),
  event: (self, { event }) => self.log(seen({ saw: 'event', event })),
  ping: (self) => self.log(seen({ saw: 'ping' })),
});
export const ear = maker('Ear', leaf);

const reading = z.object({ value: z.any(), every: delayField, times: z.int() });
/** Reads a value again and again, and notes it. */
export const READER = defineKind({
  name: 'Reader',
  attributes: reading,
  start: (self) => self.wait(self.attribute('every')),
  due(self) {
    const times = (self.local<number>() ?? 0) + 1;
    try {
      self.log(seen({ saw: 'value', value: self.resolved('value') }));
    } catch {
      self.log(seen({ saw: 'nothing' }));
    }
    if (times >= self.attribute('times')) return self.end('normal', 'it has read enough');
    self.keep(times);
    self.wait(self.attribute('every'));
  },
});
export const reader = maker('Reader', reading);

const box = z.object({
  mark: z.any().optional(),
  stays: z.boolean().default(false),
  /** After so long its work is done, whatever its children do. */
  done: delayField.optional(),
});
/** Holds children, and notes what it is told of their ends. It ends when it has been told of all, or with the first odd one. */
export const BOX = defineKind({
  name: 'Box',
  attributes: box,
  takesChildren: true,
  start(self) {
    for (const [name, template] of self.declared) self.start(name, template);
  },
  due: (self) => self.finish('normal', 'its time is over'),
  up(self) {
    const done = self.attribute('done');
    if (done !== undefined) self.wait(done);
    if (self.declared.length === 0 && !self.attribute('stays')) self.finish('normal', 'it is empty');
  },
  childEnded(self, child, end) {
    self.log(seen({ saw: 'end', child: child.id, type: end.type }));
    if (end.type === 'odd') return self.endAs(end);
    if (!self.attribute('stays') && self.children.every(({ told }) => told)) self.end('normal', 'all of it is done');
  },
  ping: (self) => self.log(seen({ saw: 'ping' })),
});
export const boxed = holder('Box', box);

const asked = z.object({ says: z.boolean().optional() });
/** A condition that answers by itself, or asks the world. */
export const ASKED = defineKind({
  name: 'Asked',
  attributes: asked,
  isCondition: true,
  evaluate(self) {
    self.log(seen({ saw: 'question' }));
    const says = self.attribute('says');
    if (says === undefined) self.call('outside.do', { what: 'ask' });
    else self.answer({ holds: says });
  },
  answered(self, result) {
    self.answer('error' in result ? { error: result.error } : { holds: result.output === true });
  },
});
export const askedOf = maker('Asked', asked);

/** Code of one's own, as its letters say: calls, sends, sets, fails, ends. */
export const Own = component('Own', {
  attributes: z.object({
    starts: z.string().default(''),
    works: z.string().default(''),
    ends: z.string().default(''),
    pings: z.string().default(''),
    handles: z.string().default(''),
    note: z.any().optional(),
  }),
  start: async (self) => void (await play(self, self.attributes.starts)),
  work: async (self) => await play(self, self.attributes.works),
  end: async (self) => void (await play(self, self.attributes.ends)),
  ping: async (self) => void (await play(self, self.attributes.pings)),
  handle: async (self) => void (await play(self, self.attributes.handles)),
});

/** A component of one's own that consists of others. */
export const Made = component('Made', {
  start: async (self) => void (await play(self, 'c')),
  deploys: () => boxed({ one: ear({ life: 700 }), two: Own({ works: 'c', ends: 'c', sfShouldTerminate: true }) }),
});

async function play(self: Parameters<typeof act>[0], letters: string): Promise<Json> {
  let last: Json = null;
  // Calls that are side by side are made at once.
  for (const group of letters.match(/c+|./g) ?? []) {
    if (!group.startsWith('c')) act(self, group);
    else
      last = (await Promise.all([...group].map((_, place) => self.call(outside.do, { what: `${place}` }))))[0] as Json;
  }
  return last;
}

function act(
  self: {
    call(call: typeof outside.do, input: { readonly what: string }): Promise<unknown>;
    send(event: Json): void;
    set(name: string, value?: Json): void;
    end(type?: string, description?: string): void;
  },
  letter: string,
): void {
  if (letter === 's') self.send('own');
  else if (letter === 'n') self.set('note', 'set');
  else if (letter === 'e') self.end('normal', 'it wants to');
  else if (letter === 'x') throw new Error('broken');
}

export const OWN_KINDS = [EAR, READER, BOX, ASKED, Own, Made] as const;
