/*
 * Serves the events of an entity as a Nexus service (`@temporalio/nexus` 1.24, which is experimental).
 */
import { startWorkflow, WorkflowRunOperationHandler } from '@temporalio/nexus';
import { serviceHandler, type OperationHandler, type ServiceHandler } from 'nexus-rpc';
import type { AnyEntity, EventOf } from '../definition/entity.js';
import type { OperationResult } from '../operations/status.js';
import { NEXUS_EVENT_TYPE } from '../protocol/names.js';
import { titleOf } from '../temporal/entity-activities.js';
import type { EventToRaise } from '../temporal/entity-calls.js';
import { entityService, type NexusEvent } from './entity-service.js';

type Input = NexusEvent<AnyEntity, EventOf<AnyEntity>>;

/** Each operation is a workflow that raises the event and waits for its outcome. */
export function serveEntity(entity: AnyEntity): ServiceHandler {
  const { name: type } = entity;
  const raises = (event: string) =>
    new WorkflowRunOperationHandler<Input, OperationResult>((context, { key, params, construct, ...options }) => {
      const raised: EventToRaise = {
        type,
        key,
        event,
        params,
        ...(construct && { construct }),
        options,
        creates: true,
      };
      return startWorkflow<(event: EventToRaise) => Promise<OperationResult>>(context, NEXUS_EVENT_TYPE, {
        ...{ workflowId: `nexus/${context.requestId}`, args: [raised] },
        staticSummary: `${event} ${titleOf(raised)}`,
      });
    });
  const handlers = Object.keys(entity.events).map((event) => [event, raises(event)] as const);
  return serviceHandler(entityService(entity), Object.fromEntries<OperationHandler<Input, OperationResult>>(handlers));
}
