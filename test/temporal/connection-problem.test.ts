import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/temporal/connection.js';
import { startTlsFront } from '../../tools/deployment/tls/front.js';
import { makeCertificate } from '../support/certificate.js';

/** A front behind which nobody is: what it refuses never gets there. */
async function frontWith(kind?: 'expired' | 'of another name') {
  const { certFile, keyFile } = await makeCertificate(kind);
  const [cert, key] = [await readFile(certFile, 'utf8'), await readFile(keyFile, 'utf8')];
  const front = await startTlsFront('127.0.0.1:1', { cert, key }, 'right');
  onTestFinished(() => front.stop());
  return { address: front.address, ca: Buffer.from(cert) };
}

const connecting = { connectTimeout: 1_000 };

describe('a Temporal service that does not take a connection (Q5)', () => {
  it('says that the API key is refused, or missing', async () => {
    const { address, ca } = await frontWith();
    // These connect, so nobody waits for that time.
    const secured = { connectTimeout: 60_000, address, tls: { serverRootCACertificate: ca } };
    await expect(connect({ ...secured, apiKey: 'wrong' })).rejects.toThrow(/refuses the API key.*TEMPORAL_API_KEY/);
    await expect(connect(secured)).rejects.toThrow(/asks for an API key.*TEMPORAL_API_KEY/);
  });

  it('says that a name is wanted where this Node takes no IP address with TLS', async () => {
    const { address, ca } = await frontWith();
    const byNumber = { address: address.replace('localhost', '127.0.0.1'), apiKey: 'wrong' };
    const tls = { serverRootCACertificate: ca };
    const refusesNumbers = Number.parseInt(process.versions.node, 10) >= 26;
    await expect(connect({ ...byNumber, connectTimeout: refusesNumbers ? 1_000 : 60_000, tls })).rejects.toThrow(
      refusesNumbers ? /Write a name in TEMPORAL_ADDRESS, or set TEMPORAL_TLS_SERVER_NAME/ : /refuses the API key/,
    );
    const named = { ...tls, serverNameOverride: 'localhost' };
    await expect(connect({ ...byNumber, connectTimeout: 60_000, tls: named })).rejects.toThrow(/refuses the API key/);
  });

  it('says what is wrong with its certificate', async () => {
    const { address } = await frontWith();
    const { ca } = await frontWith();
    const trusting = (of: { readonly address: string }, whom: Buffer) =>
      connect({ ...connecting, address: of.address, tls: { serverRootCACertificate: whom }, apiKey: 'right' });
    await expect(trusting({ address }, ca)).rejects.toThrow(
      /not signed by a trusted authority.*TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
    );
    const old = await frontWith('expired');
    await expect(trusting(old, old.ca)).rejects.toThrow(/its certificate has expired/);
    const other = await frontWith('of another name');
    await expect(trusting(other, other.ca)).rejects.toThrow(/that of another name.*TEMPORAL_TLS_SERVER_NAME/);
  });

  it('says that it speaks TLS where none is set', async () => {
    const { address } = await frontWith();
    await expect(connect({ ...connecting, address })).rejects.toThrow(/it speaks TLS\. Set TEMPORAL_TLS=true/);
  });
});
