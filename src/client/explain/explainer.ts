import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import type { AnyEntity } from '../../definition/entity.js';
import { explainOperation } from '../../operations/explain.js';
import type { OperationStatus } from '../../operations/status.js';
import { entityId, OPERATION_QUERY, OPERATION_TYPE, operationWorkflowId, SEARCH_ATTRIBUTES, type EntityRef } from '../../protocol/names.js';
import { hasNoAnswer, type EntityReader } from '../entity-reader.js';
