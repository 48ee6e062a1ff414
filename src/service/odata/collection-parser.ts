import { BOOLEAN, INTEGER, type Collection, type Expression } from './expression.js';
import { withVariable, type Inner, type Scope } from './scope.js';
import type { TokenReader } from './token-reader.js';
import type { Token } from './tokens.js';

const TRUE: Expression = { kind: 'literal', type: BOOLEAN, value: 'true' };

/** Reads the question about a collection, after its path: `/any(x:...)`, `/all(x:...)` or `/$count`. */
export function parseCollection(
  reader: TokenReader,
  scope: Scope,
  collection: Collection,
  path: Token,
  parseCondition: Inner,
): Expression {
  if (!reader.takeSign('/')) {
    reader.fail(
      'wrong_type',
      path.position,
      `'${path.text}' leads to a collection; ask for /any(...), /all(...) or /$count`,
    );
  }
  const { text, position } = reader.expectWord('any, all or $count');
  switch (text) {
    case '$count':
      if (reader.isSign('(')) reader.fail('unsupported', position, "'$count' with options is not supported");
      return { kind: 'count', type: INTEGER, collection };
    case 'any':
    case 'all':
      return reader.nested(() => parseLambda(reader, scope, collection, text, parseCondition));
    default:
      return reader.fail(
        'unsupported',
        position,
        `'${text}' is not supported after a collection; ask for any, all or $count`,
      );
  }
}

function parseLambda(
  reader: TokenReader,
  scope: Scope,
  collection: Collection,
  quantifier: 'any' | 'all',
  parseCondition: Inner,
): Expression {
  reader.expectSign('(');
  const common = { kind: 'lambda', type: BOOLEAN, quantifier, collection } as const;
  if (quantifier === 'any' && reader.takeSign(')')) return { ...common, variable: '', condition: TRUE };
  const { text, position } = reader.expectWord('the name of a variable');
  if (!/^[^$@.]+$/.test(text)) reader.fail('syntax', position, `'${text}' cannot name a variable`);
  if (scope.variables.has(text))
    reader.fail('unsupported', position, `'${text}' already names the variable of a lambda around`);
  reader.expectSign(':');
  const inner = withVariable(
    scope,
    text,
    collection.kind === 'rows'
      ? { kind: 'row', model: collection.navigation.target() }
      : { kind: 'value', property: collection.of },
  );
  const condition = parseCondition(reader, inner);
  reader.expectSign(')');
  return { ...common, variable: text, condition };
}
