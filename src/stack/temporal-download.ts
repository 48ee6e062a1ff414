import { chmod, copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TEMPORAL_VERSION } from './temporal-version.js';

const GIVE_UP_AFTER_MS = 120_000;

/**
 * Gets the release with the download that the SDK has of its own, which also knows the platforms.
 * @throws when its host is not reached in time
 */
export async function downloadTemporal(target: string, report: (line: string) => void): Promise<void> {
  report(`downloading Temporal ${TEMPORAL_VERSION}`);
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const downloadDir = await mkdtemp(join(tmpdir(), 'reeve-temporal-'));
  try {
    const executable = { type: 'cached-download' as const, downloadDir, version: `v${TEMPORAL_VERSION}` };
    // The SDK downloads when it starts a service, so one is started and stopped.
    const started = TestWorkflowEnvironment.createLocal({ server: { executable } }).then((service) =>
      service.teardown(),
    );
    const late = delay(GIVE_UP_AFTER_MS, undefined, { ref: false }).then(() => {
      throw new Error(`nothing arrived in ${GIVE_UP_AFTER_MS / 1000} s`);
    });
    await Promise.race([started, late]);
    const [file] = (await readdir(downloadDir)).filter((name) => name.startsWith('temporal'));
    if (file === undefined) throw new Error('the SDK has downloaded no executable');
    await copyFile(join(downloadDir, file), target);
    await chmod(target, 0o755);
  } finally {
    await rm(downloadDir, { recursive: true, force: true });
  }
}
