import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { choosePort } from '../../../src/stack/ports.js';
import { runOnce } from '../run-once.js';
import { ENTRY, startSurroundings } from '../plane.js';
import { makeCertificate } from './certificates.js';
import { startTlsFront } from './front.js';

const KEY = 'key-of-the-verification';
const CLI = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));
const ANSWERS_WITHIN_MS = 60_000;

/**
 * Worker, service and command line reach Temporal by TLS and an API key alone, from variables and from a profile file, and the service
 * is asked by HTTPS. Each wrong setting has a clear error. Gives what is wrong. Q5, S6.1
 */
export async function tryTls(home: string, report: (line: string) => void): Promise<readonly string[]> {
  const around = await startSurroundings(home, report);
  const right = await makeCertificate(home);
  const front = await startTlsFront(around.temporal, right, KEY);
  const [expired, another] = [await makeCertificate(home, 'expired'), await makeCertificate(home, 'of another name')];
  const fronts = [
    front,
    await startTlsFront(around.temporal, expired, KEY),
    await startTlsFront(around.temporal, another, KEY),
  ] as const;
  try {
    const problems: string[] = [];
    const secured: Record<string, string> = {
      ...around.env,
      TEMPORAL_ADDRESS: front.address,
      TEMPORAL_TLS: 'true',
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: right.certFile,
      TEMPORAL_API_KEY: KEY,
    };
    const profile = join(home, 'temporal.toml');
    await writeFile(
      profile,
      [
        '[profile.secured]',
        ...[`address = "${front.address}"`, `api_key = "${KEY}"`],
        ...['[profile.secured.tls]', `server_ca_cert_path = "${right.certFile}"`, ''],
      ].join('\n'),
      { mode: 0o600 },
    );
    const { TEMPORAL_ADDRESS: _, ...unnamed } = around.env;
    const byProfile = { ...unnamed, TEMPORAL_CONFIG_FILE: profile, TEMPORAL_PROFILE: 'secured' };
    await runOnce(ENTRY, ['prepare'], secured);
    await around.keep('worker', 'worker', byProfile);
    const port = await choosePort();
    const https = { REEVE_API_TLS_CERT_FILE: right.certFile, REEVE_API_TLS_KEY_FILE: right.keyFile };
    await around.keep('service', 'service', { ...secured, ...https, REEVE_API_PORT: String(port) });
    const created = await create(port, await readFile(right.certFile, 'utf8'));
    if (created.status !== 201)
      problems.push(`the creation over HTTPS was answered by ${created.status}: ${created.body}`);
    else report('an entity was created over HTTPS, by a service and a worker that reach Temporal by TLS and a key');
    for (const [how, env] of Object.entries({ variables: secured, 'a profile': byProfile })) {
      const printed = await runOnce(CLI, ['get', 'DnsRecord/secured', '--json'], env);
      if (!printed.includes('"Ready"')) problems.push(`the command line by ${how} gives: ${printed}`);
    }
    report('the command line reads it by variables and by a profile');
    if (front.counts.let === 0) problems.push('nothing has gone through the front');

    const wrong: Readonly<Record<string, readonly [Record<string, string>, RegExp]>> = {
      'a wrong key': [{ TEMPORAL_API_KEY: 'wrong' }, /refuses the API key/],
      'an unknown certificate': [{ TEMPORAL_TLS_SERVER_CA_CERT_PATH: another.certFile }, /nobody who is trusted here/],
      'an expired certificate': [
        { TEMPORAL_ADDRESS: fronts[1].address, TEMPORAL_TLS_SERVER_CA_CERT_PATH: expired.certFile },
        /its certificate has expired/,
      ],
      'a certificate of another name': [
        { TEMPORAL_ADDRESS: fronts[2].address, TEMPORAL_TLS_SERVER_CA_CERT_PATH: another.certFile },
        /certificate is that of another name/,
      ],
    };
    for (const [what, [settings, expected]] of Object.entries(wrong)) {
      for (const program of ['worker', 'service']) {
        const said = await failureOf([ENTRY, program], { ...secured, ...settings });
        if (!expected.test(said)) problems.push(`the ${program} says of ${what}: ${said}`);
      }
      const said = await failureOf([CLI, 'raise', 'DnsRecord/secured', 'delete'], { ...secured, ...settings });
      if (!expected.test(said)) problems.push(`the command line says of ${what}: ${said}`);
    }
    report(`each says what is wrong with: ${Object.keys(wrong).join(', ')}`);
    return problems;
  } finally {
    await around.stop();
    for (const each of fronts) await each.stop();
  }
}

/** Gives what a program says that has to fail; that it runs on, where it does so. */
function failureOf(command: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...command],
      { env: { ...process.env, ...env }, timeout: 60_000 },
      (failure, stdout, stderr) => resolve(failure ? stderr + stdout : 'it does not fail'),
    );
  });
}

async function create(port: number, ca: string): Promise<{ readonly status: number; readonly body: string }> {
  const body = { key: 'secured', event: 'create', parameters: { address: { host: '127.0.0.1', port: 5_432 } } };
  const headers = { 'content-type': 'application/json', prefer: 'wait=60', 'idempotency-key': randomUUID() };
  const until = Date.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    try {
      return await new Promise((resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, path: '/api/control-plane/v1/DnsRecord', method: 'POST', ca, headers },
          (response) => {
            text(response).then((read) => resolve({ status: response.statusCode!, body: read }), reject);
          },
        );
        sent.once('error', reject);
        sent.end(JSON.stringify(body));
      });
    } catch (thrown) {
      // The service does not listen yet.
      if ((thrown as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || Date.now() > until) throw thrown;
      await delay(200);
    }
  }
}
