import { defaultDataConverter } from '@temporalio/common';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AskedEvent, EventValues } from '../../src/client/values/event-values.js';
import { RunValues } from '../../src/client/values/run-values.js';
import { representValues } from '../../src/service/values/represent-values.js';
import { Mask } from '../../src/service/values/mask.js';
import { shorten } from '../../src/service/values/shorten.js';
import type { JsonSchema } from '../../src/service/declared-schema.js';
import type { EventOrigin } from '../../src/store/index.js';
import { bank, Wire } from '../entities/wire.js';

const mask = () => new Mask([Wire]);
const schemaOf = (schema: z.ZodType) => [z.toJSONSchema(schema) as JsonSchema];

describe('the mask of values (S6.5)', () => {
  it('hides by name at any depth, and by the form of a credential (mask.1, mask.3)', () => {
    const { value, masked } = mask().apply(
      {
        ...{
          user: 'ann',
          Password: 'p',
          iban: ['one', 'two'],
          nested: [{ clientSecret: { a: 1 } }],
          empty: { token: null },
        },
        url: 'postgres://ann:hunter2@host/db',
        'Bearer abcdefgh1234': 1,
      },
      [],
    );
    expect(value).toEqual({
      ...{ user: 'ann', Password: '***', iban: '***', nested: [{ clientSecret: '***' }], empty: { token: null } },
      url: 'postgres://***@host/db',
      'Bearer ***': 1,
    });
    expect(masked).toEqual(['Password', 'iban', 'nested[0].clientSecret', 'url']);
  });

  it('hides what a schema marks: in references, alternatives, lists and maps (mask.1)', () => {
    const marked = z.string().meta({ writeOnly: true });
    const tree = z.object({
      pin: marked,
      get below() {
        return z.array(tree);
      },
    });
    const schema = z.object({
      tree,
      one: z.union([z.object({ kind: z.literal('a'), x: marked }), z.object({ kind: z.literal('b') })]).nullable(),
      map: z.record(z.string(), z.object({ y: z.string().meta({ format: 'password' }).optional() })),
      pair: z.tuple([z.string(), marked]),
      whole: z.object({ z: z.string() }).meta({ writeOnly: true }),
    });
    const value = {
      tree: { pin: 'p1', below: [{ pin: 'p2', below: [] }] },
      one: { kind: 'a', x: 'p3' },
      map: { k: { y: 'p4' } },
      pair: ['seen', 'p5'],
      whole: { z: 'p6' },
    };
    const shown = mask().apply(value, schemaOf(schema)).value;
    expect(JSON.stringify(shown)).not.toMatch(/p\d/);
    expect(shown).toMatchObject({ pair: ['seen', '***'], one: { kind: 'a' }, map: { k: {} }, whole: '***' });
  });

  it('hides a noted text under every other name, and too deep values (mask.2)', () => {
    const noting = mask();
    noting.note({ password: 'hunter2-and-more' }, []);
    expect(noting.apply({ said: 'by hunter2-and-more!', 'hunter2-and-more': 1 }, []).value).toEqual({
      said: 'by ***!',
      '***': 1,
    });
    let deep: unknown = 'bottom';
    for (let depth = 0; depth < 500; depth++) deep = { deep };
    expect(JSON.stringify(mask().apply(deep, []).value)).not.toContain('bottom');
  });
});

it('a value is cut to a readable size, and tells what was cut (S5.1)', () => {
  const large = { text: 'x'.repeat(5_000), list: Array.from({ length: 1_000 }, (_, index) => index), ok: true };
  const { value, cut } = shorten(large);
  expect(JSON.stringify(value).length).toBeLessThan(10_000);
  expect(value).toMatchObject({ ok: true, list: expect.objectContaining({ length: 100 }) });
  expect(cut).toEqual(['text: 3000 more characters', 'list: 900 more items']);
  const wide = Object.fromEntries(
    Array.from({ length: 90 }, (_, n) => [`n${n}`, { a: 'y'.repeat(1_500), b: [1, 2, 3, 4, 5, 6] }]),
  );
  expect(JSON.stringify(shorten(wide).value).length).toBeLessThan(60_000);
  expect(shorten(wide).cut.length).toBeLessThanOrEqual(20);
});

const asked: AskedEvent = {
  ...{ entity: { type: 'Wire', key: 'a' }, life: 'life', id: 'r1', event: 'note', startedAt: 10_000, endedAt: 11_000 },
  inline: [],
};
const client = { options: { loadedDataConverter: defaultDataConverter } } as unknown as Client;

/** The values after a run has begun with this input. */
async function begunWith(input: object): Promise<RunValues> {
  const data = Buffer.from(JSON.stringify(input)).toString('base64');
  const metadata = { encoding: Buffer.from('json/plain').toString('base64') };
  const started = { firstExecutionRunId: 'life', input: { payloads: [{ metadata, data }] } };
  const { events } = historyFromJSON({
    events: [
      {
        ...{ eventId: '1', eventTime: '1970-01-01T00:00:09Z', eventType: 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED' },
        workflowExecutionStartedEventAttributes: started,
      },
    ],
  });
  const values = new RunValues(client, asked);
  await values.take('run', events![0]!);
  return values;
}

it('an event that an earlier run has carried into this one has its parameters (S5.1)', async () => {
  const continued = { waiting: [], engagements: [] };
  const begun = async (snapshot: object) =>
    (await begunWith({ kind: 'continue', at: 0, snapshot: { ...continued, ...snapshot } })).request;
  const request = { id: 'r1', event: 'note', params: { text: 'x' }, actor: { subject: 'ann', roles: [] } };
  const sent = { params: { text: 'x' } };
  expect(await begun({ waiting: [{ ...request, id: 'r0' }, request] })).toEqual(sent);
  expect(await begun({ doubted: [{ kind: 'raise', key: 'a', request }] })).toEqual(sent);
  const running = { action: 'note', kind: 'event', params: { text: 'x' } };
  expect(await begun({ engagements: [{ id: 'r1' }], running })).toEqual(sent);
  expect(await begun({ engagements: [{ id: 'r0' }], running })).toBeUndefined();
  expect(await begun({ postponed: { running, engagement: { id: 'r1' } } })).toEqual(sent);
});

it('parameters that an entity has sent are for those who may read its type (S6.5)', () => {
  const origin: EventOrigin = {
    ...{ type: 'Wire', key: 'a', life: 'life', id: 'r1', operation: 'r1', event: 'note', event_type: 'raised' },
    ...{ start_time: new Date(0), end_time: null, end_state: null, end_version: null, end_details: null },
    ...{ result: null, tenant: null, inline: [] },
  };
  const values: EventValues = { history: 'complete', calls: [], request: { params: { text: 'x' }, from: 'Cellar' } };
  const shown = (reads: (type: string) => boolean) =>
    representValues(1, origin, values, { entity: Wire, entities: [Wire], resources: [bank], reads }).parameters;
  expect(shown((type) => type === 'Wire')).toMatchObject({ status: 'hidden' });
  expect(shown(() => true)).toEqual({ status: 'recorded', value: { text: 'x' } });
});
