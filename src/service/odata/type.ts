import type { Property } from './model.js';

/** The type of a value in an expression; `duration` and `null` only come up in expressions. */
export type Type = Property | { readonly kind: 'duration' } | { readonly kind: 'null' };
