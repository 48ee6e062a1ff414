/*
 * Both forms of a CSDL document as one table of lines, so that they can be compared: what has which name, type, nullability.
 */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

type Member = Readonly<Record<string, unknown>>;

/** Reads what `$metadata` can be: elements, attributes and text. @throws when it is not well-formed */
export function readXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, close, name, attributes = '', empty, said] of text.matchAll(
    /<\?.*?\?>|<(\/?)([\w:]+)((?:\s+[\w:]+="[^"<>&]*(?:&\w+;[^"<>&]*)*")*)\s*(\/?)>|([^<]+)/gs,
  )) {
    const around = open.at(-1)!;
    if (said !== undefined) around.text += said.trim();
    if (name === undefined) continue;
    if (close) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
    const element: Element = { name, attributes: Object.fromEntries(pairs) as never, children: [], text: '' };
    around.children.push(element);
    if (!empty) open.push(element);
  }
  if (open.length !== 1) throw new Error(`<${open.at(-1)!.name}> is not closed`);
  return root.children[0]!;
}

export function inXml(edmx: Element): readonly string[] {
  const services = edmx.children.find(({ name }) => name === 'edmx:DataServices')!;
  const lines = services.children.flatMap((schema) =>
    schema.children.flatMap((part) => {
      const path = `${schema.attributes['Namespace']}.${part.attributes['Name']}`;
      const key = part.children.find(({ name }) => name === 'Key')?.children.map((each) => each.attributes['Name']);
      const head = `${path} ${part.name} ${part.attributes['OpenType'] ?? ''} ${key?.join(',') ?? ''}`;
      const said = part.children.flatMap((each) => memberLines(path, each));
      return [head, ...said];
    }),
  );
  return lines.sort();
}

function memberLines(path: string, { name, attributes, children }: Element): readonly string[] {
  const { Name, Type, EntityType, Nullable, ContainsTarget = '', Precision = '' } = attributes;
  switch (name) {
    case 'Property':
    case 'Parameter':
    case 'ReturnType':
    case 'NavigationProperty': {
      const nullable = Nullable === 'false' ? '' : name === 'NavigationProperty' && Type!.startsWith('C') ? '' : 'null';
      const at = `${path}/${Name ?? 'returned'}`;
      return [`${at} ${Type} ${nullable} ${ContainsTarget} ${Precision}`, ...annotations(at, children)];
    }
    case 'EntitySet': {
      const at = `${path}/${Name}`;
      const bound = children.filter((each) => each.name === 'NavigationPropertyBinding');
      const bindings = bound.map((each) => `${at}/${each.attributes['Path']} to ${each.attributes['Target']}`);
      return [`${at} set of ${EntityType}`, ...bindings, ...annotations(at, children)];
    }
    case 'Annotation':
      return annotations(path, [{ name, attributes, children, text: '' }]);
    default:
      return [];
  }
}

function annotations(path: string, children: readonly Element[]): readonly string[] {
  const said = children.filter(({ name }) => name === 'Annotation');
  return said.map((each) => `${path} @${each.attributes['Term']} ${JSON.stringify(expression(each.children[0]!))}`);
}

function expression({ name, children, text }: Element): unknown {
  if (name === 'Collection') return children.map(expression);
  if (name === 'Bool') return text === 'true';
  if (name !== 'Record') return text;
  const named = ({ name: kind, attributes: { Property, Term } }: Element) =>
    kind === 'Annotation' ? `@${Term}` : Property;
  return Object.fromEntries(children.map((each) => [named(each), expression(each.children[0]!)]));
}

export function inJson(document: Readonly<Record<string, unknown>>): readonly string[] {
  const schemas = Object.entries(document).filter(([name]) => !name.startsWith('$'));
  const lines = schemas.flatMap(([namespace, schema]) =>
    Object.entries(schema as Member).flatMap(([name, part]) => {
      const path = `${namespace}.${name}`;
      if (Array.isArray(part)) return part.flatMap((action) => actionLines(path, action as Member));
      const { $Kind: kind, $OpenType: open = '', $Key: key = [] } = part as Member;
      const head = `${path} ${String(kind)} ${String(open)} ${(key as readonly string[]).join(',')}`;
      return [head, ...partLines(path, part as Member, kind === 'EntityContainer')];
    }),
  );
  return lines.sort();
}

function partLines(path: string, part: Member, isContainer: boolean): readonly string[] {
  const own = isContainer ? [] : said(path, part);
  const members = Object.entries(part).filter(([name]) => !/^[$@]/.test(name)) as [string, Member][];
  return [
    ...own,
    ...members.flatMap(([name, member]) => {
      const at = `${path}/${name}`;
      if (!isContainer) return [typeLine(at, member), ...said(at, member)];
      const bound = Object.entries((member['$NavigationPropertyBinding'] ?? {}) as Member);
      const bindings = bound.map(([way, target]) => `${at}/${way} to ${String(target)}`);
      return [`${at} set of ${String(member['$Type'])}`, ...bindings, ...said(at, member)];
    }),
  ];
}

function actionLines(path: string, { $Parameter, $ReturnType, ...others }: Member): readonly string[] {
  const parameters = $Parameter as readonly Member[];
  return [
    `${path} Action  `,
    ...parameters.flatMap((each) => {
      const at = `${path}/${String(each['$Name'])}`;
      return [typeLine(at, each), ...said(at, each)];
    }),
    typeLine(`${path}/returned`, $ReturnType as Member),
    ...said(path, others),
  ];
}

function typeLine(path: string, member: Member): string {
  const { $Type = 'Edm.String', $Collection, $Nullable, $ContainsTarget = '', $Precision = '' } = member;
  const type = $Collection ? `Collection(${String($Type)})` : String($Type);
  return `${path} ${type} ${$Nullable ? 'null' : ''} ${String($ContainsTarget)} ${String($Precision)}`;
}

function said(path: string, part: Member): readonly string[] {
  const terms = Object.entries(part).filter(([name]) => name.startsWith('@'));
  return terms.map(([term, value]) => `${path} ${term} ${JSON.stringify(value)}`);
}
