/**
 * What a command cannot work without. `nothing`: the declarations are enough. `store`: Temporal is not asked. `store first`: Temporal is
 * asked for more, where it is there. `workflows`: Temporal has to be there. `either`: what no worker tells, the store may.
 */
export type Needs = 'nothing' | 'store' | 'store first' | 'workflows' | 'either';
