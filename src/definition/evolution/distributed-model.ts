import type { z } from 'zod';
import { modelSchemaOf } from './model-schema.js';
import { textOf } from './schema-code.js';

/** The declaration of a type of operation over partitions, as this folder knows it. */
export interface DeclaredDistributed {
  readonly type: string;
  readonly argument: z.ZodType;
  readonly object?: (argument: never) => string;
  readonly on: unknown;
  readonly canFail: boolean;
  readonly whenOneFails?: string;
  readonly progress: { readonly schema: z.ZodType; readonly kept: string };
  readonly compatibleWith?: readonly string[];
  readonly atOnce?: number;
  readonly pause?: string;
  readonly roles?: Readonly<Partial<Record<OperationPermission, readonly string[]>>>;
}

export const OPERATION_PERMISSIONS = ['start', 'read', 'operate'] as const;
export type OperationPermission = (typeof OPERATION_PERMISSIONS)[number];

export interface DistributedModel {
  readonly name: string;
  /** JSON Schema. */
  readonly argument: unknown;
  /** The JSON Schemas by which progress is read and kept. */
  readonly progress: { readonly accepts: unknown; readonly keeps: unknown; readonly kept: string };
  /** The text of the code that tells instances apart. */
  readonly object?: string;
  readonly on: unknown;
  readonly canFail: boolean;
  readonly compatibleWith: readonly string[];
  /** The settings that hold from the next job on. */
  readonly manners: { readonly whenOneFails?: string; readonly atOnce?: number; readonly pause?: string };
  readonly roles: NonNullable<DeclaredDistributed['roles']>;
}

export function distributedModel(operation: DeclaredDistributed): DistributedModel {
  const { type, argument, progress, object, on, canFail, compatibleWith = [], roles = {} } = operation;
  const { whenOneFails, atOnce, pause } = operation;
  return {
    name: type,
    argument: modelSchemaOf(argument, 'input'),
    progress: {
      accepts: modelSchemaOf(progress.schema, 'input'),
      keeps: modelSchemaOf(progress.schema, 'output'),
      kept: progress.kept,
    },
    ...(object && { object: textOf(object) }),
    ...{ on, canFail, compatibleWith: [...compatibleWith].sort() },
    manners: {
      ...(whenOneFails !== undefined && { whenOneFails }),
      ...(atOnce !== undefined && { atOnce }),
      ...(pause !== undefined && { pause }),
    },
    roles,
  };
}
