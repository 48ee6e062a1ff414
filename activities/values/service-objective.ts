import { z } from 'zod';

/** The limits of a database, by the name of its service objective: the most connections, and the memory of each sort or hash. */
export const SERVICE_OBJECTIVES = {
  S0: { connections: 5, workMemory: '1MB' },
  S1: { connections: 10, workMemory: '4MB' },
  S2: { connections: 20, workMemory: '16MB' },
  S3: { connections: 40, workMemory: '64MB' },
} as const satisfies Readonly<Record<string, { readonly connections: number; readonly workMemory: string }>>;

export type ServiceObjective = keyof typeof SERVICE_OBJECTIVES;

export const serviceObjective = z.enum(Object.keys(SERVICE_OBJECTIVES) as [ServiceObjective, ...ServiceObjective[]]);
