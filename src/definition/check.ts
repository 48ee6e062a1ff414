import { actionProblems } from './checks/actions.js';
import { contentsProblems } from './checks/contents.js';
import { deploymentProblems } from './checks/deployments.js';
import { cycleProblems } from './checks/cycles.js';
import { displayNameProblems } from './checks/display-names.js';
import { eventProblems } from './checks/events.js';
import { guardProblems } from './checks/guards.js';
import { keyProblems } from './checks/key.js';
import { limitProblems } from './checks/limits.js';
import { migrationProblems } from './checks/migrations.js';
import { nameProblems } from './checks/names.js';
import { operationProblems } from './checks/operations.js';
import { rearmingProblems } from './checks/rearming.js';
import { reachabilityProblems } from './checks/reachability.js';
import { roleProblems } from './checks/roles.js';
import { shapeProblems } from './checks/shape.js';
import { stateProblems } from './checks/states.js';
import { subscriptionProblems } from './checks/subscriptions.js';
import { timerProblems } from './checks/timers.js';
import { valueProblems } from './checks/values.js';
import { waitingProblems } from './checks/waiting.js';
import { DeclarationError } from './declaration-error.js';
import type { AnyEntity } from './entity.js';

/**
 * Finds all mistakes of a declaration. S1.5
 * @throws DeclarationError with every one of them
 */
export function checkDeclaration(entity: AnyEntity): void {
  // The other checks can rely on the shape: without it, they would only say what follows from it.
  const malformed = shapeProblems(entity);
  if (malformed.length > 0) throw new DeclarationError(String(entity.name), malformed);
  const problems = [
    nameProblems,
    keyProblems,
    displayNameProblems,
    contentsProblems,
    valueProblems,
    stateProblems,
    eventProblems,
    guardProblems,
    actionProblems,
    subscriptionProblems,
    waitingProblems,
    timerProblems,
    limitProblems,
    deploymentProblems,
    operationProblems,
    roleProblems,
    migrationProblems,
    reachabilityProblems,
    cycleProblems,
    rearmingProblems,
  ]
    .flatMap((check) => check(entity))
    // A problem that names something that is not there comes first: the others may follow from it.
    .toSorted((one, other) => Number(other.unknown ?? false) - Number(one.unknown ?? false));
  if (problems.length > 0) throw new DeclarationError(entity.name, problems);
}
