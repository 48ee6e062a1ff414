import type { z } from 'zod';
import type { AnyEntity, EventOf } from './entity.js';

/** Options can be left out where none of them has to be given. */
type OptionsArgument<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** Parameters can be left out where their schema takes nothing for them, and nothing has to come after them. */
type ParamsArgument<Params, Options> = undefined extends Params
  ? Record<never, never> extends Options
    ? [params?: Params]
    : [params: Params]
  : [params: Params];

/**
 * What comes after the name of an event: its parameters where it takes any, and then the options. Where an event is not known to
 * take parameters, the options come directly after it. Nothing fits an event that may be one or the other.
 */
export type EventArguments<E extends AnyEntity, Event extends EventOf<E>, Options> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? [...ParamsArgument<z.input<P>, Options>, ...OptionsArgument<Options>]
  : [Extract<E['events'][Event], { params: z.ZodType }>] extends [never]
    ? OptionsArgument<Options>
    : [never];

/** What is given, beside options, for an event whose declaration is not known when the code is written. */
export interface AnyParams {
  readonly params?: unknown;
}

/**
 * Tells parameters and options apart, by the declaration of the event.
 * @throws TypeError for code that was not compiled: more than the event takes, so that no options are lost
 */
export function splitArguments<Options extends object>(
  { name, events }: AnyEntity,
  event: string,
  given: readonly unknown[],
): { readonly params: unknown; readonly options: Options } {
  const takesParams = Object.hasOwn(events, event) && events[event]?.params !== undefined;
  if (given.length > (takesParams ? 2 : 1)) {
    const takes = takesParams ? 'parameters and options' : 'no parameters: its options come directly after it';
    throw new TypeError(`'${event}' of ${name} takes ${takes}, and nothing else.`);
  }
  const [params, options] = takesParams ? given : [undefined, ...given];
  return { params, options: (options ?? {}) as Options };
}
