import type { JsonSchema } from '../../service/declared-schema.js';

/** The part of an OpenAPI document that describes what is answered. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiCall>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

interface ApiCall {
  readonly operationId?: string;
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

interface ApiResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>>;
}

/** The service has no such call: the project declares nothing of the kind. */
export class NotServed extends Error {
  override readonly name = 'NotServed';

  constructor(what: string) {
    super(`The service does not have '${what}', since the project declares nothing of the kind.`);
  }
}

/** The schemas of what a management service answers, from its OpenAPI document. */
export class ApiSchemas {
  readonly #document: ApiDocument;
  readonly #calls: ReadonlyMap<string, ApiCall>;

  constructor(document: ApiDocument) {
    this.#document = document;
    const calls = Object.values(document.paths).flatMap((path) => Object.values(path));
    this.#calls = new Map(calls.map((call) => [call.operationId ?? '', call]));
  }

  /** The entity types that the service has. */
  get types(): readonly string[] {
    return [...this.#calls.keys()].flatMap((id) => /^allowedEventsOf(.+)$/.exec(id)?.[1] ?? []);
  }

  /** A schema to which others refer, by its name. @throws NotServed */
  get(name: string): JsonSchema {
    const schema = this.#document.components.schemas[name];
    if (!schema) throw new NotServed(name);
    return schema;
  }

  /** The schema of the answers of a call that has succeeded. @throws NotServed */
  answer(operationId: string): JsonSchema {
    const responses = Object.entries(this.#calls.get(operationId)?.responses ?? {});
    const schemas = responses
      .filter(([status]) => Number(status) < 300)
      .map(([, { content }]) => content?.['application/json']?.schema)
      .filter((schema) => schema !== undefined);
    const [first, ...others] = new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values();
    if (!first) throw new NotServed(operationId);
    return others.length === 0 ? first : { anyOf: [first, ...others] };
  }

  /**
   * The schema of a row of a list, as a command prints it: a command selects no columns, so none is left out. While the store is
   * unavailable, the rows of some lists come from Temporal, which has fewer columns: those that are always there are `least`.
   */
  row(list: string, least?: readonly string[]): JsonSchema {
    const page = this.answer(`list_${list}`)['properties'] as Readonly<Record<string, JsonSchema>>;
    const row = page['value']!['items'] as JsonSchema;
    const columns = Object.keys(row['properties'] as object).filter((name) => !name.startsWith('@'));
    return { ...row, required: least ?? columns };
  }
}
