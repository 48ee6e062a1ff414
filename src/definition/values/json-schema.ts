import { z } from 'zod';
import { defOf, isCodec, type AnySchema } from './schema-parts.js';

/**
 * The JSON Schema of what is given to a schema (`input`), or of what is stored of it (`output`): of a codec, the encoded value. What
 * JSON Schema cannot say is left out.
 * @param note adds what JSON Schema cannot say of one schema to what it says
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  note?: (schema: AnySchema, jsonSchema: Record<string, unknown>) => void,
) {
  return z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (io === 'output' && isCodec(zodSchema)) {
        const { description, title, default: _ } = jsonSchema;
        for (const name of Object.keys(jsonSchema)) delete jsonSchema[name];
        const { $schema: _schema, ...encoded } = jsonSchemaOf(defOf(zodSchema).in as z.ZodType, 'input', note);
        Object.assign(jsonSchema, encoded, { ...(description && { description }), ...(title && { title }) });
      }
      note?.(zodSchema, jsonSchema);
    },
  });
}
