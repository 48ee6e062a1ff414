import { z } from '@hono/zod-openapi';
import type { AnyComponent, Json } from '../../components/index.js';
import { describeComponent } from '../../components/index.js';
import { DeclarationError } from '../../definition/declaration-error.js';
import { ALL_TENANTS, TENANT_NAME } from '../../protocol/actor.js';
import { DEPLOYMENT, deploymentWorkflowId } from '../../protocol/names.js';
import { rolesForDeployment } from '../access.js';
import { answeredWithin } from '../answer-limit.js';
import { askingOf } from '../asking.js';
import { permit, type ServiceContext } from '../context.js';
import { endSchema } from '../deployment-representation.js';
import { executionOf } from '../execution.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import { executionSchema } from '../operation-representation.js';
import { idempotencyHeaders, plainText } from './parameters.js';
import { DEPLOYMENTS, deploymentIn, deploymentParameter, foundFor } from './deployments.js';
import { jsonResponse, serve, type Route, type ServiceApp } from './route.js';

const deployed = z
  .object({ name: z.string(), component: z.string(), '@reeve.execution': executionSchema })
  .openapi('Deployed');
/** The path of a component in its tree. */
const path = z
  .string()
  .max(10_000)
  .default('')
  .openapi({ description: 'The path of a component from the root on; the root without it.', example: 'running/copy' });
const told = z.object({ name: z.string(), path: z.string() }).openapi('ToldComponent');
const ended = told.extend({ end: endSchema }).openapi('EndedComponent');
const termination = z
  .strictObject({
    path,
    type: plainText(100).default('normal').openapi({ description: '`normal`, `abnormal`, or any other word.' }),
    description: z.string().max(10_000).default('ended by an operator'),
  })
  .openapi('Termination');
const sentEvent = z
  .strictObject({
    path,
    event: z
      .unknown()
      .refine((event) => event !== undefined, { error: 'is missing' })
      .openapi({ description: 'Any JSON.' }),
  })
  .openapi('ComponentEvent');
const setAttribute = z
  .strictObject({
    path,
    name: plainText(200),
    value: z.unknown().optional().openapi({ description: 'Any JSON. Without it, the attribute is removed.' }),
  })
  .openapi('SetAttribute');

/** Serves what makes deployments, and what operators can do with them. W1, W4 */
export function serveDeploymentCalls(app: ServiceApp, parts: ServiceParts): void {
  const { deployments } = parts.reeve;
  const components = [...deployments.components.values()];
  if (components.length > 0) serveDeploy(app, parts, components);

  const call = (
    name: string,
    described: Pick<Route, 'operationId'> & { readonly summary: string; readonly description: string },
    body?: z.ZodType,
  ) =>
    ({
      method: 'post',
      ...{ tag: 'deployments', path: `${DEPLOYMENTS}/{name}/${name}`, ...described },
      request: {
        ...{ params: deploymentParameter, headers: idempotencyHeaders },
        ...(body && { body: { content: { 'application/json': { schema: body } }, required: true } }),
      },
      responses: { 202: jsonResponse('The deployment has received it.', told) },
      problems: [410],
    }) as const;

  const terminate = call(
    'terminate',
    {
      operationId: 'terminateDeployment',
      summary: 'End a component, or all of a deployment',
      description:
        'It cleans up first. For an ended one, the answer is its end record until that is removed, and then `gone`.',
    },
    termination,
  );
  const alreadyEnded = { 200: jsonResponse('It has ended already, with this end record.', ended) };
  serve(
    app,
    { ...terminate, responses: { ...terminate.responses, ...alreadyEnded }, problems: [409, 410] },
    async (context) => {
      const { path: at, ...given } = await bodyFor(context, parts, 'terminate', termination);
      const { name, request } = requestIn(context);
      const end = await answeredWithin(
        parts.settings.answerMs,
        deployments.terminate(name, { path: at, ...given, ...request }),
      );
      return end ? context.json({ name, path: at, end }, 200) : context.json({ name, path: at }, 202);
    },
  );

  const send = call(
    'events',
    {
      operationId: 'sendEventToDeployment',
      summary: 'Send an event to a component',
      description: 'A container forwards it to its registered components.',
    },
    sentEvent,
  );
  serve(app, send, async (context) => {
    const { path: at, event } = await bodyFor(context, parts, 'send', sentEvent);
    const { name, request } = requestIn(context);
    await answeredWithin(parts.settings.answerMs, deployments.send(name, at, event as Json, request));
    return context.json({ name, path: at }, 202);
  });

  const set = call(
    'attributes',
    {
      operationId: 'setAttributeOfDeployment',
      summary: 'Set or remove an attribute of a component',
      description: 'References to it have the new value from then on.',
    },
    setAttribute,
  );
  serve(app, set, async (context) => {
    const { path: at, name: attribute, value } = await bodyFor(context, parts, 'set', setAttribute);
    const { name, request } = requestIn(context);
    const setting = deployments.set(name, at, attribute, value as Json | undefined, request);
    await answeredWithin(parts.settings.answerMs, setting);
    return context.json({ name, path: at }, 202);
  });

  const ping = call('ping', {
    operationId: 'pingDeployment',
    summary: 'Ask all components whether they are well',
    description: 'An unhealthy component ends abnormally. They are also asked at intervals without this.',
  });
  serve(app, ping, async (context) => {
    permit(context, { action: 'ping', entity: deploymentIn(context) });
    await foundFor(context.var.guard, parts, deploymentIn(context).key);
    const { name, request } = requestIn(context);
    await answeredWithin(parts.settings.answerMs, deployments.ping(name, request));
    return context.json({ name, path: '' }, 202);
  });
}

/** Reads what was asked for of a deployment, once it was decided that the caller may. @throws ProblemError 403; Rejected */
async function bodyFor<Schema extends z.ZodType>(
  context: ServiceContext,
  parts: ServiceParts,
  action: 'terminate' | 'send' | 'set',
  schema: Schema,
): Promise<z.output<Schema>> {
  permit(context, { action, entity: deploymentIn(context) });
  await foundFor(context.var.guard, parts, deploymentIn(context).key);
  return schema.parse(await context.req.json());
}

/** The name of the deployment, and the id of the request where the caller has given a key for it. */
function requestIn(context: ServiceContext) {
  const ref = deploymentIn(context);
  const { requestId } = askingOf(context, ref);
  return { name: ref.key, request: context.req.header('idempotency-key') === undefined ? {} : { requestId } };
}

function serveDeploy(app: ServiceApp, parts: ServiceParts, components: readonly AnyComponent[]): void {
  const { reeve, settings } = parts;
  const names = components.map(({ kind }) => kind.name);
  const body = z
    .strictObject({
      name: plainText(200).openapi({ example: 'shop' }),
      component: z.enum(names),
      attributes: z
        .record(z.string(), z.unknown())
        .default({})
        .openapi({ description: 'Values, or references to others\': { "$ref": "../url" }.' }),
      tenant: z
        .string()
        .regex(TENANT_NAME, 'is not the name of a tenant')
        .optional()
        .openapi({ description: 'The tenant to which it belongs, if the caller acts for all tenants.' }),
    })
    .openapi('Deploy');
  const route = {
    method: 'post',
    path: DEPLOYMENTS,
    operationId: 'deploy',
    tag: 'deployments',
    summary: 'Start a tree of components as a workflow of its own',
    description: `All mistakes in its attributes are reported at once, before anything starts.${describeComponents(components)}`,
    request: {
      headers: idempotencyHeaders,
      body: { content: { 'application/json': { schema: body } }, required: true },
    },
    responses: {
      200: jsonResponse('A repeated request: it was deployed before.', deployed),
      201: jsonResponse('It is deployed, and starts.', deployed, { Location: 'Its address.' }),
    },
    problems: [409, 422],
  } as const;
  serve(app, route, async (context) => {
    const { name, component, attributes, tenant } = body.parse(await context.req.json());
    const ref = { type: DEPLOYMENT, key: name };
    const { requestId, actor } = askingOf(context, ref);
    permit(context, { action: 'deploy', component, entity: ref });
    if (tenant !== undefined && actor.tenant !== ALL_TENANTS && tenant !== actor.tenant) {
      throw new ProblemError('not_allowed', `${actor.subject} acts for the tenant ${actor.tenant}, not ${tenant}.`);
    }
    const description = describeComponent(component, attributes as Readonly<Record<string, Json>>);
    const again = context.req.header('idempotency-key') === undefined ? {} : { requestId };
    const deploying = reeve.deployments
      .deploy(description, name, { actor, ...again, ...(tenant !== undefined && { tenant }) })
      .catch((thrown: unknown) => {
        throw thrown instanceof DeclarationError ? wrongDescription(thrown) : thrown;
      });
    const { repeated } = await context.var.guard.entity(answeredWithin(settings.answerMs, deploying));
    if (!repeated) context.header('Location', `${DEPLOYMENTS}/${encodeURIComponent(name)}`);
    return context.json({ name, component, ...executionOf(parts, deploymentWorkflowId(name)) }, repeated ? 200 : 201);
  });
}

/** Says of each component which attributes it has, and who may deploy it. S6.5 */
function describeComponents(components: readonly AnyComponent[]): string {
  const lines = components.map((component) => {
    const { kind, roles } = component;
    const attributes = Object.keys(kind.attributes.shape).join(', ');
    const may = rolesForDeployment({ kind, roles }, 'deploy').join(', ');
    return `\n- \`${kind.name}\` (${attributes}) requires one of the roles: ${may}`;
  });
  return `\n${lines.join('')}`;
}

/** All that is wrong with a description, each with its place and a remedy. The places in the component itself are those of the body. */
function wrongDescription({ entity, problems }: DeclarationError): ProblemError {
  const own = `${entity}.`;
  const issues = problems.map(({ place, problem, remedy }) => ({
    path: place.startsWith(own) ? `attributes.${place.slice(own.length)}` : place,
    message: `${problem}. ${remedy}`,
  }));
  return new ProblemError('invalid_description', `'${entity}' cannot be deployed like this.`, { issues });
}
