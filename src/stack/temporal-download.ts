import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { z } from 'zod';
import { withWorkFolder } from './work-folder.js';
import { TEMPORAL_VERSION } from './temporal-version.js';

const run = promisify(execFile);

/** The host from which the SDKs download it, too. */
export const DOWNLOAD_ORIGIN = 'https://temporal.download';
const ANSWERS_WITHIN_MS = 5_000;
const STALLED_AFTER_MS = 10_000;
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const PLATFORMS = ['linux', 'darwin'];

const directions = z.object({ archiveUrl: z.url(), fileToExtract: z.string().regex(/^[\w.-]+$/) });

/**
 * Downloads the official release. The SDK can do this too, but only in a package for tests, together with starting a service, and
 * without a time limit.
 * @throws when there is no release for this machine, or its host does not answer within 5 s, or sends nothing for 10 s
 */
export async function downloadTemporal(target: string, report: (line: string) => void, origin = DOWNLOAD_ORIGIN) {
  const { archiveUrl, fileToExtract } = await askForDirections(origin);
  report(`downloading Temporal ${TEMPORAL_VERSION}`);
  await withWorkFolder(target, async (folder) => {
    const archive = join(folder, 'archive.tar.gz');
    await save(archiveUrl, archive);
    await run('tar', ['-xzf', archive, '-C', folder, fileToExtract]);
    await chmod(join(folder, fileToExtract), 0o755);
    await rename(join(folder, fileToExtract), target);
  });
}

async function askForDirections(origin: string): Promise<z.output<typeof directions>> {
  const arch = ARCHITECTURES[process.arch];
  if (!arch || !PLATFORMS.includes(process.platform)) {
    throw new Error(`there is no release for ${process.platform}-${process.arch}`);
  }
  const url = `${origin}/cli/v${TEMPORAL_VERSION}?arch=${arch}&platform=${process.platform}&format=tar.gz`;
  const response = await get(url, AbortSignal.timeout(ANSWERS_WITHIN_MS));
  const parsed = directions.safeParse(await response.json());
  if (!parsed.success) throw new Error(`the response of ${url} does not contain the address of the archive`);
  return parsed.data;
}

/** Saves a download. Its whole time has no limit, since a slow line is not a reason to give up. */
async function save(url: string, path: string): Promise<void> {
  const stalled = new AbortController();
  const watch = setTimeout(
    () => stalled.abort(new Error(`nothing came for ${STALLED_AFTER_MS / 1000} s`)),
    STALLED_AFTER_MS,
  );
  try {
    const { body } = await get(url, stalled.signal);
    if (!body) throw new Error(`${url} is empty`);
    const bytes = Readable.fromWeb(body as ReadableStream).on('data', () => watch.refresh());
    await pipeline(bytes, createWriteStream(path), { signal: stalled.signal });
  } finally {
    clearTimeout(watch);
  }
}

async function get(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal }).catch((thrown: Error) => {
    const { cause } = thrown;
    throw new Error(`${url}: ${cause instanceof Error ? cause.message || String(cause) : thrown.message}`);
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
