import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { cacheFolder } from './cache.js';
import { writeFileAtomically } from './files.js';
import type { Release } from './lock.js';
import { reservePort } from './port-reservation.js';

const ports = z.object({ port: z.number().int(), uiPort: z.number().int() });
const PREFERRED = { port: 7_233, uiPort: 8_233 };

/** Ports on 127.0.0.1 that are ours until they are given back. */
export type TemporalPorts = z.output<typeof ports> & { readonly release: Release };

/** The ports on which Temporal will listen if they are free: those of the last time. */
export async function wantedTemporalPorts(home: string): Promise<z.output<typeof ports>> {
  const text = await readFile(rememberedIn(home), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? PREFERRED : ports.parse(JSON.parse(text));
}

function rememberedIn(home: string): string {
  return join(home, 'temporal', 'ports.json');
}

/** Reserves the ports of the last time if they are free, so that links stay valid. Reports when they are not. */
export async function reserveTemporalPorts(
  home: string,
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<TemporalPorts> {
  const wanted = await wantedTemporalPorts(home);
  const shared = join(cacheFolder(env), 'ports');
  const service = await reservePort(shared, wanted.port);
  const ui = await reservePort(shared, wanted.uiPort);
  if (service.port !== wanted.port) report(`port ${wanted.port} is taken: Temporal listens on ${service.port}`);
  if (ui.port !== wanted.uiPort) report(`port ${wanted.uiPort} is taken: Temporal's UI listens on ${ui.port}`);
  await writeFileAtomically(rememberedIn(home), JSON.stringify({ port: service.port, uiPort: ui.port }));
  return {
    port: service.port,
    uiPort: ui.port,
    async release() {
      await service.release();
      await ui.release();
    },
  };
}
