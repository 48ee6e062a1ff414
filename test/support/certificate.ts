import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { onTestFinished } from 'vitest';

/** A certificate for 127.0.0.1 that signs itself, as files that last as long as the test. */
export async function makeCertificate(): Promise<{ readonly certFile: string; readonly keyFile: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-tls-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const pems = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const certFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  await writeFile(certFile, pems.cert);
  await writeFile(keyFile, pems.private, { mode: 0o600 });
  return { certFile, keyFile };
}
