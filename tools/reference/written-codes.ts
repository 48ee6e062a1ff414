/*
 * Looks for error codes in the source that the table of `src/protocol/error-codes` does not have, and for entries that nothing uses.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ERROR_GROUPS } from '../../src/protocol/error-codes/index.js';
import { COMMAND } from './page.js';

const TABLE = 'src/protocol/error-codes';
/** The page and the simulator show codes of others, and rows have them as a column. */
const WITHOUT = [TABLE, 'src/page', 'src/simulation', 'src/components/testing', 'src/store/rows'];
/** Codes that nobody sees: of zod, of checks within a declaration, and between a worker and its client. */
const INTERNAL = ['custom', 'empty', 'missing', 'followed', 'reeve_batch_rejected', 'reeve_run_closing', 'NotYet'];
/** The functions and classes that take a code, and as which argument. */
const TAKERS: Readonly<Record<string, number>> = {
  ...{ Defect: 0, GivenUp: 0, ResourceError: 0, ProblemError: 0, ReplicaError: 0, SideAway: 0, CallFailed: 1 },
  ...{ refuse: 0, refused: 0, refusal: 0, failure: 0 },
  ...{ 'ProblemError.invalid': 0, 'ProblemError.#toRetry': 0 },
  ...{ 'ApplicationFailure.retryable': 1, 'ApplicationFailure.nonRetryable': 1 },
};
const CODE = /^[a-z][a-z\d]*(?:_[a-z\d]+)*$/;

/** The sources in which codes are looked for, by their paths. */
export function sourcesWithCodes(): ReadonlyMap<string, string> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name))
    .filter((name) => /\.tsx?$/.test(name) && !WITHOUT.some((folder) => name.startsWith(folder)));
  return new Map(files.map((name) => [name, readFileSync(name, 'utf8')]));
}

/** Each code without an entry, with its place, and each entry without a use. */
export function strayCodes(files: ReadonlyMap<string, string>, groups = ERROR_GROUPS): readonly string[] {
  const sources = [...files].map(([name, text]) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
  const codes = new Set(Object.values(groups).flatMap(Object.keys));
  const constants = new Map(sources.flatMap((source) => [...constantsOf(source)]));
  const strays = sources.flatMap((source) =>
    codesIn(source, constants)
      .filter(([code]) => !codes.has(code) && !INTERNAL.includes(code))
      .map(([code, at]) => `${at}: the code '${code}' has no entry: add it to ${TABLE}, and run '${COMMAND}'.`),
  );
  const all = [...files.values()].join('\n');
  const unused = [...codes].filter((code) => !all.includes(code) && !code.startsWith('odata_'));
  return [...strays, ...unused.map((code) => `${TABLE}: nothing uses the code '${code}': remove its entry.`)];
}

/** The texts that the file has under a name. */
function* constantsOf(source: ts.SourceFile): Generator<readonly [string, string]> {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (initializer && ts.isStringLiteral(initializer)) yield [name.getText(), initializer.text];
    }
  }
}

/** Each code that a file writes, with its place. */
function codesIn(source: ts.SourceFile, constants: ReadonlyMap<string, string>) {
  const found: (readonly [string, string])[] = [];
  const visit = (node: ts.Node): void => {
    for (const [text, at] of codeTexts(node, constants)) {
      const { line } = source.getLineAndCharacterOfPosition(at.getStart());
      if (CODE.test(text)) found.push([text, `${source.fileName}:${line + 1}`]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The codes that the node itself writes. */
function codeTexts(node: ts.Node, constants: ReadonlyMap<string, string>): readonly (readonly [string, ts.Node])[] {
  const isNamed = ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node) || ts.isVariableDeclaration(node);
  if (isNamed && node.name.getText() === 'code') {
    return node.initializer ? texts(node.initializer, constants) : [];
  }
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return [];
  const called = node.expression.getText();
  if (called === 'ApplicationFailure.create') return typeIn(node.arguments?.[0], constants);
  const place = TAKERS[called] ?? TAKERS[called.replace(/^this\.#?/, '')];
  const given = place === undefined ? undefined : node.arguments?.[place];
  return given ? texts(given, constants) : [];
}

/** The type of one of Temporal's failures is its code. */
function typeIn(given: ts.Node | undefined, constants: ReadonlyMap<string, string>) {
  if (!given || !ts.isObjectLiteralExpression(given)) return [];
  return given.properties.flatMap((each) =>
    ts.isPropertyAssignment(each) && each.name.getText() === 'type' ? texts(each.initializer, constants) : [],
  );
}

/** Every text that an expression may give. */
function texts(node: ts.Expression, constants: ReadonlyMap<string, string>): readonly (readonly [string, ts.Node])[] {
  if (ts.isStringLiteralLike(node)) return [[node.text, node]];
  if (ts.isConditionalExpression(node))
    return [...texts(node.whenTrue, constants), ...texts(node.whenFalse, constants)];
  if (ts.isBinaryExpression(node)) return [...texts(node.left, constants), ...texts(node.right, constants)];
  if (ts.isAsExpression(node)) return texts(node.expression, constants);
  const text = ts.isIdentifier(node) ? constants.get(node.text) : undefined;
  return text === undefined ? [] : [[text, node]];
}
