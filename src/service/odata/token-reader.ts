import { ODataError, type ODataErrorReason } from './error.js';
import { MAX_DEPTH, MAX_LENGTH, MAX_NODES } from './limits.js';
import { tokenize, type Token } from './tokens.js';

/** Goes over the tokens of one option from left to right, and enforces the limits. */
export class TokenReader {
  private readonly tokens: readonly Token[];
  private index = 0;
  private depth = 0;
  private nodes = 0;

  constructor(
    private readonly option: string,
    private readonly text: string,
  ) {
    if (text.length > MAX_LENGTH) {
      throw new ODataError('limit', option, MAX_LENGTH + 1, `it is longer than ${MAX_LENGTH} characters`);
    }
    const nul = text.indexOf('\0');
    // PostgreSQL cannot have this character in a text.
    if (nul >= 0) throw new ODataError('syntax', option, nul + 1, 'the character U+0000 cannot be used');
    this.tokens = tokenize(option, text);
  }

  peek(ahead = 0): Token {
    // The last token is the end, and nobody reads on after it.
    const token = this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)];
    if (!token) throw new Error('the list of tokens is empty');
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.index++;
    return token;
  }

  isSign(sign: string, ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === 'sign' && text === sign;
  }

  /** Takes the sign if it is next. */
  takeSign(sign: string): boolean {
    const found = this.isSign(sign);
    if (found) this.index++;
    return found;
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) this.unexpected(`'${sign}'`);
  }

  expectWord(what: string): Token {
    if (this.peek().kind !== 'word') this.unexpected(what);
    return this.next();
  }

  expectEnd(): void {
    if (this.peek().kind !== 'end') this.unexpected('the end');
    if (this.peek().spaceBefore) this.fail('syntax', this.peek().position, 'there is a space at the end');
  }

  /** Gives the text that was written from one token to just before the next one to come. */
  textSince(token: Token): string {
    return this.text.slice(token.position - 1, this.peek().position - 1).trim();
  }

  countNode(position: number): void {
    if (++this.nodes > MAX_NODES) {
      this.fail('limit', position, `it has more than ${MAX_NODES} operators, functions, literals and names`);
    }
  }

  nested<T>(work: () => T): T {
    if (++this.depth > MAX_DEPTH) {
      this.fail('limit', this.peek().position, `it is nested deeper than ${MAX_DEPTH} levels`);
    }
    const result = work();
    this.depth--;
    return result;
  }

  unexpected(wanted: string): never {
    const { kind, text, position } = this.peek();
    const found = kind === 'end' ? 'it ends' : `'${text}' stands`;
    this.fail('syntax', position, `${found} where ${wanted} should be`);
  }

  fail(reason: ODataErrorReason, position: number, problem: string): never {
    throw new ODataError(reason, this.option, position, problem);
  }
}
