import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { ZodError } from 'zod';
import { choosePort } from '../../src/stack/ports.js';
import { Aliases } from './aliases.js';
import { DataClusters, roomsFrom, type Rooms } from './data-clusters.js';
import { Databases } from './databases.js';
import { HostError } from './host-error.js';
import { readHostFile, resourcesFolder, writeHostFile } from './host-file.js';
import { Instances } from './instances.js';
import { NameServer } from './name-server.js';
import { Names, ZONE } from './names.js';
import { route, type HostResources } from './routes.js';
import { Standbys } from './standbys.js';
import { TableParts } from './table-parts.js';
import { OPERATION_HEADER, workingFor } from './working-for.js';

const HOST = '127.0.0.1';
const BODY_LIMIT = 64 * 1024;
const DEFAULT_DNS_PORT = 5_353;

export interface RunningHost {
  readonly url: string;
  readonly dnsPort: number;
  stop(): Promise<void>;
}

/**
 * Runs the resource host. It owns the instances, aliases and names below a data directory, as the resource providers of a cloud own
 * theirs, and carries out what workers ask for over HTTP.
 */
export async function startHost(
  home: string,
  log: (line: string) => void,
  rooms: Rooms = roomsFrom(process.env),
): Promise<RunningHost> {
  const folder = resourcesFolder(home);
  const instances = await Instances.open(join(folder, 'instances'), log);
  const standbys = new Standbys(instances);
  const tableParts = new TableParts(instances);
  const databases = await Databases.open(join(folder, 'credentials'), instances);
  const aliases = await Aliases.open(join(folder, 'aliases'), (name) => instances.locate(name), log);
  const names = await Names.open(join(folder, 'names'));
  const dataClusters = await DataClusters.open(join(folder, 'rooms'), rooms, () => instances.all());
  const known = await readHostFile(home);
  const token = known?.token ?? randomBytes(24).toString('base64url');

  await aliases.start();
  const nameServer = await NameServer.start(known?.dns.port ?? DEFAULT_DNS_PORT, (name) => names.get(name));
  await instances.start();
  const server = createServer((request, response) => {
    const resources = { instances, standbys, tableParts, databases, aliases, names, dataClusters };
    void workingFor(request.headers[OPERATION_HEADER], () => serve(resources, token, request, response));
  });
  const port = await choosePort(known ? Number(new URL(known.url).port) : undefined);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  const url = `http://${HOST}:${port}`;
  await writeHostFile(home, { url, token, dns: { host: HOST, port: nameServer.port }, zone: ZONE, pid: process.pid });
  log(`resource host on ${url}, name server for ${ZONE} on ${HOST}:${nameServer.port}`);

  return {
    url,
    dnsPort: nameServer.port,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all([nameServer.stop(), aliases.stop(), instances.stop()]);
    },
  };
}

async function serve(
  resources: HostResources,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  try {
    if (!isAllowed(request.headers.authorization, token)) {
      throw new HostError(
        401,
        'unauthorized',
        'The token is missing or wrong. Send the token of host.json as a bearer token.',
      );
    }
    send(
      response,
      200,
      await route(resources, method, new URL(url, `http://${HOST}`).pathname, await readBody(request)),
    );
  } catch (thrown) {
    const { status, code, message } = explain(thrown);
    send(response, status, { code, message });
  }
}

function isAllowed(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > BODY_LIMIT)
      throw new HostError(413, 'too_large', `The body is too large. It can have at most ${BODY_LIMIT} bytes.`);
  }
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HostError(400, 'not_json', 'The body is not JSON.');
  }
}

function explain(thrown: unknown): { readonly status: number; readonly code: string; readonly message: string } {
  if (thrown instanceof HostError) return thrown;
  if (thrown instanceof ZodError) {
    const message = thrown.issues.map((issue) => `${issue.path.join('.') || 'value'}: ${issue.message}`).join('; ');
    return { status: 400, code: 'invalid_input', message };
  }
  return { status: 500, code: 'provider_failed', message: thrown instanceof Error ? thrown.message : String(thrown) };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
