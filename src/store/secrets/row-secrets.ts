/*
 * Encrypts secret properties of entities in their rows, and decrypts them for those who may read them. Q5
 *
 * row-secrets.1. What a declaration calls secret reaches neither a buffer of the writer, nor a statement, nor a message about a row in the clear.
 * row-secrets.2. A value that cannot be decrypted does not keep others from being read: the reason stands in its place.
 */
import type { EntityRecord, StoreRecord } from '../../protocol/records.js';
import { DataKeys } from '../../secrecy/data-key.js';
import { withoutKeys } from '../../secrecy/key-refused.js';
import type { PayloadKey } from '../../secrecy/payload-key.js';
import type { PayloadSettings } from '../../secrecy/payload-settings.js';
import type { SecretProperties } from './secret-properties.js';
import { messageOf } from '../../definition/thrown.js';

/** The only member of an encrypted value, and of one that cannot be decrypted. */
const SECRET = 'reeve.secret';
const UNREADABLE = 'reeve.unreadable';
/** A value that is encrypted for the store cannot be put into a history, nor the other way round. */
const PURPOSE = 'store';

export class RowSecrets {
  readonly #properties: SecretProperties;
  readonly #settings: PayloadSettings;
  readonly #dataKeys = new DataKeys();

  /** @throws Error that names the types and the setting, when something is secret and there are no keys */
  constructor(properties: SecretProperties, settings: PayloadSettings) {
    if (properties.size > 0 && !settings.keys) {
      const types = [...properties.keys()].join(', ');
      throw new Error(
        `${types} has secret properties, and no payload keys are given. Set REEVE_PAYLOAD_KEYS to the file of payload keys, as for ` +
          'the workers and the service. Make one: reeve payload-keys create.',
      );
    }
    this.#properties = properties;
    this.#settings = settings;
  }

  /** Tells whether one of these records has something secret. */
  concerns(records: readonly StoreRecord[]): boolean {
    return this.#properties.size > 0 && records.some((record) => this.#namesOf(record).length > 0);
  }

  /** The records with their secret properties encrypted. row-secrets.1 @throws Error for people, when the keys cannot be read */
  async hide(records: readonly StoreRecord[]): Promise<readonly StoreRecord[]> {
    if (!this.concerns(records)) return records;
    const key = await this.#settings.keys!.current();
    return records.map((record) => this.#hideRecord(key, record));
  }

  /** A row, or an item of a list, with decrypted values, wherever these are within it. row-secrets.2 */
  async reveal<T>(row: T): Promise<T> {
    return this.#properties.size === 0 ? row : ((await this.#reveal(row)) as T);
  }

  #namesOf(record: StoreRecord): readonly string[] {
    const told = record.kind === 'entity' || (record.kind === 'transition' && record.changes);
    return told ? (this.#properties.get(record.entity.type) ?? []) : [];
  }

  #hideRecord(key: PayloadKey, record: StoreRecord): StoreRecord {
    const names = this.#namesOf(record);
    if (names.length === 0) return record;
    if (record.kind === 'transition') {
      const changes = record.changes!.map((change) =>
        change.part === 'properties' && names.includes(change.name) && change.value !== undefined
          ? { ...change, value: this.#hideValue(key, change.value) }
          : change,
      );
      return { ...record, changes };
    }
    const { properties } = record as EntityRecord;
    const hidden = names
      .filter((name) => properties[name] !== undefined)
      .map((name) => [name, this.#hideValue(key, properties[name])] as const);
    return { ...(record as EntityRecord), properties: { ...properties, ...Object.fromEntries(hidden) } };
  }

  #hideValue(key: PayloadKey, value: unknown): object {
    const bytes = this.#dataKeys.encrypt(key, PURPOSE, Buffer.from(JSON.stringify(value)));
    return { [SECRET]: `${key.id}:${Buffer.from(bytes).toString('base64url')}` };
  }

  async #reveal(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return Promise.all(value.map((each) => this.#reveal(each)));
    const members = Object.entries(value);
    const [first] = members;
    if (members.length === 1 && first?.[0] === SECRET && typeof first[1] === 'string')
      return this.#revealText(first[1]);
    const revealed = members.map(async ([name, each]) => [name, await this.#reveal(each)] as const);
    return Object.fromEntries(await Promise.all(revealed));
  }

  async #revealText(text: string): Promise<unknown> {
    const [id = '', encrypted = ''] = text.split(':', 2);
    try {
      const { keys } = this.#settings;
      if (!keys) throw withoutKeys(id);
      const bytes = this.#dataKeys.decrypt(await keys.find(id), PURPOSE, Buffer.from(encrypted, 'base64url'));
      return JSON.parse(Buffer.from(bytes).toString());
    } catch (thrown) {
      return { [UNREADABLE]: messageOf(thrown) };
    }
  }
}
