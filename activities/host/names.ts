import { z } from 'zod';
import { RecordFolder } from './record-folder.js';

const record = z.object({ address: z.ipv4(), port: z.number().int() });
export type NameRecord = z.output<typeof record>;

/** The zone of all names. `.internal` is reserved for private use. */
export const ZONE = 'reeve.internal';

/** The names that the name server tells. */
export class Names {
  readonly #records: RecordFolder<typeof record>;

  private constructor(records: RecordFolder<typeof record>) {
    this.#records = records;
  }

  static async open(folder: string): Promise<Names> {
    return new Names(await RecordFolder.open(folder, record));
  }

  async put(name: string, content: NameRecord): Promise<{ readonly fqdn: string }> {
    await this.#records.put(name, content);
    return { fqdn: `${name}.${ZONE}` };
  }

  get(name: string): Promise<NameRecord | undefined> {
    return this.#records.get(name);
  }

  remove(name: string): Promise<void> {
    return this.#records.remove(name);
  }
}
