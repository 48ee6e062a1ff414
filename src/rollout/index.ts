/* How a new build of an application takes over what runs, in cohorts and with a rollback. Q2 */
export { BuildRouting, type Routing } from './build-routing.js';
export { isInCohort, parseCohorts, type Cohorts } from './cohort.js';
export { Fleet, idsOf } from './fleet.js';
export { LIMITS, objection } from './guard.js';
export { renewRuns } from './renewal.js';
export { Rollout, type Progress, type RolloutEnd, type RolloutOptions } from './rollout.js';
export { getsNewRuns, leadsBack, readStatus, type BuildStatus, type RolloutStatus } from './status.js';
export { Waker } from './wake.js';
export type { CountActions } from './watch.js';
