import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import * as certificates from '../../tools/deployment/tls/certificates.js';

/** A certificate for 127.0.0.1 that signs itself, as files that last as long as the test. */
export async function makeCertificate(kind?: 'expired' | 'of another name'): Promise<certificates.Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return certificates.makeCertificate(folder, kind);
}
