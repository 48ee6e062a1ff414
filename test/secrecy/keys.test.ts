import { defaultPayloadConverter } from '@temporalio/common';
import { stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { DataKeys } from '../../src/secrecy/data-key.js';
import { createKey, destroyKey, rotateKeys } from '../../src/secrecy/key-changes.js';
import { EncryptingCodec } from '../../src/secrecy/payload-codec.js';
import { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { payloadSettingsFrom, type PayloadSettings } from '../../src/secrecy/payload-settings.js';
import { keyFile } from './key-file.js';

const payload = (value: unknown) => defaultPayloadConverter.toPayload(value)!;
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('latin1');

async function through(value: unknown, settings: PayloadSettings, readBy = settings) {
  const [encrypted] = await new EncryptingCodec(settings, 'default').encode([payload(value)]);
  const [decrypted] = await new EncryptingCodec(readBy, 'default').decode([encrypted!]);
  return { encrypted: encrypted!, value: defaultPayloadConverter.fromPayload(decrypted!) };
}

describe('payload keys (Q5)', () => {
  it('encrypt each payload anew, with or without compression, and each way reads the other', async () => {
    const keys = await keyFile();
    const value = { name: 'ann'.repeat(1_000) };
    const [one, other] = [await through(value, { keys }), await through(value, { keys, compresses: true }, { keys })];
    expect([one.value, other.value]).toEqual([value, value]);
    expect(other.encrypted.data!.length).toBeLessThan(one.encrypted.data!.length / 10);
    expect(text((await through(value, { keys })).encrypted.data)).not.toBe(text(one.encrypted.data));
    expect(text(one.encrypted.data)).not.toContain('annann');
  });

  it('bind what is encrypted to its key and its namespace, and find each change', async () => {
    const keys = await keyFile();
    const { encrypted } = await through('x', { keys });
    const elsewhere = new EncryptingCodec({ keys }, 'other');
    await expect(elsewhere.decode([encrypted])).rejects.toThrow("'temporal other'");
    for (const at of [0, 20, 30, encrypted.data!.length - 1]) {
      const data = Buffer.from(encrypted.data!);
      data[at]! ^= 1;
      await expect(new EncryptingCodec({ keys }, 'default').decode([{ ...encrypted, data }])).rejects.toThrow(
        'was changed',
      );
    }
    await expect(new EncryptingCodec({ keys }, 'default').decode([payload('clear')])).rejects.toThrow(
      'REEVE_PAYLOAD_PLAINTEXT=read',
    );
    const reads = new EncryptingCodec({ keys, readsClear: true }, 'default');
    expect(await reads.decode([payload('clear')])).toEqual([payload('clear')]);
  });

  it('are not used more often than they may: another data key takes their place before', async () => {
    const key = await (await keyFile()).current();
    const dataKeys = new DataKeys(3);
    const salts = Array.from({ length: 7 }, () => text(dataKeys.encrypt(key, 'p', Buffer.from('x')).subarray(0, 16)));
    expect(salts.map((salt) => salts.indexOf(salt))).toEqual([0, 0, 0, 3, 3, 3, 6]);
    expect(dataKeys.uses).toBe(1);
  });

  it('rotate while another process has the file open, and are gone once they are destroyed', async () => {
    const file = await keyFile();
    const other = new PayloadKeyFile(file.path);
    const first = (await other.current()).id;
    const added = createKey(await file.read(), new Date());
    await file.write(added.content);
    expect((await file.current()).id).toBe(first);
    // A key that was made just now is found at once.
    expect((await other.find(added.key.id)).id).toBe(added.key.id);
    await file.write(rotateKeys(await file.read(), added.key.id, new Date()).content);
    expect((await file.current()).id).toBe(added.key.id);
    const settled = await file.read();
    expect(() => destroyKey(settled, added.key.id, new Date())).toThrow('is the one that is used');
    const gone = destroyKey(settled, first, new Date()).content;
    await file.write(gone);
    expect(JSON.stringify(await file.read())).not.toContain(settled.keys[0]!.secret!);
    await expect(file.find(first)).rejects.toThrow(`${first}, which was destroyed at`);
    expect(() => rotateKeys(gone, first, new Date())).toThrow('was destroyed');
    await expect(file.find('nobody')).rejects.toThrow('REEVE_PAYLOAD_KEYS');
    expect((await stat(file.path)).mode & 0o077).toBe(0);
  });

  it('are named by errors that say where they are missing, and that quote no secret', async () => {
    const absent = payloadSettingsFrom({ REEVE_PAYLOAD_KEYS: '/nowhere/keys.json' });
    await expect(absent.keys!.current()).rejects.toThrow(
      '/nowhere/keys.json (REEVE_PAYLOAD_KEYS) cannot be read: it does not exist',
    );
    const file = await keyFile();
    await writeFile(file.path, '{"keys": [{"secret": "c2VjcmV0"} oops');
    const told = await file.read().then(String, String);
    expect(told).toContain('is not a file of payload keys');
    expect(told).not.toContain('c2Vj');
    expect(() => payloadSettingsFrom({ REEVE_PAYLOAD_PLAINTEXT: 'yes' })).toThrow("REEVE_PAYLOAD_PLAINTEXT is 'yes'");
  });
});
