import { expect, it } from 'vitest';
import { OperationPlaces } from '../../src/service/operation-places.js';
import { keyIn, requestIdOf } from '../../src/service/request-id.js';
import { ProblemError } from '../../src/service/problem.js';
import { NO_STORE, type ServiceStore } from '../../src/service/service-store.js';
import type { Guard } from '../../src/service/guard.js';

const on = { type: 'Box', key: 'a' };
const actor = (subject: string) => ({ subject, tenant: 'acme', roles: ['reader'] });
const guard = (subject: string, everything = false) =>
  ({
    credentials: { actor: actor(subject), until: Infinity },
    readable: { types: ['Box'], components: [], distributed: [], everything },
  }) satisfies Pick<Guard, 'credentials' | 'readable'>;
const sent = (subject: string) => ({ id: requestIdOf('r1', actor(subject), on), on });
const places = (sentRequests: ServiceStore['sentRequests']) => new OperationPlaces({ ...NO_STORE, sentRequests });

it('a key stands for the requests of the caller who has sent it; operators find those of others (S2.5, S6.5)', async () => {
  const both = places(async () => [sent('alice'), sent('bob')]);
  expect(await both.sentAs('r1', guard('alice'))).toEqual([sent('alice')]);
  expect(await both.sentAs('r1', guard('carol'))).toEqual([]);
  expect(await both.sentAs('r1', guard('carol', true))).toEqual([sent('alice'), sent('bob')]);
  expect(await both.sentAs('r1', guard('alice', true))).toEqual([sent('alice')]);
  // A whole id stands for nothing else.
  expect(await both.sentAs(sent('alice').id, guard('carol', true))).toEqual([]);
  expect(keyIn(sent('alice').id)).toBe('r1');
});

it('while the store is unavailable, the requests that this instance has answered are found (S4.7, S5.2)', async () => {
  const away = places(async () => {
    throw new ProblemError('store_unavailable', 'The store cannot be reached.');
  });
  away.note(sent('alice').id, on);
  expect(await away.sentAs('r1', guard('alice'))).toEqual([sent('alice')]);
  expect(await away.sentAs('r1', guard('bob'))).toEqual([]);
});
