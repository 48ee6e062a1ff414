/*
 * The data that descriptions are made of.
 */

/** Describes what an attribute holds: JSON, references to what other components hold, and descriptions of components to come. */
export type Value =
  null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value } | Described;

/** JSON alone, as it is kept, sent to calls and had from them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

type Described = Description | Reference;

/**
 * Describes what a component is to be: plain data, so that it can be checked, drawn, sent and compared before anything starts. A
 * description that is an attribute is not deployed by itself: the component that holds it decides when, and how often (LAZY in the
 * source). W1
 */
export interface Description {
  readonly kind: string;
  readonly attributes: Readonly<Record<string, Value>>;
  /** In the order in which they are declared. */
  readonly children: readonly (readonly [name: string, description: Description])[];
}

/** Describes what another component holds, or another component itself: resolved whenever it is used. W-6 */
export interface Reference {
  readonly $ref: string;
}

/** A text made of pieces, some of which are references. */
export interface Concatenation {
  readonly $concat: readonly Value[];
}
