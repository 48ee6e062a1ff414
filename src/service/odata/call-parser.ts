import { NULL, type Expression } from './expression.js';
import { FUNCTIONS, isFunction, type FunctionShape } from './functions.js';
import type { Inner, Scope } from './scope.js';
import type { TokenReader } from './token-reader.js';
import { accepts, KIND_NAMES } from './typing.js';

/** Reads a call such as `contains(name,'x')`. @throws ODataError when no such function is supported */
export function parseCall(reader: TokenReader, scope: Scope, parseOperand: Inner): Expression {
  const { text, position } = reader.next();
  const name = text.toLowerCase();
  if (!isFunction(name)) {
    const names = Object.keys(FUNCTIONS).join(', ');
    return reader.fail(
      'unsupported',
      position,
      `the function '${text}' is not supported; the supported ones are ${names}`,
    );
  }
  const shape: FunctionShape = FUNCTIONS[name];
  reader.expectSign('(');
  const operands: Expression[] = [];
  reader.nested(() => {
    while (!reader.isSign(')')) {
      if (operands.length > 0) reader.expectSign(',');
      const start = reader.peek().position;
      const operand = parseOperand(reader, scope);
      const wanted = shape.operands[operands.length];
      if (wanted && !wanted.some((kind) => accepts(kind, operand.type))) {
        const kinds = wanted.map((kind) => KIND_NAMES[kind]).join(' or ');
        reader.fail('wrong_type', start, `'${text}' takes ${kinds} here, not ${KIND_NAMES[operand.type.kind]}`);
      }
      operands.push(operand);
    }
  });
  reader.expectSign(')');
  const most = shape.operands.length;
  const least = most - (shape.optional ?? 0);
  if (operands.length < least || operands.length > most) {
    const count = least === most ? `${most}` : `${least} or ${most}`;
    reader.fail('syntax', position, `'${text}' takes ${count} operands, not ${operands.length}`);
  }
  if (operands.some(({ type }) => type.kind === 'null')) return NULL;
  return { kind: 'call', type: shape.gives, name, operands };
}
