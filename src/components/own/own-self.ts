import type { Call, CallInput, CallOutput } from '../../definition/resource.js';
import type { Json } from '../description/description.js';

/** A component, for its own code. */
export interface OwnSelf<Attributes> {
  /** The path from the root of its tree on. */
  readonly path: string;
  /** As they were when this code began, their references resolved. */
  readonly attributes: Attributes;
  /** Milliseconds since 1970. The same when the code is run again in a new run. */
  now(): number;
  /**
   * Calls a resource and waits for its answer.
   * @throws CallFailed when the resource fails, with its code
   */
  call<C extends Call>(call: C, input: CallInput<C>): Promise<CallOutput<C>>;
  /** Sends an event to its listeners. W2 */
  send(event: Json): void;
  /** Sets one of its attributes, or removes it: references see that from then on. */
  set(name: string, value?: Json): void;
  /** Ends the component. */
  end(type?: string, description?: string): void;
}
