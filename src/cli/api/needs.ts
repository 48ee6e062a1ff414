/**
 * Names what a command cannot work without. `nothing`: the declarations are enough. `store`: Temporal is not asked. `store first`:
 * Temporal is asked for more, where it answers. `workflows`: Temporal has to answer. `either`: where no worker answers, the
 * store may.
 */
export type Needs = 'nothing' | 'store' | 'store first' | 'workflows' | 'either';
