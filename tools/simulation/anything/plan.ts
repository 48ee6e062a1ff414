/*
 * A world of entity types as plain data: what is declared, what the actions do, and what people do. Everything that is drawn is in
 * it, so that it can be printed, and made smaller while it still fails.
 */
import type { ActionShape, EventShape, SubscriptionShape } from '../../../src/definition/entity.js';
import type { Duration } from '../../../src/definition/duration.js';
import type { PeriodicTimer } from '../../../src/definition/timer.js';
import type { State } from '../../../src/definition/state.js';
import type { CallMode } from '../../../src/definition/resource.js';
import type { CollectRule } from '../../../src/definition/collect.js';
import type { SchemaPlan } from './schema.js';
import type { ValuePlan } from './value.js';

type Named<T> = Record<string, T>;

export type StatePlan = Omit<State, 'constraint'> & { readonly constraint?: SchemaPlan };
export type EventPlan = Omit<EventShape, 'params' | 'needs'> & {
  readonly params?: SchemaPlan;
  readonly needs?: Omit<NonNullable<EventShape['needs']>, 'key'> & { readonly key: SchemaPlan };
};

/** The declaration that `defineEntity` gets. Each type also has the property `n`, which counts its commits. */
export interface DeclaredPlan {
  readonly description?: string;
  readonly schema?: number;
  readonly migrations?: Named<'up' | 'both' | 'none'>;
  readonly renamed?: Named<Named<string>>;
  readonly key: SchemaPlan;
  readonly properties: Named<SchemaPlan>;
  readonly links?: Named<{ readonly to: string; readonly many: boolean; readonly mustExist?: boolean }>;
  readonly subordinates?: Named<SchemaPlan>;
  readonly construct?: Named<SchemaPlan>;
  readonly fixed?: readonly string[];
  readonly secret?: readonly string[];
  readonly dimensions?: Named<string>;
  readonly roles?: Named<readonly string[]>;
  readonly states: Named<StatePlan>;
  readonly events: Named<EventPlan>;
  readonly actions: Named<ActionShape>;
  readonly subscriptions?: Named<SubscriptionShape>;
  readonly cancel?: string;
  readonly timers?: Named<PeriodicTimer>;
}

export interface TypePlan {
  readonly name: string;
  readonly declared: DeclaredPlan;
  readonly code: Named<CodePlan>;
  readonly deploys: Named<TreePlan>;
  readonly keys: readonly (string | Readonly<Record<string, string | number>>)[];
}

/** Where an action goes: to a state, in various ways, or nowhere. */
export interface GoPlan {
  readonly to?: string;
  /** Its own state, for new work. */
  readonly again?: true;
  readonly wait?: Duration;
  readonly error?: { readonly code: string; readonly message: ValuePlan };
}

/** The code of one action: what it does, and where it goes in turn, by how many commits there were. */
export interface CodePlan {
  readonly deeds: readonly Deed[];
  readonly goes: readonly GoPlan[];
}

export type When = 'always' | 'first' | 'odd' | 'never';

/** An entity of a type, by the places of both in the plan; `fresh` means one that nobody has named before. */
export interface TargetPlan {
  readonly type: number;
  readonly key: number | 'fresh' | 'own';
}

export type RaisePlan = TargetPlan & {
  readonly event: string;
  readonly params?: ValuePlan;
  readonly construct?: ValuePlan;
  readonly role?: string;
  readonly mayBeRejected?: boolean;
};

export type TreePlan = 'nothing' | 'delay' | 'sequence' | 'many' | 'fails' | 'unknown';

/** One step of what goes on beside others. */
export type Step =
  | { readonly hops: number }
  | { readonly say: 'ask' | 'inline' | 'say'; readonly about: string }
  | { readonly read: TargetPlan }
  | { readonly raise: RaisePlan; readonly within: Duration };

export type Deed =
  | { readonly do: 'set'; readonly name: string; readonly value: ValuePlan }
  | { readonly do: 'link'; readonly name: string; readonly value: ValuePlan }
  | { readonly do: 'member'; readonly of: string; readonly key: string; readonly value?: ValuePlan }
  /** Calls with an input that is the same each time, or (`counted`) with another one after each commit. */
  | { readonly do: 'call'; readonly call: string; readonly input: ValuePlan }
  | { readonly do: 'say'; readonly way: 'ask' | 'inline' | 'say'; readonly counted: boolean }
  | { readonly do: 'together'; readonly branches: readonly (readonly Step[])[] }
  | { readonly do: 'times'; readonly times: number; readonly deed: Deed }
  | { readonly do: 'throw'; readonly what: ValuePlan; readonly when: When }
  | { readonly do: 'forever' | 'freeze' | 'spoil' | 'deep' | 'return' }
  | { readonly do: 'raise' | 'create' | 'construct'; readonly raise: RaisePlan }
  | { readonly do: 'wait' | 'createAndWait'; readonly raise: RaisePlan; readonly within: Duration }
  | { readonly do: 'read'; readonly of: TargetPlan; readonly within: Duration }
  | {
      readonly do: 'reserve';
      readonly of: readonly TargetPlan[];
      readonly lease: Duration;
      readonly until: 'action' | 'operation';
      readonly within: Duration;
    }
  | {
      readonly do: 'collect';
      readonly ways: readonly ('ask' | 'inline' | 'say')[];
      readonly until: CollectRule;
      readonly within: Duration;
      readonly atOnce?: number;
      readonly none?: 'fail' | 'empty';
      readonly several?: 'fail' | 'first';
    }
  | { readonly do: 'answerBy'; readonly event: string; readonly within: Duration; readonly afterMs: number }
  | { readonly do: 'run'; readonly tree: TreePlan }
  | { readonly do: 'retryAfter'; readonly delay: Duration }
  | { readonly do: 'giveUp'; readonly message: ValuePlan; readonly when: When };

/** The behaviour of the outside when it is called. */
export interface CallPlan {
  readonly input: SchemaPlan;
  readonly output: SchemaPlan;
  readonly timeout?: Duration;
  readonly heartbeat?: Duration;
  readonly resumes?: boolean;
  readonly answer?: CallMode;
  readonly within?: Duration;
  readonly withdraw?: boolean;
  readonly summary?: string;
  readonly gives: ValuePlan;
  readonly throws?: ValuePlan;
  readonly afterMs?: number;
}

/** Something that people do. */
export type Request =
  | (RaisePlan & {
      readonly ask: 'raise' | 'create' | 'construct' | 'signal';
      readonly id: number;
      /** Raises one that is valid, where the event is not. */
      readonly orValid?: true;
    })
  | { readonly ask: 'cancel'; readonly id: number }
  | (TargetPlan & { readonly ask: 'terminate' })
  | { readonly ask: 'pass'; readonly ms: number };

export interface WorldPlan {
  /** The name of what is outside, which no other world has. */
  readonly outside: string;
  readonly types: readonly TypePlan[];
  readonly calls: Named<CallPlan>;
  readonly requests: readonly Request[];
}
