import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ReeveClient } from '../../src/client/client.js';
import { defineEntity } from '../../src/definition/index.js';
import { Box } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

/** The box of a newer build, which takes other labels. */
const NewerBox = defineEntity('Box', {
  ...Box,
  events: { ...Box.events, place: { ...Box.events.place, params: z.object({ label: z.string() }) } },
} as never) as unknown as typeof Box;

let service: TestService;
let newer: ReeveClient;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box],
    resources: [new Shelf().resource],
  });
  newer = new ReeveClient({ client: service.environment.client, entities: [NewerBox] });
});
afterAll(async () => service.close());

const place = (key: string, label: string) => newer.create(NewerBox, key, 'place', { label });

describe('a creation that only its worker rejects, which has another build', () => {
  it('ends with the rejection for its caller, and leaves the key free (S2.2, S4.7)', async () => {
    const taken = await place('ash', '');
    const rejection = { code: 'invalid_parameters', entity: 'Box/ash', event: 'place' };
    expect(await newer.operations.result(taken)).toMatchObject({ outcome: 'failed', rejection });
    expect(await newer.operations.read(taken.requestId, taken.entity)).toMatchObject({
      ...{ state: 'settled', event: 'place', outcome: { state: 'Absent', rejection } },
    });
    await expect(newer.read(taken.entity)).rejects.toMatchObject({ code: 'absent' });
    expect(await newer.operations.result(await place('ash', 'x'))).toMatchObject({ outcome: 'success' });
  });

  it('ends so also where the key has had an earlier life (S1.3, S2.2)', async () => {
    const first = await place('elm', 'x');
    await newer.operations.result(first);
    await newer.operations.result(await newer.raise(NewerBox, 'elm', 'remove'));
    await until(async () => expect((await newer.read(first.entity)).gone).toBe(true));
    const taken = await place('elm', '');
    const rejection = { code: 'invalid_parameters', entity: 'Box/elm', event: 'place' };
    expect(await newer.operations.result(taken)).toMatchObject({ outcome: 'failed', rejection });
    expect((await newer.read(taken.entity)).gone).toBe(true);
    expect(await newer.operations.result(await place('elm', 'y'))).toMatchObject({ outcome: 'success' });
  });
});
