/*
 * Answers held against `$metadata`, as a client would read it: each property that is told is declared, of its type, and each
 * that is declared is told.
 */
export type Member = Readonly<Record<string, unknown>>;
export type Csdl = Readonly<Record<string, Readonly<Record<string, Member>>>>;

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/;
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const PRIMITIVES: Readonly<Record<string, (value: unknown) => boolean>> = {
  'Edm.String': (value) => typeof value === 'string',
  'Edm.Int64': (value) => Number.isSafeInteger(value),
  'Edm.Double': (value) => typeof value === 'number',
  'Edm.Boolean': (value) => typeof value === 'boolean',
  'Edm.DateTimeOffset': (value) => typeof value === 'string' && UTC.test(value),
  'Edm.Date': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
  'Edm.Guid': (value) => typeof value === 'string' && GUID.test(value),
  'Edm.Untyped': () => true,
};
const CONSTRAINT = '@Org.OData.Validation.V1.OpenPropertyTypeConstraint';
const ALLOWED = '@Org.OData.Validation.V1.AllowedValues';

/** All in which a value is not as its type, by its qualified name, says. */
export function disagreements(document: Csdl, type: string, value: unknown, path = type): readonly string[] {
  const [namespace, name] = splitName(type);
  const declared = document[namespace]?.[name];
  if (!declared) return [`${path}: there is no type ${type}`];
  if (!isMember(value)) return [`${path}: ${JSON.stringify(value)} is no ${type}`];
  const members = Object.entries(declared).filter(([member]) => !/^[$@]/.test(member)) as [string, Member][];
  const isEntity = declared['$Kind'] === 'EntityType';
  const missing = members.filter(
    ([member, each]) =>
      // A member that is optional within what is declared may be left out; ways are told where they are expanded.
      !Object.hasOwn(value, member) && each['$Kind'] !== 'NavigationProperty' && (isEntity || !each['$Nullable']),
  );
  const told = Object.entries(value).filter(([member]) => !member.includes('@'));
  return [
    ...missing.map(([member]) => `${path}/${member}: is declared and not told`),
    ...told.flatMap(([member, each]) => {
      const at = `${path}/${member}`;
      const own = Object.fromEntries(members)[member];
      if (own) return wrongValue(document, own, each, at);
      if (declared['$OpenType'] !== true) return [`${at}: is told and not declared`];
      const [constraint] = (declared[CONSTRAINT] ?? ['Edm.Untyped']) as readonly string[];
      return wrongValue(document, { $Type: constraint }, each, at);
    }),
  ];
}

function wrongValue(document: Csdl, declared: Member, value: unknown, path: string): readonly string[] {
  const { $Type: type = 'Edm.String', $Collection: many, $Nullable: nullable } = declared;
  if (many === true) {
    if (!Array.isArray(value)) return [`${path}: is no collection`];
    const one = { ...declared, $Collection: false };
    return value.flatMap((each, index) => wrongValue(document, one, each, `${path}/${index}`));
  }
  if (value === null) return nullable === true ? [] : [`${path}: is null`];
  const fits = PRIMITIVES[String(type)];
  if (!fits) return disagreements(document, String(type), value, path);
  const allowed = declared[ALLOWED] as readonly { readonly Value: unknown }[] | undefined;
  const isAllowed = !allowed || allowed.some(({ Value }) => Value === value);
  return fits(value) && isAllowed ? [] : [`${path}: ${JSON.stringify(value)} is no ${String(type)}`];
}

function splitName(type: string): readonly [string, string] {
  const dot = type.lastIndexOf('.');
  return [type.slice(0, dot), type.slice(dot + 1)];
}

function isMember(value: unknown): value is Member {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
