import type { Change, ChangeClass, Touched } from './change.js';
import { isSameSchema, type SchemaRefusal } from './acceptance.js';
import type { EntityModel } from './model.js';

/** Two versions of one entity type. */
export interface Versions {
  readonly old: EntityModel;
  readonly next: EntityModel;
}

/** Tells whether entities are migrated on their way from one version to the other. */
export function isMigrated({ old, next }: Versions): boolean {
  return next.schema > old.schema;
}

/** Counts what is migrated as covered, where the declaration has a migration for it. */
export function stored(
  versions: Versions,
  change: Omit<Change, 'class' | 'covered' | 'remedy'> & { readonly class?: ChangeClass; readonly remedy?: string },
): Change {
  const covered = isMigrated(versions);
  const { schema } = versions.old;
  const remedy =
    change.remedy ??
    `Write schema: ${schema + 1} and migrations: { ${schema + 1}: (old) => ({ ... }) } in ${versions.next.name}.`;
  return { class: 'needs-migration', ...change, covered, remedy };
}

export function breaksCallers(
  place: string,
  sentence: string,
  remedy: string,
  touches: Touched,
  covered = false,
): Change {
  return { place, class: 'breaks-callers', sentence, remedy, covered, touches };
}

/** The first refusals, in words: `size is required, and may be missing`. */
export function inWords(refusals: readonly SchemaRefusal[], whole = 'it'): string {
  const said = refusals.slice(0, 3).map(({ path, reason }) => `${path || whole} ${reason}`);
  return said.join('; ') + (refusals.length > 3 ? `; and ${refusals.length - 3} more` : '');
}

/** Finds what is only in the first list, only in the second one, and in both under the names that they have now. */
export function paired<T extends { readonly name: string }>(
  old: readonly T[],
  next: readonly T[],
  renamed: Readonly<Record<string, string>> = {},
): { readonly gone: readonly T[]; readonly came: readonly T[]; readonly both: readonly (readonly [T, T])[] } {
  const present = (name: string) => (Object.hasOwn(renamed, name) ? renamed[name]! : name);
  const both = old.flatMap((one) => {
    const other = next.find(({ name }) => name === present(one.name));
    return other ? [[one, other] as const] : [];
  });
  return {
    gone: old.filter((one) => !both.some(([known]) => known === one)),
    came: next.filter((one) => !both.some(([, known]) => known === one)),
    both,
  };
}

/** An event of the old version in the states that are there now, by their present names: another change tells of states that are gone. */
export function inPresentStates(
  event: EntityModel['events'][number],
  { next }: Versions,
): EntityModel['events'][number] {
  const known = new Set(next.states.map(({ name }) => name));
  const present = (name: string) => next.renamed.states?.[name] ?? name;
  const presentKeys = (byState: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(byState).flatMap(([state, value]) => (known.has(present(state)) ? [[present(state), value]] : [])),
    );
  return {
    ...event,
    in: event.in.map(present).filter((state) => known.has(state)),
    rejections: presentKeys(event.rejections),
    rejectionWords: presentKeys(event.rejectionWords),
  };
}

export function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Tells whether two pieces of code have the same text. The same text is not the same code where what it takes from outside differs. */
export function isSameCode(one: unknown, other: unknown): boolean {
  return isSameSchema(one, other);
}
