import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { writeFileAtomically } from '../../src/stack/files.js';

/** Records on disk, with a file for each. What was put is there after any crash, and what was removed is not. */
export class RecordFolder<Schema extends z.ZodType> {
  readonly #folder: string;
  readonly #schema: Schema;

  private constructor(folder: string, schema: Schema) {
    this.#folder = folder;
    this.#schema = schema;
  }

  static async open<Schema extends z.ZodType>(folder: string, schema: Schema): Promise<RecordFolder<Schema>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return new RecordFolder(folder, schema);
  }

  async get(name: string): Promise<z.output<Schema> | undefined> {
    const text = await readFile(this.#path(name), 'utf8').catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code === 'ENOENT') return undefined;
      throw thrown;
    });
    return text === undefined ? undefined : this.#schema.parse(JSON.parse(text));
  }

  async put(name: string, record: z.output<Schema>): Promise<void> {
    await writeFileAtomically(this.#path(name), JSON.stringify(record));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#path(name), { force: true });
  }

  async names(): Promise<readonly string[]> {
    const files = await readdir(this.#folder);
    return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.json`);
  }
}
