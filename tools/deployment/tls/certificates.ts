import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate that signs itself, and the file that has it for those who trust it. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Makes a certificate for localhost and 127.0.0.1, or for another name, or one that has expired. */
export async function makeCertificate(
  folder: string,
  kind: 'right' | 'expired' | 'of another name' = 'right',
): Promise<Certificate> {
  const altNames =
    kind === 'of another name'
      ? [{ type: 2 as const, value: 'elsewhere.example' }]
      : [
          { type: 2 as const, value: 'localhost' },
          { type: 7 as const, ip: '127.0.0.1' },
        ];
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'Reeve verification' }], {
    // By default it is SHA-1, which the SDK's core refuses.
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
    ...(kind === 'expired' && { notBeforeDate: new Date('2020-01-01'), notAfterDate: new Date('2021-01-01') }),
  });
  const name = kind.replaceAll(' ', '-');
  const [certFile, keyFile] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  return { cert, key, certFile, keyFile };
}
