import pino from 'pino';
import type { AnyEntity } from '../../src/definition/entity.js';
import { createApplication, type ApplicationOptions } from '../../src/service/application.js';
import { startService, type RunningService, type ServerOptions } from '../../src/service/server.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from './service.js';
import { Shelf } from './shelf.js';

/** The management service on a real Temporal service, with boxes and rooms. */
export interface TestManagement extends TestService {
  readonly shelf: Shelf;
  readonly api: RunningService;
  /** Lines of the log. */
  readonly log: readonly Readonly<Record<string, unknown>>[];
  /** Another instance, as a balancer would have it. */
  another(options?: Partial<ApplicationOptions>, server?: ServerOptions): Promise<RunningService>;
}

export const ENTITIES: readonly AnyEntity[] = [Box, Room];
export const MODULE = { name: 'test', version: 1, entities: ENTITIES };
/** Where boxes are. */
export const BOXES = '/api/test/v1/Box';
/** Where rooms are. */
export const ROOMS = '/api/test/v1/Room';

export async function startTestManagement(): Promise<TestManagement> {
  const shelf = new Shelf();
  const service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: ENTITIES,
    resources: [shelf.resource],
  });
  const log: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>) });
  const instances: RunningService[] = [];
  const another = async (options: Partial<ApplicationOptions> = {}, server: ServerOptions = {}) => {
    const application = createApplication({ reeve: service.reeve, modules: [MODULE], log: logger, ...options });
    const instance = await startService(application, server);
    instances.push(instance);
    return instance;
  };
  return {
    ...service,
    ...{ shelf, log, another },
    api: await another(),
    async close() {
      for (const instance of instances) await instance.stop();
      await service.close();
    },
  };
}

/** The answer to a request. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly text?: string;
}

/** Sends a request, and reads the answer as JSON. */
export async function ask(
  { url }: RunningService,
  method: string,
  path: string,
  { headers = {}, json, text }: Asked = {},
): Promise<Answered> {
  const content = json === undefined ? text : JSON.stringify(json);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(content !== undefined && { body: content }),
  });
  const answered = await response.text();
  const body = (answered === '' ? {} : JSON.parse(answered)) as Answered['body'];
  return { status: response.status, headers: response.headers, body };
}
