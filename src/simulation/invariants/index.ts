import { answeredOnce } from './answered-once.js';
import { answersJoin } from './answers-join.js';
import type { Invariant } from '../fact.js';
import { abortAtOnce } from './abort-at-once.js';
import { abortComesLast } from './abort-comes-last.js';
import { allowedAsSaid } from './allowed-as-said.js';
import { allOrNothing } from './all-or-nothing.js';
import { attemptsCounted } from './attempts-counted.js';
import { busyAtOnce } from './busy-at-once.js';
import { contentsByVersion } from './contents-by-version.js';
import { declaredMoves } from './declared-moves.js';
import { effectOnce } from './effect-once.js';
import { endsOnce } from './ends-once.js';
import { everythingRecorded } from './everything-recorded.js';
import { flatSnapshots } from './flat-snapshots.js';
import { judgementsTold } from './judgements-told.js';
import { longRunsEnd } from './long-runs-end.js';
import { lossesFound } from './losses-found.js';
import { migratedOnce } from './migrated-once.js';
import { missedIsLost } from './missed-is-lost.js';
import { newerReports } from './newer-reports.js';
import { nothingLost } from './nothing-lost.js';
import { oneKeyPerCall } from './one-key-per-call.js';
import { operationEnds } from './operation-ends.js';
import { probesOnce } from './probes-once.js';
import { probesToOwners } from './probes-to-owners.js';
import { questionsWithdrawn } from './questions-withdrawn.js';
import { rejectionChangesNothing } from './rejection-changes-nothing.js';
import { rejectionTold } from './rejection-told.js';
import { reservationsEnd } from './reservations-end.js';
import { sameAnswer } from './same-answer.js';
import { sealedEverywhere } from './sealed-everywhere.js';
import { subscriptionOnce } from './subscription-once.js';
import { takenBack } from './taken-back.js';
import { timeGoesOn } from './time-goes-on.js';
import { timersInTime } from './timers-in-time.js';
import { trueResults } from './true-results.js';
import { versionsByOne } from './versions-by-one.js';

/** All invariants, fresh for one simulation. */
export function allInvariants(): readonly Invariant[] {
  return [
    versionsByOne(),
    declaredMoves(),
    allOrNothing(),
    attemptsCounted(),
    effectOnce(),
    rejectionChangesNothing(),
    allowedAsSaid(),
    busyAtOnce(),
    nothingLost(),
    lossesFound(),
    missedIsLost(),
    sameAnswer(),
    reservationsEnd(),
    probesOnce(),
    probesToOwners(),
    longRunsEnd(),
    sealedEverywhere(),
    rejectionTold(),
    oneKeyPerCall(),
    newerReports(),
    subscriptionOnce(),
    endsOnce(),
    operationEnds(),
    answeredOnce(),
    answersJoin(),
    questionsWithdrawn(),
    judgementsTold(),
    trueResults(),
    everythingRecorded(),
    contentsByVersion(),
    timersInTime(),
    timeGoesOn(),
    abortAtOnce(),
    abortComesLast(),
    takenBack(),
    flatSnapshots(),
    migratedOnce(),
  ];
}
