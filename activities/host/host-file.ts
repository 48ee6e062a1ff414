import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileAtomically } from '../../src/stack/files.js';

const description = z.object({
  url: z.string(),
  /** The secret of the host: whoever has it may use the host. */
  token: z.string(),
  dns: z.object({ host: z.string(), port: z.number().int() }),
  zone: z.string(),
  pid: z.number().int(),
});

/** How a resource host is reached. The host writes this into its folder. */
export type HostDescription = z.output<typeof description>;

/** The folder of the resource host in the data directory. */
export function resourcesFolder(home: string): string {
  return join(home, 'resources');
}

export async function writeHostFile(home: string, content: HostDescription): Promise<void> {
  await writeFileAtomically(join(resourcesFolder(home), 'host.json'), JSON.stringify(content));
}

/** Reads what the host has written; `undefined` before it has written anything. */
export async function readHostFile(home: string): Promise<HostDescription | undefined> {
  const text = await readFile(join(resourcesFolder(home), 'host.json'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : description.parse(JSON.parse(text));
}
