import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.js';
import { COMMANDS } from '../../src/cli/schema/output-schema.js';
import { schemaInVocabulary } from '../../src/cli/schema/schema-in-vocabulary.js';
import { inVocabulary } from '../../src/cli/vocabulary.js';

/** Documents of other formats. */
const OTHERS = ['types'];

function withJson(command: Command, name = ''): readonly string[] {
  const inner = command.commands.flatMap((each) => withJson(each, `${name} ${each.name()}`.trim()));
  return command.options.some(({ long }) => long === '--json') ? [name, ...inner] : inner;
}

it('each command that prints JSON has a schema (S6.3)', async () => {
  const printing = withJson(await createProgram()).filter((name) => !OTHERS.includes(name));
  expect([...new Set([...printing, 'error'])].sort()).toEqual(COMMANDS);
});

it('a schema says the same of a document as the vocabulary does (S6.3)', () => {
  const time = { type: ['string', 'null'], format: 'date-time' };
  const schema = schemaInVocabulary({
    type: 'object',
    properties: {
      type: { type: 'string' },
      key: { type: 'string' },
      at: { type: 'integer' },
      outcome: { type: ['string', 'null'] },
      properties: { type: 'object', properties: { at: { type: 'integer' }, outcome: { type: 'null' } } },
      all: { type: 'array', items: { $ref: '#/components/schemas/Box' } },
      stuck_since: time,
    },
    required: ['type', 'key'],
  });
  const isTime = { type: 'string', format: 'date-time', pattern: expect.any(String) as string };
  expect(schema).toEqual({
    type: 'object',
    properties: {
      entity: { type: 'string', description: expect.any(String) as string },
      type: { type: 'string' },
      key: { type: 'string' },
      at: isTime,
      outcome: { type: 'string', description: expect.stringContaining('running') as string },
      properties: { type: 'object', properties: { at: { type: 'integer' }, outcome: { type: 'null' } } },
      all: { type: 'array', items: { $ref: '#/$defs/Box' } },
      stuck_since: { ...isTime, type: ['string', 'null'] },
    },
    required: ['type', 'key'],
  });
  const document = { type: 'Box', key: 'a', at: 1_795_928_102_428, outcome: null, all: [], stuck_since: null };
  expect(Object.keys(inVocabulary(document) as object)).toEqual(
    Object.keys(schema['properties'] as object).filter((name) => name !== 'properties'),
  );
});
