import type { Property } from './model.js';

/** The type of a value in an expression. `duration` and `null` exist only in expressions. */
export type Type = Property | { readonly kind: 'duration' } | { readonly kind: 'null' };
