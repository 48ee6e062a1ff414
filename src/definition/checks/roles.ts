import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';

const ROLE = /^[a-z][a-z0-9-]*$/;

/** Roles have names that a token can carry, each name stands once, and for everything there is a role that may do it. S6.5 */
export function roleProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const general = Object.entries(entity.roles ?? {}).flatMap(([action, roles]) =>
    listProblems(`roles.${action}`, roles),
  );
  const particular = Object.entries(entity.events).flatMap(([name, { roles, internal }]) => {
    if (roles === undefined) return [];
    const place = `events.${name}.roles`;
    if (!internal) return listProblems(place, roles);
    return [
      { place, problem: 'have no effect: the event is internal', remedy: 'Remove them, or remove internal: true.' },
    ];
  });
  return [...general, ...particular];
}

function listProblems(place: string, roles: readonly string[] | undefined): readonly DeclarationProblem[] {
  if (roles === undefined) return [];
  if (roles.length === 0) {
    return [{ place, problem: 'allow no role', remedy: "Name a role, like 'operator', or declare an internal event." }];
  }
  return roles.flatMap((role, index) => {
    if (!ROLE.test(role)) {
      const remedy = 'Use small letters, digits and hyphens, like data-owner.';
      return [{ place, problem: `'${role}' is not a valid role name`, remedy }];
    }
    if (roles.indexOf(role) === index) return [];
    return [{ place, problem: `names '${role}' twice`, remedy: 'Name it once.' }];
  });
}
