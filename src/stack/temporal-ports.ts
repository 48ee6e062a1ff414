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

/** Those of the last time if they are free, so that links stay valid. Says so when they are not. */
export async function reserveTemporalPorts(
  home: string,
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
): Promise<TemporalPorts> {
  const remembered = join(home, 'temporal', 'ports.json');
  const text = await readFile(remembered, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  const wanted = text === undefined ? PREFERRED : ports.parse(JSON.parse(text));
  const shared = join(cacheFolder(env), 'ports');
  const service = await reservePort(shared, wanted.port);
  const ui = await reservePort(shared, wanted.uiPort);
  if (service.port !== wanted.port) report(`port ${wanted.port} is taken: Temporal listens on ${service.port}`);
  if (ui.port !== wanted.uiPort) report(`port ${wanted.uiPort} is taken: Temporal's UI listens on ${ui.port}`);
  await writeFileAtomically(remembered, JSON.stringify({ port: service.port, uiPort: ui.port }));
  return {
    port: service.port,
    uiPort: ui.port,
    async release() {
      await service.release();
      await ui.release();
    },
  };
}
