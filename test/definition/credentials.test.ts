import { describe, expect, it } from 'vitest';
import { withoutCredentials } from '../../src/definition/credentials.js';
import { messageOf } from '../../src/definition/thrown.js';
import { toErrorRecord } from '../../src/protocol/errors.js';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.q8Y0Zk3VbA';

/** Errors of providers: the message, the credential in it, and a word that people still have to read. */
const SAMPLES: readonly (readonly [message: string, secret: string, kept: string])[] = [
  ['connect to postgres://admin:hunter2@db.internal:5432/orders failed', 'hunter2', 'db.internal:5432/orders'],
  ['postgresql://admin:p@ss/w0rd?x@db.internal/orders: timeout', 'ss/w0rd', 'db.internal/orders: timeout'],
  ['cannot reach amqps://svc:s3cr%40t@mq-1:5671/%2f', 's3cr', 'mq-1:5671'],
  [
    'clone of https://ghp_16C7e42F292c6912E7710c838347Ae178B4a@github.com/o/r.git failed',
    'ghp_16C7',
    'github.com/o/r.git',
  ],
  ['GET https://api.example/v1/x?api_key=AbC123&page=2 gave 500', 'AbC123', 'page=2 gave 500'],
  [
    'PUT https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIDEXAMPLE&X-Amz-Signature=fe5f80&X-Amz-Date=1 gave 403',
    'fe5f80',
    'X-Amz-Date=1 gave 403',
  ],
  ['https://a.blob.core.windows.net/c?sv=2022&sig=Zm9v%3D&se=2030 expired', 'Zm9v', 'se=2030 expired'],
  [`Authorization: Bearer ${JWT} was refused`, JWT, 'was refused'],
  ['request headers: {"authorization":"Basic dXNlcjpwYXNz","accept":"*/*"}', 'dXNlcjpwYXNz', '"accept":"*/*"'],
  ['401 for Bearer aB3dE5fG7hI9: expired', 'aB3dE5fG7hI9', '401 for Bearer'],
  [`token ${JWT} is not valid yet`, JWT, 'is not valid yet'],
  ['dsn "host=db user=admin password=hunter2 dbname=orders" refused', 'hunter2', 'dbname=orders'],
  ["host=db password='two words' port=5432: no route", 'two words', 'port=5432: no route'],
  ['Server=db;User Id=sa;Password=Pa55w0rd!;Encrypt=true: login failed', 'Pa55w0rd!', 'Encrypt=true: login failed'],
  [
    'DefaultEndpointsProtocol=https;AccountName=acc;AccountKey=Zm9vYmFy==;EndpointSuffix=x',
    'Zm9vYmFy',
    'EndpointSuffix=x',
  ],
  ['body: {"client_id":"web","client_secret":"s-1-2-3","scope":"all"}', 's-1-2-3', '"scope":"all"'],
  ['{"user":"a","password":"he said \\"hi\\"","port":1} refused', 'he said', '"port":1'],
  ['ran: mysql --host db --password hunter2 -e "select 1": exit 1', 'hunter2', '-e "select 1": exit 1'],
  ['curl -u admin:hunter2 https://db.internal/health: exit 22', 'hunter2', 'https://db.internal/health: exit 22'],
  ['The AWS access key AKIAIOSFODNN7EXAMPLE is not active', 'AKIAIOSFODNN7EXAMPLE', 'is not active'],
  ['slack: xoxb-123456789012-abcdefGHIJKL was revoked', 'xoxb-1234', 'was revoked'],
  ['Set-Cookie: session=abcdef; Path=/\nnext line', 'abcdef', 'next line'],
  [
    'bad key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----\nin line 3',
    'IBAAKC',
    'in line 3',
  ],
  ['X-Api-Key: 9f8e7d6c5b4a, Accept: */*', '9f8e7d6c5b4a', 'Accept: */*'],
  ['POST http://reeve:8080/api/callbacks/eyJpZCI6IjEi.c2ln_-x failed with 502', 'c2ln_-x', 'failed with 502'],
];

/** Texts that people have to read as they are. */
const HARMLESS = [
  'connect ECONNREFUSED 10.0.0.7:5432 (https://db.internal:8443/health)',
  'Unexpected token } in JSON at position 7',
  'The password is wrong for user admin',
  'password authentication failed for user "admin"',
  'Basic authentication is not supported',
  'no such key: orders/2026-01',
  'The key of Order/o-1 has 12 characters, and primary key constraint "orders_pkey" is violated',
  'mail to jane@example.com was refused by smtp://mail.example.com:25',
  'the lock token has expired, and the secret store answers 503',
  'Write postgresql://user:password@host:port/database.',
];

describe('credentials in messages of providers', () => {
  it.each(SAMPLES)('Q5 are taken out of: %s', (message, secret, kept) => {
    const said = withoutCredentials(message);
    expect(said).not.toContain(secret);
    expect(said).toContain(kept);
    expect(said).toContain('***');
  });

  it.each(HARMLESS)('Q5 leave as it is: %s', (message) => {
    expect(withoutCredentials(message)).toBe(message);
  });

  it('Q5 reach neither the record of an error nor its stack, also where a message is cut', () => {
    const error = Object.assign(new Error(`${'x'.repeat(1_990)} postgres://admin:hunter2@db/orders`), { code: 'down' });
    expect(toErrorRecord(error).message).not.toContain('hunter2');
    const defect = toErrorRecord(new TypeError('postgres://admin:hunter2@db/orders is away'));
    expect(JSON.stringify(defect)).not.toContain('hunter2');
    expect(defect.stack).toContain('credentials.test.ts');
    expect(messageOf('password=hunter2')).toBe('password=***');
  });

  it('take no time in texts that only begin to look like some', () => {
    for (const part of [
      'a',
      'a:',
      'token',
      'key=',
      '://',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      'eyJ',
      '"password":"\\',
    ]) {
      expect(withoutCredentials(part.repeat(100_000 / part.length)).length).toBeGreaterThan(0);
    }
  });
});
