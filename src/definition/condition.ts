/** A value to compare with, as it is stored: of a codec, the encoded value. */
export type Scalar = string | number | boolean;

/** The questions that take one value, or the value of another operand, in words. */
export const COMPARISONS = {
  is: 'is',
  isNot: 'is not',
  isAbove: 'is above',
  isAtLeast: 'is at least',
  isBelow: 'is below',
  isAtMost: 'is at most',
  includes: 'includes',
} as const;
export type ComparisonName = keyof typeof COMPARISONS;

/** One question about a value of the entity, or about a parameter of the event. S2.2 */
export type Test<Subject extends string = string> =
  | { readonly kind: 'isSet'; readonly of: Subject }
  | { readonly kind: 'isOneOf'; readonly of: Subject; readonly values: readonly Scalar[] }
  | { readonly kind: ComparisonName; readonly of: Subject; readonly value: Scalar | { readonly of: Subject } };

/**
 * A condition over what an entity holds and over the parameters of an event, as data: so it can be checked, drawn, compared and
 * explained. S2.2
 */
export type Condition<Subject extends string = string> =
  | Test<Subject>
  | { readonly kind: 'and' | 'or'; readonly predicates: readonly Condition<Subject>[] }
  | { readonly kind: 'not'; readonly predicate: Condition<Subject> };

/**
 * A value about which a condition asks something. Values are compared as they are stored. Numbers have the order of numbers; texts have that
 * of their characters, which is also the order of ISO times. A missing value is neither above nor below anything.
 */
export class Operand<Subject extends string = string> {
  /** @param of `properties.limits.cpu`, `links.host` or `parameters.size` */
  constructor(readonly of: Subject) {}

  /** Holds if the value is there: neither missing nor null, and no empty list. */
  isSet(): Condition<Subject> {
    return { kind: 'isSet', of: this.of };
  }

  is<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('is', value);
  }

  /** Holds if the value is a different one, or missing. */
  isNot<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('isNot', value);
  }

  isOneOf(values: readonly Scalar[]): Condition<Subject> {
    return { kind: 'isOneOf', of: this.of, values };
  }

  isAbove<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('isAbove', value);
  }

  isAtLeast<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('isAtLeast', value);
  }

  isBelow<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('isBelow', value);
  }

  isAtMost<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('isAtMost', value);
  }

  /** Holds if the value is a list, and the given one is in it. */
  includes<Other extends string = never>(value: Scalar | Operand<Other>): Condition<Subject | NoInfer<Other>> {
    return this.#compared('includes', value);
  }

  #compared<Other extends string>(
    kind: ComparisonName,
    value: Scalar | Operand<Other>,
  ): Condition<Subject | NoInfer<Other>> {
    return { kind, of: this.of, value: value instanceof Operand ? { of: value.of } : value };
  }
}

/** Names a property of the entity, or a value in it: `property('limits.cpu').isAtMost(8)`. */
export function property<const Path extends string>(path: Path): Operand<`properties.${Path}`> {
  return new Operand(`properties.${path}`);
}

/** Names a link of the entity: `linked('host').isSet()`. Its value is a key, or a list of keys. */
export function linked<const Name extends string>(name: Name): Operand<`links.${Name}`> {
  return new Operand(`links.${name}`);
}

/** Names a parameter of the event, or a value in it: `parameter('size').isAtLeast(property('size'))`. */
export function parameter<const Path extends string>(path: Path): Operand<`parameters.${Path}`> {
  return new Operand(`parameters.${path}`);
}

/** The questions of a condition, without `and`, `or` and `not`. */
export function testsIn(condition: Condition): readonly Test[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.predicates.flatMap(testsIn);
    case 'not':
      return testsIn(condition.predicate);
    default:
      return [condition];
  }
}

/** A condition in words: `maintenance is false and parameter size is at least size`. */
export function describeCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.predicates.map((part) => nested(part, condition.kind)).join(` ${condition.kind} `);
    case 'not':
      return condition.predicate.kind === 'isSet'
        ? `${inWords(condition.predicate.of)} is not set`
        : `not (${describeCondition(condition.predicate)})`;
    case 'isSet':
      return `${inWords(condition.of)} is set`;
    case 'isOneOf':
      return `${inWords(condition.of)} is one of ${condition.values.map(valueInWords).join(', ')}`;
    default: {
      const { kind, of, value } = condition;
      return `${inWords(of)} ${COMPARISONS[kind]} ${typeof value === 'object' ? inWords(value.of) : valueInWords(value)}`;
    }
  }
}

function nested(part: Condition, within: 'and' | 'or'): string {
  const text = describeCondition(part);
  return (part.kind === 'and' || part.kind === 'or') && part.kind !== within ? `(${text})` : text;
}

/** Properties and links share no name, so only parameters need to be told from them. */
function inWords(subject: string): string {
  const [kind, ...path] = subject.split('.');
  return kind === 'parameters' ? `parameter ${path.join('.')}` : path.join('.');
}

function valueInWords(value: Scalar): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
