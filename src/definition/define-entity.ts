import type { z } from 'zod';
import type { Busy } from './busy.js';
import { checkDeclaration } from './check.js';
import type { ActionShape, EntityDefinition, EventShape, SubscriptionShape } from './entity.js';
import type { EntityRoles } from './entity-roles.js';
import type { KeySchema } from './key-schema.js';
import type { Link, LinkValue } from './link.js';
import type { Migration, Renames } from './migration.js';
import { makeShareable, ownPatterns } from './shareable.js';
import type { State } from './state.js';
import type { PeriodicTimer, StateLimit } from './timer.js';

/** Where the value of a dimension comes from. */
type DimensionSource<Key extends KeySchema, Properties extends z.ZodObject, Links extends Record<string, Link>> =
  | 'key'
  | (Key extends z.ZodObject ? `key.${keyof Key['shape'] & string}` : never)
  | 'tenant'
  | `properties.${keyof Properties['shape'] & string}`
  | { [L in keyof Links & string]: Links[L] extends Link<false> ? `links.${L}` : never }[keyof Links & string];

/** The values about which the guards of events ask. The checks look at what follows the first name. */
type Subject<Properties extends z.ZodObject, Links extends Record<string, Link>> =
  | `properties.${keyof Properties['shape'] & string}${'' | `.${string}`}`
  | `links.${keyof Links & string}`
  | `parameters.${string}`;

/** A schema whose members all have one of the names. */
type WithNames<Schema extends z.ZodObject, Names> = {
  readonly shape: { readonly [M in keyof Schema['shape']]: M extends Names ? unknown : never };
};

/** Anything that may be given where members of a shape are expected: those that do not have it are found by {@link Fitting}. */
type Draft<Shape> = Readonly<Record<string, Partial<Shape> | object>>;

/** The same shape, with nothing beside its own members. */
type Exactly<Shape, Given> = Shape & { readonly [M in Exclude<keyof Given, keyof Shape>]: never };

/**
 * The given type, where each member has the shape, and otherwise the shape itself: so that a misspelt name is one error at its place. As
 * a constraint of the type parameter, the shape would take the place of all that is given, and nothing that uses it would compile.
 */
type Fitting<Given, Shape> = Given extends { readonly [M in keyof Given]: Exactly<Shape, Given[M]> }
  ? Given
  : { readonly [M in keyof Given]: Shape };

/** The given type, member by member, where that has the shape: what uses the others goes on to compile. */
type Shaped<Given, Shape> = { readonly [M in keyof Given]: Given[M] extends Shape ? Given[M] : Given[M] & Shape };

/** All that the migration to the present schema gives: each member that it gives is as the declaration wants it. */
interface Migrated<
  StateName extends string,
  Properties extends z.ZodObject,
  Links extends Record<string, Link>,
  Subordinates extends Record<string, z.ZodType>,
> {
  readonly state: StateName;
  readonly properties: z.input<Properties>;
  readonly links: { readonly [L in keyof Links]?: LinkValue<Links[L]> };
  readonly subordinates: { readonly [S in keyof Subordinates]?: Readonly<Record<string, z.input<Subordinates[S]>>> };
}

/**
 * Declares an entity type. All its mistakes are reported at once, each with its place and a remedy (S1.5).
 * @throws DeclarationError
 */
export function defineEntity<
  const Name extends string,
  Key extends KeySchema,
  Properties extends z.ZodObject,
  const States extends Record<string, State>,
  const Events extends Draft<EventShape>,
  const Actions extends Draft<ActionShape>,
  const Links extends Record<string, Link> = Record<never, never>,
  const Subordinates extends Record<string, z.ZodType> = Record<never, never>,
  Construct extends z.ZodObject = z.ZodObject<Record<never, never>>,
  const Fixed extends keyof Properties['shape'] & string = never,
  const Schema extends number = 1,
  const Secret extends keyof Properties['shape'] & string = never,
>(
  name: Name,
  declaration: {
    readonly description?: string;
    readonly schema?: Schema;
    readonly migrations?: { readonly [number: number]: Migration } & {
      readonly [Number in Schema]?: Migration<
        Migrated<NoInfer<keyof States & string>, NoInfer<Properties>, NoInfer<Links>, NoInfer<Subordinates>>
      >;
    };
    readonly renamed?: Renames<
      NoInfer<keyof States & string>,
      NoInfer<keyof Properties['shape'] & string>,
      NoInfer<keyof Links & string>,
      NoInfer<keyof Events & string>
    >;
    readonly key: Key;
    readonly properties: Properties;
    readonly links?: Links;
    readonly subordinates?: Subordinates;
    readonly construct?: Construct & WithNames<Construct, keyof Properties['shape'] | keyof Links>;
    readonly fixed?: readonly Fixed[];
    readonly secret?: readonly Secret[];
    readonly dimensions?: Readonly<Record<string, DimensionSource<Key, Properties, Links>>>;
    readonly roles?: EntityRoles;
    readonly states: States & { readonly [S in keyof States]: State<keyof States & string, keyof Events & string> };
    readonly events: Fitting<Events, EventShape<keyof States & string, Subject<Properties, Links>>>;
    readonly actions: Fitting<Actions, ActionShape<keyof States & string, keyof Events & string>>;
    readonly subscriptions?: Readonly<Record<string, SubscriptionShape<keyof Events & string, keyof States & string>>>;
    readonly busy?: Busy;
    readonly cancel?: keyof Events & string;
    readonly timers?: Readonly<Record<string, PeriodicTimer<keyof Events & string>>>;
    readonly limits?: Readonly<Record<string, StateLimit<keyof States & string, keyof Events & string>>>;
  },
): EntityDefinition<
  Name,
  Key,
  Properties,
  States,
  Shaped<Events, EventShape>,
  Shaped<Actions, ActionShape>,
  Links,
  Subordinates,
  Construct,
  Fixed
> {
  const definition = {
    ...declaration,
    name,
    // The compiler does not see that what fits is what was given.
    events: declaration.events as unknown as Shaped<Events, EventShape>,
    actions: declaration.actions as unknown as Shaped<Actions, ActionShape>,
    schema: declaration.schema ?? 1,
    migrations: (declaration.migrations ?? {}) as Readonly<Record<number, Migration>>,
    renamed: declaration.renamed ?? {},
    // Left out only where the types of their members are empty too.
    links: declaration.links ?? ({} as Links),
    subordinates: declaration.subordinates ?? ({} as Subordinates),
    construct: declaration.construct,
    fixed: declaration.fixed ?? [],
    secret: declaration.secret ?? [],
    dimensions: declaration.dimensions ?? {},
    subscriptions: declaration.subscriptions ?? {},
    timers: declaration.timers ?? {},
  };
  ownPatterns(definition);
  checkDeclaration(definition);
  makeShareable(definition);
  return definition;
}
