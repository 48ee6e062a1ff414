import { z } from 'zod';
import type { JsonSchema } from '../../service/declared-schema.js';
import { isRecord } from '../api/json-value.js';
import { ApiSchemas, NotServed, type ApiDocument } from './api-schemas.js';
import { ERROR, OUTPUTS } from './outputs.js';
import { OWN_OUTPUTS } from './own-outputs.js';
import { schemaInVocabulary } from './schema-in-vocabulary.js';

export { NotServed };

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The commands whose JSON has a schema, and `error`. The documents of other formats have schemas of their own. */
export const COMMANDS: readonly string[] = [...Object.keys(OUTPUTS), ...Object.keys(OWN_OUTPUTS), 'error'].sort();

/**
 * The JSON Schema of what a command prints with `--json`. The schemas of the service are those of its OpenAPI document, so that they have
 * the types and properties of the project. S6.3
 * @throws NotServed
 */
export function outputSchema(document: ApiDocument, command: string): JsonSchema {
  const { schema, $defs } = describe(new ApiSchemas(document), command);
  return { $schema: DIALECT, title: `reeve ${command} --json`, ...schema, $defs };
}

/** The same of all commands that make sense for the project: `$defs` has one for each, as `reeve get`. */
export function outputSchemas(document: ApiDocument): JsonSchema {
  const api = new ApiSchemas(document);
  const described = COMMANDS.flatMap((command) => {
    try {
      const { schema, $defs } = describe(api, command);
      return [{ ...$defs, [`reeve ${command}`]: schema }];
    } catch (thrown) {
      if (thrown instanceof NotServed) return [];
      throw thrown;
    }
  });
  const all = Object.entries(Object.assign({}, ...described) as Record<string, JsonSchema>);
  const $defs = Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
  return { $schema: DIALECT, title: 'reeve --json', $defs };
}

function describe(api: ApiSchemas, command: string) {
  const schema = schemaOf(api, command);
  return { schema, $defs: namedIn(api, schema) };
}

function schemaOf(api: ApiSchemas, command: string): JsonSchema {
  if (command === 'error') return ERROR;
  const output = OUTPUTS[command];
  if (output) return schemaInVocabulary(output(api));
  const { $schema: _, ...own } = z.toJSONSchema(OWN_OUTPUTS[command as keyof typeof OWN_OUTPUTS], { io: 'output' });
  return schemaInVocabulary(own as JsonSchema);
}

/** The named schemas to which this one refers, directly or through others. */
function namedIn(api: ApiSchemas, of: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const found = new Map<string, JsonSchema>();
  const look = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(look);
    if (!isRecord(value)) return;
    const name = typeof value['$ref'] === 'string' ? value['$ref'].replace('#/$defs/', '') : undefined;
    if (name !== undefined && !found.has(name)) {
      const schema = schemaInVocabulary(api.get(name));
      found.set(name, schema);
      look(schema);
    }
    Object.values(value).forEach(look);
  };
  look(of);
  return Object.fromEntries(found);
}
