/*
 * The result that each kind should come to. The table of `verify-hostile` shows it.
 */

/**
 * `fails`: the action fails, with a short message. `refused`: the action fails, and its message names the property. `kept`: the
 * action ends well. `any`: one or the other. `waits`: the action goes on, and the explanation says that nothing is known for which it
 * waits. `calls`: it goes on, and the explanation names the call. `bounded`: it stops by itself, and its entity tells why. `holds`: the call
 * fails, and its message says that it held up the whole worker: nobody is served meanwhile.
 */
export type Expected = 'fails' | 'refused' | 'kept' | 'any' | 'waits' | 'calls' | 'bounded' | 'holds';

export const KINDS: Readonly<Record<string, Expected>> = {
  ...{ while: 'fails', microtasks: 'fails', oom: 'fails', stack: 'fails', never: 'waits' },
  ...{ globalMutation: 'fails', prototypeMutation: 'fails', objectMutation: 'fails', methodMutation: 'fails' },
  ...{ globalPromise: 'any', process: 'kept', freeze: 'fails', mutateKey: 'any' },
  ...{ throwString: 'fails', throwUndefined: 'fails', throwNull: 'fails', throwObject: 'fails', throwProxy: 'fails' },
  ...{ throwHuge: 'fails', throwCircular: 'fails', throwDeep: 'fails', throwSymbol: 'fails', dangling: 'any' },
  ...{ circular: 'refused', bigint: 'refused', date: 'any', undef: 'any', nan: 'refused', func: 'refused' },
  ...{ map: 'refused', set: 'refused', getter: 'refused', toJSON: 'refused', zero: 'any', proto: 'any' },
  ...{ deep: 'refused', many: 'kept', mb1: 'any', mb3: 'refused', nul: 'any', surrogate: 'any' },
  ...{
    callsInRow: 'any',
    callsAtOnce: 'any',
    long: 'calls',
    inlineBlock: 'holds',
    reserveSelf: 'fails',
    readSelf: 'fails',
  },
  ...{
    'prov:block': 'holds',
    'apart:block': 'fails',
    'prov:never': 'fails',
    'prov:mb3': 'any',
    'prov:schema': 'fails',
  },
  ...{ 'prov:throwHuge': 'fails', 'prov:throwString': 'fails', 'prov:dangling': 'any', 'prov:later': 'any' },
  ...{ pingPong: 'bounded', selfRaise: 'bounded', rearming: 'bounded' },
};
