import { OpenAPIHono } from '@hono/zod-openapi';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { requestId } from 'hono/request-id';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { ReeveClient } from '../client/client.js';
import { didYouMean } from '../definition/did-you-mean.js';
import { rolesGivenIn } from './access.js';
import type { CallbackSettings } from '../temporal/callback-address.js';
import type { Traces } from '../telemetry/tracing/traces.js';
import type { AuditTrail } from './audit-trail.js';
import type { Authenticator } from './authentication/authenticator.js';
import { developmentAuthenticator } from './authentication/development.js';
import { withoutToken } from './callback-path.js';
import { ChangeStreams } from './change-streams.js';
import type { ServiceContext, ServiceEnv } from './context.js';
import { declared } from './declared.js';
import { OperationPlaces } from './operation-places.js';
import type { ServiceParts } from './parts.js';
import { publicEvents } from './declared-schema.js';
import { catalogueOf } from './lists/catalogue.js';
import { routePath } from './odata-address.js';
import { pathOfType, type EntityModule } from './module.js';
import { guardRequests } from './requests-guard.js';
import { problemDocument, ProblemError, toProblem } from './problem.js';
import { refuseOtherText, refuseUnsound } from './request-shape.js';
import { RefusalsOfNobody } from './refusals-of-nobody.js';
import { serveCallbackOversight } from './routes/callback-oversight.js';
import { serveCallbacks } from './routes/callbacks.js';
import { allowOrigins, MOST_ENCODED, serveCodec, type CodecServer } from './routes/codec.js';
import { serveChanges } from './routes/changes.js';
import { serveCollections } from './routes/collections.js';
import { serveCreation } from './routes/creation.js';
import { serveDeploymentCalls } from './routes/deployment-calls.js';
import { serveDeployments } from './routes/deployments.js';
import { serveDistributedCalls } from './routes/distributed-calls.js';
import { serveDistributedJobs } from './routes/distributed-jobs.js';
import { serveDistributed } from './routes/distributed.js';
import { serveDiagrams } from './routes/diagrams.js';
import { serveDocumentation } from './routes/documentation.js';
import { serveDocumentationPage } from './routes/documentation-page.js';
import { serveEntitySummary } from './routes/entity-summary.js';
import { serveEntityVersion } from './routes/entity-version.js';
import { serveEntityReading } from './routes/entity-reading.js';
import { serveEventValues } from './routes/event-values.js';
import { serveEvent } from './routes/event.js';
import { serveEntityExplanation, serveOperationExplanation } from './routes/explanations.js';
import { serveGuide } from './routes/guide.js';
import { serveHealth, type Dependency } from './routes/health.js';
import { serveLists } from './routes/lists.js';
import { serveMetadata } from './routes/metadata.js';
import { serveMe } from './routes/me.js';
import { measureRequests } from './measure-requests.js';
import { serveOperations } from './routes/operations.js';
import { serveOperationSummary } from './routes/operation-summary.js';
import { serveOperatorCalls } from './routes/operator-calls.js';
import { servePage } from './routes/page.js';
import type { ServiceApp } from './routes/route.js';
import { serveRaiseMany } from './routes/raise-many.js';
import { serveRows } from './routes/rows.js';
import { serveRollout, type ReadRollout } from './routes/rollout.js';
import { measureAttention } from './attention/measure-attention.js';
import { serveAttention } from './routes/attention.js';
import { serveTransitionSummary } from './routes/transition-summary.js';
import { serveTypes } from './routes/types.js';
import { serveWatch } from './routes/watch.js';
import { NO_STORE, type ServiceStore } from './service-store.js';
import { StreamSeats } from './stream-seats.js';
import { DEFAULT_SETTINGS, type ServiceSettings } from './settings.js';
import { SharedCounts } from './summary/shared-counts.js';
import { Watching } from './watching.js';

/** Holds the parts of a management service. Without an optional one, the service does without what it gives. */
export interface ApplicationOptions {
  readonly reeve: ReeveClient;
  readonly modules: readonly EntityModule[];
  readonly log: Logger;
  readonly settings?: Partial<ServiceSettings>;
  /** Without one, every caller on this machine may do everything, and no other caller is served. */
  readonly authenticator?: Authenticator;
  /** Without one, decisions are in the log only. */
  readonly audit?: AuditTrail;
  /** Without one, nothing can be listed, and nothing read while no worker is up. */
  readonly store?: ServiceStore;
  /** The address of a workflow in Temporal's UI. Without it, answers have no links to that UI. S5.6 */
  readonly execution?: (workflowId: string) => string;
  /** Sets how the builds of the workflow code stand. Without it, no builds are told of. Q2 */
  readonly rollout?: ReadRollout;
  readonly dependencies?: readonly Dependency[];
  /** The folder with the built files of the web page. Without it, there is no page. S6.3 */
  readonly page?: string;
  /** The folder with the built documentation. Without it, `/guide` says how it is built. S6.3 */
  readonly guide?: string;
  /** The folder with the diagrams that the build has laid out. Without it, none are served. */
  readonly diagrams?: string;
  /** Sets where calls are answered from outside, and the keys that sign the addresses. Without them, no call can be answered so. A1 */
  readonly callbacks?: CallbackSettings;
  /** Decrypts payloads for Temporal's UI. Without it, there is no codec server. Q5 */
  readonly codec?: CodecServer;
  /** Takes the metrics of the requests. S5.5 */
  readonly metrics?: Registry;
  /** Without them, requests are not traced. S5.5 */
  readonly traces?: Traces;
}

/** The management service, apart from how it is reached. It keeps no state, so any number of instances behave as one. S6.1 */
export interface Application {
  /** Is true if every caller may do everything. Then it must be reached from this machine only. */
  readonly open: boolean;
  /** `env` is what the server knows about the connection. */
  fetch(request: Request, env?: ServiceEnv['Bindings']): Response | Promise<Response>;
  /** After this it takes no more streams, ends those that are open, and says that it is not ready. */
  stop(): void;
}

/** Makes the management service: answers requests by the Fetch API, so that any server can serve it. S6.1 */
export function createApplication(options: ApplicationOptions): Application {
  const { reeve, modules, log, store, execution, dependencies = [] } = options;
  const entities = modules.flatMap((module) => module.entities);
  const { components } = reeve.deployments;
  const { types } = reeve.distributed;
  const roles = rolesGivenIn([...components.values(), ...types.values()]);
  const authenticator = options.authenticator ?? developmentAuthenticator(entities, roles);
  const { metrics = new Registry() } = options;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const audit: AuditTrail = options.audit ?? {
    record: ({ requestId: id, ...audit }) => log.info({ requestId: id, audit }, 'decided'),
  };
  const refusals = new RefusalsOfNobody(audit);
  const seats = new StreamSeats(settings);
  const streams = new ChangeStreams(settings, seats);
  const places = new OperationPlaces(store);
  const parts: ServiceParts = { reeve, modules, settings, audit, store, places, streams, execution, log };
  let stopping = false;

  const catalogue = catalogueOf(modules);
  const app: ServiceApp = new OpenAPIHono<ServiceEnv>({
    defaultHook: refuseInvalid,
    getPath: (request) => routePath(request, catalogue),
  });
  app.use(requestId(), logRequests(log), keepFromCaches);
  measureRequests(app, metrics, options.traces);
  if (app.routes.some(({ method }) => method !== 'ALL'))
    throw new Error('A route comes before the guard of all routes.');
  const { callbacks, codec } = options;
  if (codec) app.use('/codec/*', allowOrigins(codec.origins));
  app.use(
    guardRequests({
      authenticator,
      declared: declared(entities, components, types),
      audit,
      refusals,
      rates: settings.rates,
      log,
      callbacks: callbacks?.keys,
      codecOrigins: codec?.origins ?? [],
    }),
  );
  app.use('/codec/*', bodyLimit({ maxSize: MOST_ENCODED, onError: () => refuseLarge(MOST_ENCODED) }), refuseOtherText);
  app.use(
    '/api/*',
    bodyLimit({ maxSize: settings.bodyBytes, onError: () => refuseLarge(settings.bodyBytes) }),
    refuseOtherText,
    refuseUnsound(catalogue),
  );
  // Where a row is named by one text, `$count` is not taken for it.
  serveLists(app, parts, store ?? NO_STORE, catalogue);
  for (const module of modules) {
    for (const entity of module.entities) {
      serveCreation(app, parts, module, entity);
      serveEntityReading(app, parts, catalogue, module, entity);
      serveEntityVersion(app, parts, module, entity);
      for (const event of publicEvents(entity)) serveEvent(app, parts, module, entity, event);
      serveEntityExplanation(app, parts, module, entity);
      serveOperatorCalls(app, parts, module, entity);
      serveCallbackOversight(app, parts, module, entity, callbacks);
    }
  }
  serveRaiseMany(app, parts, (request, env) => app.fetch(request, env));
  serveDeployments(app, parts);
  serveDeploymentCalls(app, parts);
  // A project without such operations has no such paths.
  if (types.size > 0) {
    serveDistributed(app, parts);
    serveDistributedCalls(app, parts);
    serveDistributedJobs(app, parts);
  }
  serveCallbacks(app, parts, callbacks?.keys);
  // Where nothing is encrypted, there are no such paths.
  if (codec) serveCodec(app, codec);
  serveChanges(app, parts, seats);
  const counts = new SharedCounts();
  serveMe(app, parts);
  serveTypes(app, modules);
  serveEntitySummary(app, store ?? NO_STORE, catalogue, counts);
  serveTransitionSummary(app, store ?? NO_STORE, catalogue);
  const sources = {
    ...{ reeve, store: store ?? NO_STORE, levels: catalogue.levels, rollout: options.rollout },
    entities: new Map(modules.flatMap((module) => module.entities.map((entity) => [entity.name, entity] as const))),
  };
  serveAttention(app, sources, catalogue);
  measureAttention(metrics, sources);
  serveRollout(app, parts, options.rollout);
  serveWatch(app, parts, catalogue, { watching: new Watching(settings, seats), counts, store: store ?? NO_STORE });
  serveOperationSummary(app, parts, store ?? NO_STORE, catalogue);
  serveOperations(app, parts, catalogue);
  serveOperationExplanation(app, parts);
  serveCollections(app, parts, store ?? NO_STORE, catalogue);
  serveEventValues(app, parts);
  serveRows(app, parts, store ?? NO_STORE, catalogue);
  serveMetadata(app, catalogue);
  const asked = store && { name: 'the store', check: async () => void (await store.operationPlace('')) };
  serveHealth(app, { dependencies, store: asked, stopping: () => stopping });
  serveDocumentation(app, modules);
  serveDocumentationPage(app);
  serveDiagrams(app, modules, options.diagrams);
  servePage(app, options.page);
  serveGuide(app, options.guide);
  refuseOtherMethods(app);
  refuseUnknownEvents(app, modules);
  app.notFound((context) => {
    const detail = `There is nothing at ${withoutToken(context.req.path)}. See /openapi.json for the paths that exist.`;
    return answerProblem(context, new ProblemError('not_found', detail));
  });
  app.onError((thrown, context) => answerProblem(context, foreseen(context.var.guard?.conceal(thrown) ?? thrown)));

  return {
    open: authenticator.open === true,
    fetch: (request, env) => app.fetch(request, env ?? {}),
    stop: () => {
      stopping = true;
      seats.close();
      refusals.close();
    },
  };
}

function logRequests(log: Logger) {
  return async (context: ServiceContext, next: () => Promise<void>): Promise<void> => {
    const startedAt = performance.now();
    const { method } = context.req;
    const path = withoutToken(context.req.path);
    context.set('log', log.child({ requestId: context.var.requestId }));
    await next();
    const { status } = context.res;
    const ms = Math.round(performance.now() - startedAt);
    context.var.log.info({ method, path, status, ms }, 'request');
  };
}

/** Answers differ by who asks, and are true when they are given: no cache keeps one, unless a route says otherwise. */
async function keepFromCaches(context: ServiceContext, next: () => Promise<void>): Promise<void> {
  await next();
  if (!context.res.headers.has('Cache-Control')) context.res.headers.set('Cache-Control', 'no-store');
}

/** Answers 405 to a method that a path does not have. */
function refuseOtherMethods(app: ServiceApp): void {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === 'ALL') continue;
    methods.set(path, (methods.get(path) ?? new Set()).add(method));
  }
  for (const [path, known] of methods) {
    const allow = [...known, ...(known.has('GET') ? ['HEAD'] : [])].join(', ');
    app.all(path, ({ req }) => {
      throw new ProblemError(
        'method_not_allowed',
        `${withoutToken(req.path)} does not support this method. Supported: ${allow}.`,
        {},
        { Allow: allow },
      );
    });
  }
}

/** Answers 404 to what stands in the place of an event and is not one. The answer says which events there are. */
function refuseUnknownEvents(app: ServiceApp, modules: readonly EntityModule[]): void {
  for (const module of modules) {
    for (const entity of module.entities) {
      app.post(`${pathOfType(module, entity.name)}/:key/:event`, ({ req }) => {
        const known = publicEvents(entity);
        const event = req.param('event');
        if (Object.hasOwn(entity.events, event)) {
          const why = `'${event}' of ${entity.name} is internal: only entities raise it.`;
          throw new ProblemError('not_public', `${why} Those outside raise: ${known.join(', ') || 'none'}.`);
        }
        const message =
          `${entity.name} has no event '${event}' that you can raise.${didYouMean(event, known)} ` +
          `It has: ${known.join(', ') || 'none'}.`;
        throw new ProblemError('unknown_event', message);
      });
    }
  }
}

function refuseInvalid(result: {
  readonly success: boolean;
  readonly error?: { readonly issues: readonly Issue[] };
}): void {
  if (result.success) return;
  const issues = result.error!.issues.map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
  throw ProblemError.invalid('invalid_parameters', issues);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function refuseLarge(bodyBytes: number): never {
  // The rest of the body is not read, so the connection can carry no other request.
  throw new ProblemError(
    'too_large',
    `The body has more than ${bodyBytes} bytes. Send a smaller one.`,
    {},
    { Connection: 'close' },
  );
}

/** Puts the errors that the framework throws into our words. */
function foreseen(thrown: unknown): unknown {
  if (!(thrown instanceof HTTPException)) return thrown;
  if (thrown.status === 415) return new ProblemError('unsupported_media_type', 'Send JSON, as application/json.');
  if (thrown.status === 400) return new ProblemError('malformed', `The body is not JSON: ${thrown.message}.`);
  return thrown;
}

function answerProblem(context: ServiceContext, thrown: unknown): Response {
  const found = toProblem(thrown);
  const { status, code, headers } = found;
  if (status === 500) context.var.log.error({ err: thrown }, 'defect');
  else if (found.cause !== undefined) context.var.log.warn({ err: found.cause }, code);
  const problem = problemDocument(found, withoutToken(context.req.path), context.var.requestId);
  return context.body(JSON.stringify(problem), status, { 'Content-Type': 'application/problem+json', ...headers });
}
