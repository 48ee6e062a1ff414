import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
} from '../../src/definition/index.js';

const day = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const cents = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), { decode: BigInt, encode: String });

export const calendar = defineResource('calendar', {
  next: { input: z.object({ after: day }), output: z.object({ at: day }) },
});

/** One day after another: what a provider of the calendar gives. */
export function dayAfter(after: Date): { readonly at: string } {
  return { at: new Date(after.getTime() + 86_400_000).toISOString() };
}

const SPOILT: Readonly<Record<string, () => unknown>> = {
  bigint: () => ({ n: 10n }),
  date: () => ({ d: new Date(0) }),
  undef: () => [undefined, 1],
  nan: () => ({ n: Number.NaN }),
  func: () => ({ f: () => 1 }),
  map: () => new Map([[1, 2]]),
  circular: () => {
    const one: Record<string, unknown> = {};
    return Object.assign(one, { one });
  },
  getter: () => ({
    get x() {
      throw new Error('a getter');
    },
  }),
  toJSON: () => ({
    toJSON: () => {
      throw new Error('toJSON');
    },
  }),
  proto: () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  deep: () => {
    let deep: object = {};
    for (let level = 0; level < 20_000; level++) deep = { deep };
    return deep;
  },
  nul: () => 'a\0b',
  surrogate: () => 'a\ud800b',
};
export const SPOILS = Object.keys(SPOILT);

/** A value that JSON cannot carry. */
export function spoilt(how: string): unknown {
  return SPOILT[how]!();
}

/** An entity whose values are decoded for its code, and encoded everywhere else. S1.5a */
export const Diary = defineEntity('Diary', {
  key: z.string(),
  construct: z.object({ due: day.optional() }),
  properties: z.object({
    due: day.optional(),
    total: cents.default(0n),
    bag: z.any().optional(),
    seen: z.array(z.string()).default([]),
  }),
  subordinates: { entries: z.object({ at: day, cents }) },
  dimensions: { due: 'properties.due' },
  states: {
    Absent: initial(),
    Open: stable({ constraint: z.object({ properties: z.object({ total: cents }) }) }),
    Closed: terminal(),
  },
  events: {
    open: { in: 'Absent' },
    write: { params: z.object({ at: day, cents }), in: 'Open' },
    postpone: { in: 'Open' },
    spoil: { params: z.object({ how: z.string() }), in: 'Open' },
    look: { in: 'Open', params: z.object({ other: z.string() }) },
    close: { in: 'Open' },
  },
  actions: {
    open: { on: 'open', in: 'Absent', to: 'Open' },
    write: { on: 'write', in: 'Open', to: 'Open' },
    postpone: { on: 'postpone', in: 'Open', to: 'Open' },
    spoil: { on: 'spoil', in: 'Open', to: 'Open' },
    look: { on: 'look', in: 'Open', to: 'Open' },
    close: { on: 'close', in: 'Open', to: 'Closed' },
  },
});

export const diary = implementActions(Diary, {
  open: async (app) => app.goTo('Open'),
  write: async ({ properties, subordinates, goTo }, { params: { at, cents } }) => {
    properties.seen.push(`${at.getUTCFullYear()} ${typeof cents}`);
    properties.due = new Date(Math.max(at.getTime(), properties.due?.getTime() ?? 0));
    properties.total += cents;
    subordinates.entries[`e${properties.seen.length}`] = { at, cents };
    return goTo('Open');
  },
  postpone: async (app) => {
    const { due = new Date(0) } = app.properties;
    const { at } = await app.call(calendar.next, { after: due.toISOString() });
    app.properties.due = at;
    return app.goTo('Open');
  },
  spoil: async (app, { params: { how } }) => {
    app.properties.total += 1n;
    app.properties.bag = spoilt(how);
    return app.goTo('Open');
  },
  look: async (app, { params: { other } }) => {
    const view = await app.read(Diary, other);
    app.properties.seen.push(
      `${view?.properties.due?.getTime()} ${Object.values(view?.subordinates.entries ?? {})[0]?.cents}`,
    );
    return app.goTo('Open');
  },
  close: async (app) => app.goTo('Closed'),
});
