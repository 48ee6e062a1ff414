import type { z } from 'zod';
import type { Description } from '../component-description.js';
import { modelSchemaOf } from './model-schema.js';

/** The declaration of a component, as this folder knows it. */
export interface DeclaredComponent {
  readonly kind: { readonly name: string; readonly attributes: z.ZodType; deploys?(): Description };
  readonly handlers: object;
  readonly roles: Readonly<Partial<Record<ComponentPermission, readonly string[]>>>;
}

export const COMPONENT_PERMISSIONS = ['deploy', 'read', 'operate'] as const;
export type ComponentPermission = (typeof COMPONENT_PERMISSIONS)[number];

export const HANDLERS = ['start', 'work', 'end', 'ping', 'handle', 'evaluate'] as const;

export interface ComponentModel {
  readonly name: string;
  /** JSON Schema. */
  readonly attributes: unknown;
  /** The names of its code. */
  readonly handlers: readonly string[];
  /** The parts of which it consists. */
  readonly deploys?: Description;
  readonly roles: DeclaredComponent['roles'];
}

export function componentModel({ kind, handlers, roles }: DeclaredComponent): ComponentModel {
  const deploys = kind.deploys?.();
  return {
    name: kind.name,
    attributes: modelSchemaOf(kind.attributes, 'input'),
    handlers: HANDLERS.filter((name) => name in handlers),
    ...(deploys && { deploys }),
    roles,
  };
}
