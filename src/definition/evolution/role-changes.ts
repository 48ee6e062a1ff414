import { safe, type Change } from './change.js';
import { same } from './context.js';

type Roles = Readonly<Partial<Record<string, readonly string[]>>>;

/** Changes of who may do what, where only operators may do what no role is named for. */
export function roleChanges(place: string, permissions: readonly string[], old: Roles, next: Roles): readonly Change[] {
  return permissions.flatMap((what): readonly Change[] => {
    const [was, is] = [old[what] ?? [], next[what] ?? []];
    if (same(was, is)) return [];
    const without = was.filter((role) => !is.includes(role));
    if (without.length === 0) return [safe(`${place}.roles.${what}`, `More roles may ${what}.`)];
    return [
      {
        place: `${place}.roles.${what}`,
        class: 'breaks-callers',
        sentence: `These roles may no longer ${what}: ${without.join(', ')}.`,
        remedy: 'Keep the role while callers use it.',
        covered: false,
      },
    ];
  });
}
