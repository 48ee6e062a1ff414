/**
 * What a command cannot work without. `nothing`: the declarations are enough. `store`: Temporal is not asked. `workflows`: Temporal
 * has to be there. `either`: what no worker tells, the store may.
 */
export type Needs = 'nothing' | 'store' | 'workflows' | 'either';
