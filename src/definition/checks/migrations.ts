import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import type { Renames } from '../migration.js';

/** Migrations lead up to the present schema without a gap, and renames lead from names that are gone to names that exist. Q2 */
export function migrationProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return [...numberProblems(entity), ...renameProblems(entity)];
}

function numberProblems({ schema, migrations, renamed }: AnyEntity): readonly DeclarationProblem[] {
  const numbers = Object.keys(migrations).map(Number);
  const problems = numbers.flatMap((number): readonly DeclarationProblem[] => {
    const place = `migrations.${number}`;
    if (!Number.isInteger(number) || number < 2) {
      const remedy = 'Name each migration by the schema that it produces. The first one is 2.';
      return [{ place, problem: 'is not a valid schema number', remedy }];
    }
    if (number <= schema) return [];
    return [{ place, problem: `is higher than the schema, ${schema}`, remedy: `Write schema: ${number}.` }];
  });
  if (problems.length > 0) return problems;
  if (schema > 1 && numbers.length === 0) {
    const stored = [renamed.states, renamed.properties, renamed.links];
    if (stored.some((names) => Object.keys(names ?? {}).length > 0)) return [];
    const remedy = `Write migrations: { ${schema}: (old) => ({ ... }) }, or 'renamed', or remove 'schema'.`;
    return [{ place: 'schema', problem: `is ${schema}, but there is no migration`, remedy }];
  }
  return range(Math.min(...numbers), schema)
    .filter((number) => !numbers.includes(number))
    .map((number) => ({
      place: `migrations.${number}`,
      problem: `is missing: each schema up to ${schema} needs a migration to it`,
      remedy: `Write ${number}: (old) => ({ ... }), or ${number}: () => ({}) if nothing changes.`,
    }));
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Number.isFinite(from) ? Math.max(0, to - from + 1) : 0 }, (_, index) => from + index);
}

function renameProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const declared: Readonly<Record<keyof Renames, readonly string[]>> = {
    states: Object.keys(entity.states),
    properties: Object.keys(entity.properties.shape),
    links: Object.keys(entity.links),
    events: Object.keys(entity.events),
  };
  return (Object.keys(declared) as (keyof Renames)[]).flatMap((kind) => {
    const renames = Object.entries(entity.renamed[kind] ?? {});
    const problems = renames.flatMap(([from, to]): readonly DeclarationProblem[] => {
      const place = `renamed.${kind}.${from}`;
      if (declared[kind].includes(from)) {
        return [
          {
            place,
            problem: 'is still declared',
            remedy: 'Remove the old name from the declaration, or remove the rename.',
          },
        ];
      }
      if (declared[kind].includes(to)) return [];
      const known = declared[kind].join(', ') || 'none';
      return [{ place, problem: `leads to '${to}', which is not declared`, remedy: `Name one of: ${known}.` }];
    });
    if (kind === 'events' || renames.length === 0 || entity.schema > 1) return problems;
    const remedy = 'Write schema: 2. Stored names change when an entity is migrated to a newer schema.';
    return [...problems, { place: `renamed.${kind}`, problem: 'changes nothing in schema 1', remedy }];
  });
}
