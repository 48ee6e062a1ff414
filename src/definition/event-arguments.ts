import type { z } from 'zod';
import type { AnyEntity, EventOf } from './entity.js';

/** The options can be left out where none of them is required. */
type OptionsArgument<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options];

/** The parameters can be left out where their schema takes `undefined` and no argument has to follow. */
type ParamsArgument<Params, Options> = undefined extends Params
  ? Record<never, never> extends Options
    ? [params?: Params]
    : [params: Params]
  : [params: Params];

/**
 * The arguments after the name of an event: its parameters where it takes any, then the options. For an event that takes no
 * parameters, the options come directly after the name. No arguments fit a name that may mean either kind of event.
 */
export type EventArguments<E extends AnyEntity, Event extends EventOf<E>, Options> = E['events'][Event] extends {
  params: infer P extends z.ZodType;
}
  ? [...ParamsArgument<z.input<P>, Options>, ...OptionsArgument<Options>]
  : [Extract<E['events'][Event], { params: z.ZodType }>] extends [never]
    ? OptionsArgument<Options>
    : [never];

/** The parameters for an event whose declaration is not known when the code is written. */
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
