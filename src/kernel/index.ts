/*
 * The kernel, as the rest of Reeve sees it: nothing else of it is imported from outside.
 *
 * Its rooms, each of which knows only those before it: rules (pure questions about a declaration and a snapshot), ledger (which
 * requests are known), engagements (an event from its beginning to its end), triggers (subscriptions and time), reservations,
 * successors, waits (of the running action), callbacks (answers from outside), deployments, actions (from one state to the next),
 * migration, turns (what comes next), explain (what it waits for, and how it shows), run (the entity as a run holds it, on a driver),
 * author (runs the code of actions), life (from its beginning to its end). Only the last three wait.
 */
export { type AllowedEvent, allowedEvents } from './rules/allowed-events.js';
export { checkKey, refGiven } from './rules/construction.js';
export { LONGEST_CHAIN } from './rules/chain.js';
export { currentOperation } from './rules/decide.js';
export { eventTooLarge } from './rules/event-size.js';
export type { TickQuestion } from './triggers/calendar.js';
export { dimensionsOf } from './rules/dimensions.js';
export { counted } from './rules/due-subscription.js';
export { refusalOfLinks, targetsAtBirth } from './rules/link-target.js';
export type { LookDistance } from './rules/look-distance.js';
export { matches, meantBy } from './rules/matching.js';
export { neededBy, refusalWithout } from './rules/need.js';
export { isAnothers, rolesFor } from './rules/permission.js';
export { isSealed } from './rules/reserved.js';
export { healthOf, isSettled, standingOf } from './rules/standing.js';
export { isAtRest, isGone, stateOf } from './rules/step.js';
export { possibleEvents, validEvents } from './rules/valid-now.js';
export { tryAgain } from './ledger/doubt.js';
export { contentFingerprint } from './ledger/fingerprint.js';
export { firstLedger, immediateOutcome, isDoubtful, isKnown } from './ledger/ledger.js';
export { pastAnswer, repeatedAnswer } from './engagements/repeat.js';
export { toBeTold } from './successors/ended-successor.js';
export { refusalAtBirth } from './actions/refusal-at-birth.js';
export { migrationHindrance } from './migration/hindrance.js';
export { migrateContents } from './migration/migrated-contents.js';
export { olderContents } from './migration/older-contents.js';
export { describeSnapshot } from './explain/describe.js';
export { entityRecord } from './explain/entity-record.js';
export { explainEntity } from './explain/explain.js';
export { resumptionOf } from './explain/resumption.js';
export type { SuccessorStanding } from './explain/successor-standing.js';
export { type Stuck, type StuckReason, stuckBy, stuckEntity } from './explain/stuck.js';
export type { Unmet } from './explain/unmet.js';
export type { ActionAwait, Attempt, Wait } from './explain/wait.js';
export { waitedFor } from './explain/waited-for.js';
export type { CallAnswer, EntityDriver, MessageLimits } from './run/driver.js';
export { EndlessCode } from './run/endless-code.js';
export type { PlacedCall } from './run/placed-call.js';
export { type EntityInput, runEntity } from './life/entity-life.js';
export type { BatchRefusal, EntityHandlers } from './run/handlers.js';
export { Clock, type HistoryPlace, LatestTask, TaskGate } from './run/workflow-task.js';
export { sorted } from '../protocol/sorted.js';
