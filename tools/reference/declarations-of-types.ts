/*
 * Reads the declaration files that the build has written: they have the docstrings, and types where the source leaves them to the
 * compiler. Only files of this repository are read, since those of packages would take ten seconds.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

/** Something that the package exports. */
export interface Exported {
  readonly name: string;
  /** One for each overload; several kinds where a name is a value and a type. */
  readonly nodes: readonly ts.Declaration[];
}

export interface Declarations {
  /** The exports of each entry point, by its name as programs import it: `reeve/client`. */
  readonly entries: ReadonlyMap<string, readonly Exported[]>;
  /** The first declaration of a name, exported or not, in a file whose path ends like this. */
  find(file: string, name: string): ts.Node | undefined;
}

/** @param exported the member `exports` of package.json */
export function readDeclarations(exported: Readonly<Record<string, string>>): Declarations {
  const files = new Map(
    Object.entries(exported).map(([entry, file]) => [
      `reeve${entry.slice(1)}`,
      resolve(file.replace(/\.js$/, '.d.ts')),
    ]),
  );
  const program = ts.createProgram([...files.values()], OPTIONS, host());
  const checker = program.getTypeChecker();
  const entries = new Map(
    [...files].map(([entry, file]) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(file)!)!;
      const all = checker.getExportsOfModule(module).map((symbol): Exported => {
        const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
        return { name: symbol.name, nodes: meant.declarations ?? [] };
      });
      return [entry, all.sort((one, other) => (one.name < other.name ? -1 : 1))];
    }),
  );
  const find = (file: string, name: string) =>
    program
      .getSourceFiles()
      .find(({ fileName }) => fileName.endsWith(`/src/${file}.d.ts`))
      ?.statements.find((each) => isNamed(each) && each.name?.getText() === name);
  return { entries, find };
}

function isNamed(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.FunctionDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isFunctionDeclaration(node);
}

const OPTIONS: ts.CompilerOptions = { noLib: true, types: [], skipLibCheck: true };

function host(): ts.CompilerHost {
  return {
    ...ts.createCompilerHost(OPTIONS),
    readFile: (file) => readFileSync(file, 'utf8'),
    resolveModuleNames: (names, from) =>
      names.map((name) =>
        name.startsWith('.')
          ? { resolvedFileName: resolve(dirname(from), name.replace(/\.js$/, '.d.ts')), extension: ts.Extension.Dts }
          : undefined,
      ),
  };
}

/** The docstring of a declaration, as paragraphs in markdown. */
export interface Doc {
  readonly paragraphs: readonly string[];
  readonly parameters: readonly (readonly [name: string, text: string])[];
  readonly returns?: string;
  readonly throws: readonly string[];
}

export function docOf(node: ts.Node): Doc {
  // The docstring of a `const` stands above its statement.
  const holder = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const docs = (holder as ts.Node & { readonly jsDoc?: readonly ts.JSDoc[] }).jsDoc ?? [];
  const doc = docs.at(-1);
  const tags: readonly ts.JSDocTag[] = doc?.tags ?? [];
  const textOf = (comment: ts.JSDoc['comment']) => plainDoc(ts.getTextOfJSDocComment(comment) ?? '');
  return {
    paragraphs: textOf(doc?.comment)
      .split(/\n\s*\n/)
      .filter((each) => each !== ''),
    parameters: tags.filter(ts.isJSDocParameterTag).map((tag) => [tag.name.getText(), textOf(tag.comment)]),
    ...returned(tags.find(ts.isJSDocReturnTag), textOf),
    throws: tags
      .filter(ts.isJSDocThrowsTag)
      .map((tag) => `${tag.typeExpression?.getText() ?? ''} ${textOf(tag.comment)}`.trim()),
  };
}

function returned(tag: ts.JSDocReturnTag | undefined, textOf: (comment: ts.JSDoc['comment']) => string) {
  return tag ? { returns: textOf(tag.comment) } : {};
}

/** The text without what only those need who change Reeve: ids of guarantees, and links between names. */
function plainDoc(text: string): string {
  return text
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(IDS, '')
    .trim();
}

const ID = '(?:S\\d\\.\\d+[a-z]?|Q\\d|A\\d|W-?\\d+|I\\d|[a-z][\\w-]*\\.\\d+)';
/** `S4.1`, `(S1.5)`, `I1 to I8` at the end of a sentence or of a line. */
const IDS = new RegExp(`,?\\s+\\(?${ID}(?:(?:, | and | to )${ID})*\\)?(?=[.;:]?(?:\\s|$))`, 'g');

/** The code of a declaration without its body, its comments and the paths of what it imports. */
export function codeOf(node: ts.Node): string {
  return node
    .getText()
    .replaceAll(/import\("[^"]*"\)\.(?:default\.)?/g, '')
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\n/gm, '')
    .replace(/^export (?:declare )?(?:default )?/, '');
}
