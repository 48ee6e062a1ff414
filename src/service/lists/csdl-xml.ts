import type { Csdl } from './csdl-types.js';

/*
 * Writes a document in CSDL JSON as CSDL XML 4.01, as far as `metadata.ts` uses it. Both say the same. S6.2
 */

const EDMX = 'http://docs.oasis-open.org/odata/ns/edmx';
const EDM = 'http://docs.oasis-open.org/odata/ns/edm';
/** The members of annotations whose values are paths of properties. */
const PATHS = ['NonFilterableProperties', 'NonSortableProperties'];

export function csdlXml(document: Csdl): string {
  const schemas = Object.entries(document).filter(([name]) => !name.startsWith('$'));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(
    'edmx:Edmx',
    { 'xmlns:edmx': EDMX, Version: document['$Version'] },
    [
      ...Object.entries(objectOf(document['$Reference'])).map(([uri, reference]) =>
        referenceOf(uri, objectOf(reference)),
      ),
      element(
        'edmx:DataServices',
        {},
        schemas.map(([namespace, schema]) => schemaOf(namespace, objectOf(schema))),
      ),
    ],
  )}\n`;
}

function referenceOf(uri: string, { $Include }: Csdl): string {
  const included = listOf($Include).map((each) => element('edmx:Include', { Namespace: objectOf(each)['$Namespace'] }));
  // This is the same vocabulary, as XML.
  return element('edmx:Reference', { Uri: uri.replace(/\.json$/, '.xml') }, included);
}

function schemaOf(Namespace: string, schema: Csdl): string {
  const parts = Object.entries(schema).flatMap(([Name, part]) => {
    if (Array.isArray(part)) return part.map((action) => actionOf(Name, objectOf(action)));
    const { $Kind, ...members } = objectOf(part);
    if ($Kind === 'EntityContainer') return [element('EntityContainer', { Name }, membersOf(members, setOf))];
    const { $Key, $OpenType: OpenType } = members;
    const key = listOf($Key).map((property) => element('PropertyRef', { Name: property }));
    const children = [...(key.length > 0 ? [element('Key', {}, key)] : []), ...membersOf(members, propertyOf)];
    return [element(String($Kind), { Name, OpenType }, [...children, ...annotationsOf(members)])];
  });
  return element('Schema', { xmlns: EDM, Namespace }, parts);
}

/** The named members of a part, without its annotations. */
function membersOf(part: Csdl, say: (name: string, member: Csdl) => string): readonly string[] {
  const named = Object.entries(part).filter(([name]) => !name.startsWith('$') && !name.startsWith('@'));
  return named.map(([name, member]) => say(name, objectOf(member)));
}

function propertyOf(Name: string, member: Csdl): string {
  if (member['$Kind'] !== 'NavigationProperty') {
    return element('Property', { Name, ...typeOf(member) }, annotationsOf(member));
  }
  const { Nullable, ...type } = typeOf(member);
  // A collection is never null, so it must not say whether it is nullable.
  const nullable = member['$Collection'] === true ? {} : { Nullable };
  return element('NavigationProperty', { Name, ...type, ...nullable, ContainsTarget: member['$ContainsTarget'] });
}

function actionOf(Name: string, { $IsBound: IsBound, $Parameter, $ReturnType, ...said }: Csdl): string {
  const parameters = listOf($Parameter).map(objectOf);
  return element('Action', { Name, IsBound }, [
    ...parameters.map((each) => element('Parameter', { Name: each['$Name'], ...typeOf(each) }, annotationsOf(each))),
    element('ReturnType', typeOf(objectOf($ReturnType))),
    ...annotationsOf(said),
  ]);
}

function setOf(Name: string, set: Csdl): string {
  const bindings = Object.entries(objectOf(set['$NavigationPropertyBinding'])).map(([Path, Target]) =>
    element('NavigationPropertyBinding', { Path, Target }),
  );
  return element('EntitySet', { Name, EntityType: set['$Type'] }, [...bindings, ...annotationsOf(set)]);
}

/**
 * The attributes of a type. In JSON, nothing is nullable unless it says so. In XML, everything is nullable unless it says
 * otherwise, and a collection has to say it of its items in either case.
 */
function typeOf({ $Type = 'Edm.String', $Collection, $Nullable, $Precision: Precision }: Csdl) {
  const Type = $Collection === true ? `Collection(${String($Type)})` : $Type;
  return { Type, Nullable: $Nullable !== true ? false : $Collection === true || undefined, Precision };
}

function annotationsOf(part: Csdl): readonly string[] {
  const said = Object.entries(part).filter(([name]) => name.startsWith('@'));
  return said.map(([name, value]) => element('Annotation', { Term: name.slice(1) }, [expressionOf(value)]));
}

function expressionOf(value: unknown, isPath = false): string {
  if (Array.isArray(value))
    return element(
      'Collection',
      {},
      value.map((each) => expressionOf(each, isPath)),
    );
  if (typeof value === 'boolean') return element('Bool', {}, [String(value)]);
  if (typeof value === 'string') return element(isPath ? 'PropertyPath' : 'String', {}, [escaped(value)]);
  const record = objectOf(value);
  const values = Object.entries(record).filter(([name]) => !name.startsWith('@'));
  const members = values.map(([Property, each]) =>
    element('PropertyValue', { Property }, [expressionOf(each, PATHS.includes(Property))]),
  );
  return element('Record', {}, [...members, ...annotationsOf(record)]);
}

type Attributes = Readonly<Record<string, unknown>>;

function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const said = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const start = [name, ...said.map(([key, value]) => `${key}="${escaped(String(value))}"`)].join(' ');
  return children.length === 0 ? `<${start}/>` : `<${start}>${children.join('')}</${name}>`;
}

function escaped(text: string): string {
  const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return text.replaceAll(/[&<>"]/g, (character) => names[character] ?? '');
}

function objectOf(value: unknown): Csdl {
  return typeof value === 'object' && value !== null ? (value as Csdl) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
