import type { Result, Verdict } from './result.js';
import type { End, EventPassed } from './passed.js';

/** One thing to be done within a step. They are done in the order in which they came up. */
export type Task =
  | { readonly do: 'start'; readonly id: number }
  | { readonly do: 'settle'; readonly id: number }
  | { readonly do: 'childUp'; readonly id: number; readonly child: number }
  | { readonly do: 'childLeft'; readonly id: number }
  | { readonly do: 'childEnded'; readonly id: number; readonly child: number; readonly end: End }
  | { readonly do: 'launched'; readonly id: number; readonly failure?: string }
  | { readonly do: 'end'; readonly id: number; readonly end: End; readonly quiet?: boolean }
  | { readonly do: 'fail'; readonly id: number; readonly end: End }
  | { readonly do: 'proceed'; readonly id: number }
  | { readonly do: 'due'; readonly id: number }
  | { readonly do: 'answered'; readonly id: number; readonly result: Result; readonly place: number }
  | { readonly do: 'handle'; readonly id: number; readonly event: EventPassed }
  | { readonly do: 'dispatch'; readonly id: number; readonly event: EventPassed }
  | { readonly do: 'evaluate'; readonly id: number; readonly asker: number }
  | { readonly do: 'evaluated'; readonly id: number; readonly child: number; readonly verdict: Verdict }
  | { readonly do: 'ping'; readonly id: number };
