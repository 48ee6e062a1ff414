import type { Audience, Met } from '../client/explain/audience.js';
import type { EntityRef } from '../protocol/names.js';
import { isReadable, type Readable } from './readable.js';
import type { ServiceStore } from './service-store.js';
import { tenantOfRow } from './tenant-of-row.js';

/**
 * Those who see an explanation, by what they may read. Where an entity cannot be read, the store knows whose it is. S5.4, S6.5
 */
export function audienceOf(readable: Readable, store: ServiceStore | undefined): Audience {
  return {
    everything: readable.everything,
    async shows({ owner, life, ...ref }) {
      if (readable.tenant === undefined) return isReadable(readable, ref.type, undefined);
      const known = owner ?? (await ownerInStore(store, ref, life));
      return known !== undefined && isReadable(readable, ref.type, known.tenant);
    },
  };
}

/** The owner of that life, or of any where `life` is not given. Gives `undefined` where the store cannot tell. */
async function ownerInStore(
  store: ServiceStore | undefined,
  ref: EntityRef,
  life: string | undefined,
): Promise<Met['owner']> {
  const row = await store?.entity(ref).catch(() => undefined);
  return row && (life === undefined || row.life === life) ? { tenant: tenantOfRow(row) } : undefined;
}
