import { z } from 'zod';
import { DeclarationError } from '../../definition/declaration-error.js';
import { survivalProblems } from '../../definition/values/survival.js';
import {
  describe,
  type Changes,
  type Description,
  type Json,
  type Value,
  wrongName,
} from '../description/description.js';
import { common } from '../description/fields.js';
import type { AttributesOf, Given } from '../description/written.js';
import { defineKind, type Kind } from '../tree/kind.js';
import { stays } from '../tree/outlook.js';
import type { HandlerName } from '../tree/tree.js';
import type { ComponentRoles } from './component-roles.js';
import type { OwnSelf } from './own-self.js';

/** The code of a component of one's own: async code, run again over its journal in a new run. */
export interface Handlers<Attributes> {
  /** Brings it up. Short: an end waits for it. */
  readonly start?: (self: OwnSelf<Attributes>) => Promise<void>;
  /** Shows what it does while it is up. An end cancels it. What it returns is the attribute `output`. */
  readonly work?: (self: OwnSelf<Attributes>) => Promise<Json | void>;
  /** Cleans up, whenever its start has begun. */
  readonly end?: (self: OwnSelf<Attributes>) => Promise<void>;
  /** Throws, or returns false, when the component is not well any more: it then ends abnormally. W-5 */
  readonly ping?: (self: OwnSelf<Attributes>) => Promise<boolean | void>;
  /** Takes an event. One after the other. */
  readonly handle?: (self: OwnSelf<Attributes>, event: Json) => Promise<void>;
  /** Makes it a condition: whether it holds. Without side effects. W-8 */
  readonly evaluate?: (self: OwnSelf<Attributes>) => Promise<boolean>;
}

/** A component of one's own, whatever its attributes. */
export interface AnyComponent {
  readonly kind: Kind;
  readonly handlers: Handlers<never>;
  readonly roles: ComponentRoles;
}

/** A component of one's own: call it to describe one. */
export interface OwnComponent<Shape extends z.ZodRawShape = z.ZodRawShape> extends AnyComponent {
  (
    ...attributes: Record<never, never> extends Given<Shape> ? [AttributesOf<Shape>?] : [AttributesOf<Shape>]
  ): Description;
  /** The same component with other attributes to begin with, and further or other children. */
  with(changes: Changes): (attributes?: Partial<AttributesOf<Shape>>) => Description;
}

/** Returns the schema of the attributes that the component itself declares: without those that every component has. */
export function ownAttributes({ kind }: AnyComponent): z.ZodObject {
  return z.object(
    Object.fromEntries(Object.entries(kind.attributes.shape).filter(([name]) => !(name in common.shape))),
  );
}

const NAMES = ['start', 'work', 'end', 'ping', 'handle', 'evaluate'] as const satisfies readonly HandlerName[];

/**
 * Declares a component of one's own.
 * @throws RangeError when its name or that of an attribute cannot be used
 * @throws DeclarationError with every attribute whose values do not survive JSON
 */
export function component<Shape extends z.ZodRawShape>(
  name: string,
  declaration: Handlers<z.output<z.ZodObject<Shape>>> & {
    /** Schema of its attributes; without one, it has only those that every component has. */
    readonly attributes?: z.ZodObject<Shape>;
    /** Describes what it consists of: deployed, started and ended with it. When that ends, so does the component. */
    readonly deploys?: () => Description;
    /** Tells who may do what with its deployments. S6.5 */
    readonly roles?: ComponentRoles;
  },
): OwnComponent<Shape> {
  const attributes = (declaration.attributes ?? z.object({})) as z.ZodObject<Shape>;
  for (const each of [name, ...Object.keys(attributes.shape)]) {
    const wrong = wrongName(each);
    if (wrong) throw new RangeError(`Component '${name}': ${wrong.problem}. Choose another name.`);
    if (each in common.shape) throw new RangeError(`Component '${name}': every component has an attribute '${each}'.`);
  }
  const problems = survivalProblems(attributes, 'attributes', 'taken');
  if (problems.length > 0) throw new DeclarationError(`component '${name}'`, problems);
  const { deploys } = declaration;
  const has = new Set<HandlerName>(NAMES.filter((each) => declaration[each]));
  const kind = defineKind<Shape>({
    name,
    attributes,
    handlers: has,
    isCondition: has.has('evaluate'),
    takesChildren: deploys !== undefined,
    ...(deploys && { deploys }),
    start(self) {
      for (const child of self.children) self.launch(child.id);
    },
    up(self) {
      if (has.has('work')) self.run('work');
      else if (!deploys) self.finish('normal', 'it is started');
    },
    childEnded: (self, _child, end) => self.endAs(end),
    endless(outlook) {
      if (deploys) return outlook.children[0];
      // An event may make it end itself: nobody can know.
      return has.has('handle') ? undefined : stays(outlook);
    },
  });
  const make = (given: object = {}) => describe(name, given as Record<string, Value>);
  const extended =
    ({ attributes: first, children }: Changes) =>
    (given: object = {}) =>
      describe(name, { ...first, ...given } as Record<string, Value>, children);
  const { roles = {} } = declaration;
  return Object.assign(make, {
    ...{ kind, handlers: declaration as Handlers<never>, roles, with: extended },
  }) as OwnComponent<Shape>;
}
