import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** The id that the role insists on. */
export const EXTERNAL_ID = 'reeve-verification';

export interface LambdaApi {
  readonly url: string;
  /** How often a role was asked for without the external id, and was refused. */
  readonly refused: number;
  close(): Promise<void>;
}

const CREDENTIALS = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>x</AccessKeyId><SecretAccessKey>y</SecretAccessKey><SessionToken>z</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>
</Credentials><AssumedRoleUser><AssumedRoleId>r</AssumedRoleId><Arn>arn:aws:sts::123456789012:assumed-role/reeve/s</Arn></AssumedRoleUser>
</AssumeRoleResult><ResponseMetadata><RequestId>1</RequestId></ResponseMetadata></AssumeRoleResponse>`;
const DENIED = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>AccessDenied</Code>
<Message>The role insists on its external id.</Message></Error><RequestId>1</RequestId></ErrorResponse>`;

/**
 * Stands in for the calls of AWS that Temporal's Worker Controller makes: AssumeRole, GetFunction, Invoke.
 * @param invoke is told of each invocation, and does not make the caller wait
 */
export async function serveLambdaApi(invoke: (arn: string, requestId: string) => void): Promise<LambdaApi> {
  let refused = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent(request.url ?? '');
    const body = await text(request);
    const send = (status: number, type: string, content: string) =>
      response.writeHead(status, { 'content-type': type }).end(content);
    if (request.method === 'POST' && path === '/') {
      const given = new URLSearchParams(body).get('ExternalId');
      if (given === EXTERNAL_ID) return void send(200, 'text/xml', CREDENTIALS);
      refused++;
      return void send(403, 'text/xml', DENIED);
    }
    const [, arn, isInvocation] = /^\/2015-03-31\/functions\/(.+?)(\/invocations)?(?:\?.*)?$/.exec(path) ?? [];
    if (arn === undefined) return void send(404, 'application/json', '{"Message":"not found"}');
    if (!isInvocation) {
      const configuration = { FunctionArn: arn, State: 'Active', LastUpdateStatus: 'Successful', Timeout: 90 };
      return void send(200, 'application/json', JSON.stringify({ Configuration: configuration }));
    }
    const requestId = randomUUID();
    invoke(arn, requestId);
    response.writeHead(202, { 'x-amzn-requestid': requestId }).end();
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => response.writeHead(500).end(String(thrown)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refused() {
      return refused;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
