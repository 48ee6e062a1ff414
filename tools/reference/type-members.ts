import ts from 'typescript';
import { codeOf, docOf } from './declarations-of-types.js';
import { code, prose, table } from './page.js';

interface Shown {
  /** The texts of members without a docstring, by name. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  readonly typeOf?: (type: ts.TypeNode) => string;
}

/** A table of the members of a type; nothing where it has none. */
export function memberTable(members: readonly ts.Node[], shown: Shown = {}): readonly string[] {
  const rows = members.flatMap((member) => rowOf(member, shown));
  return rows.length === 0 ? [] : [table(['member', 'type', ''], rows)];
}

function rowOf(member: ts.Node, { texts, typeOf = codeOf }: Shown): readonly (readonly string[])[] {
  if (isHidden(member)) return [];
  if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) {
    const name = member.name.getText();
    if (name.startsWith('#')) return [];
    const type = member.type ? typeOf(member.type) : 'unknown';
    return [[code(name) + necessity(member), code(type), textOf(member, texts?.get(name))]];
  }
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) {
    return [[code(`${member.name.getText()}()`), code(signatureOf(member)), textOf(member)]];
  }
  if (ts.isGetAccessor(member))
    return [[code(member.name.getText()), code(member.type ? codeOf(member.type) : 'unknown'), textOf(member)]];
  if (ts.isConstructorDeclaration(member))
    return [[code('new'), code(`${codeOf(member).replace(/;$/, '')}`), textOf(member)]];
  if (ts.isCallSignatureDeclaration(member))
    return [[code('()'), code(codeOf(member).replace(/;$/, '')), textOf(member)]];
  if (ts.isIndexSignatureDeclaration(member))
    return [[code(`[${member.parameters[0]?.getText() ?? ''}]`), code(codeOf(member.type)), textOf(member)]];
  return [];
}

function isHidden(member: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  return modifiers.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword);
}

/** `(name: string): Promise<void>` */
function signatureOf(member: ts.MethodSignature | ts.MethodDeclaration): string {
  const types = member.typeParameters ? `<${member.typeParameters.map(codeOf).join(', ')}>` : '';
  const parameters = member.parameters.map(codeOf).join(', ');
  return `${types}(${parameters}): ${member.type ? codeOf(member.type) : 'void'}`;
}

/** The docstring of a member in one paragraph. */
export function textOf(member: ts.Node, instead = ''): string {
  const { paragraphs, throws, returns, parameters } = docOf(member);
  const text = [
    ...paragraphs,
    ...parameters.filter(([, said]) => said !== '').map(([name, said]) => `\`${name}\`: ${said}.`),
    ...(returns ? [`Returns ${returns}.`] : []),
    ...throws.map((each) => `Throws ${each}.`),
  ].join(' ');
  return prose(text === '' ? instead : text);
}

/** Tells whether a member can be left out; one of several forms of a type stands for the others. */
function necessity(member: ts.PropertySignature | ts.PropertyDeclaration): string {
  if (member.questionToken) return ', optional';
  return ts.isUnionTypeNode(member.parent.parent) ? ', or another form' : '';
}
