import type { AnyEntity } from '../../definition/entity.js';
import { describeCalendar } from '../../definition/calendar/calendar-words.js';
import { calendarOf } from '../../definition/timer.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import type { AwaitedCallback } from '../../protocol/records.js';
import { entityId } from '../../protocol/names.js';
import type { Awaited, Failure, Snapshot } from '../../protocol/snapshot.js';
import { awaitedCallbacks, TOLD_CALLBACKS } from '../callbacks/awaited-callbacks.js';
import { callsUnderWay } from '../callbacks/call-steps.js';
import { possibleEvents, validEvents } from '../rules/valid-now.js';
import { isSealed } from '../rules/reserved.js';
import { shownLimit } from '../rules/retry.js';
import { healthOf, standingOf } from '../rules/standing.js';
import { stateOf } from '../rules/step.js';
import { scheduledTimers } from '../triggers/timers.js';
import { displayEvent, displayState } from '../../definition/display-name.js';
import { stuckEntity } from './stuck.js';

/** The entity in Markdown, for Temporal's UI. S5.6 */
export function describeSnapshot(entity: AnyEntity, snapshot: Snapshot): string {
  const { running, waiting, lastError, failure, dropped, ledger } = snapshot;
  const said = (event: string) => displayEvent(entity, event);
  const properties = Object.entries(snapshot.properties).map(([name, value]) => `| ${name} | ${inline(value)} |`);
  const links = Object.entries(snapshot.links)
    .filter(([, keys]) => keys.length > 0)
    .map(([name, keys]) => `| ${name} | ${typeof keys === 'string' ? keys : keys.join(', ')} |`);
  const subordinates = Object.entries(snapshot.subordinates).flatMap(([name, members]) =>
    Object.entries(members).map(([key, member]) => `| ${name}/${key} | ${inline(member)} |`),
  );
  const successors = snapshot.successors.map(
    ({ type, key, event, outcome }) =>
      `| ${type}/${key} | ${outcome?.lost ? 'lost' : (outcome?.rejection?.code ?? outcome?.state ?? event)} |`,
  );
  return [
    `**${entityId(snapshot)}** is **${displayState(entity, snapshot.state)}**${healthOf(entity, snapshot) === 'error' ? ' (error)' : ''}, version ${snapshot.version}`,
    '',
    ...describeStanding(entity, snapshot),
    ...describeStuck(entity, snapshot),
    ...(lastError ? [`Last error: \`${lastError.code}\` ${lastError.message}`] : []),
    ...(failure && !lastError ? [describeFailure(failure)] : []),
    ...callsUnderWay(snapshot).map(({ call, startedAt }) => `Calls \`${call}\` since ${isoTime(startedAt)}.`),
    ...(running?.awaits ?? []).filter(({ kind }) => kind !== 'answer').map(describeWait),
    ...awaitedCallbacks(snapshot)
      .slice(0, TOLD_CALLBACKS)
      .map((each) => describeCallback(each, said)),
    ...(running?.calls?.queued === undefined ? [] : [`${running.calls.queued} more calls wait for their turn.`]),
    ...describeReservations(snapshot),
    ...(waiting.length > 0 ? [`Waiting events: ${waiting.map(({ event }) => said(event)).join(', ')}.`] : []),
    ...(ledger.forgotten > 0 ? [`Forgot its ${ledger.forgotten} oldest request ids.`] : []),
    ...(snapshot.deployments ?? []).map(describeDeployment),
    ...(dropped ? [`Dropped the signal \`${dropped.signal}\`: ${dropped.reason}`] : []),
    ...scheduledTimers(entity, snapshot).map(({ event, at, periodic }) => {
      const calendar = periodic && calendarOf(periodic);
      return `Raises \`${said(event)}\` at ${isoTime(at)}${calendar ? `, ${describeCalendar(calendar)}` : ''}.`;
    }),
    `Valid events: ${possibleEvents(entity, snapshot, true).map(said).join(', ') || 'none'}.`,
    '',
    ...(properties.length > 0 ? ['| property | value |', '| --- | --- |', ...properties, ''] : []),
    ...(links.length > 0 ? ['| link | to |', '| --- | --- |', ...links, ''] : []),
    ...(subordinates.length > 0 ? ['| subordinate | value |', '| --- | --- |', ...subordinates, ''] : []),
    ...(successors.length > 0 ? ['| successor | state |', '| --- | --- |', ...successors, ''] : []),
  ].join('\n');
}

/** Describes what it is doing. */
function describeStanding(entity: AnyEntity, snapshot: Snapshot): readonly string[] {
  const standing = standingOf(entity, snapshot);
  const attempts = shownLimit(snapshot, stateOf(entity, snapshot).retry);
  const { attempt } = snapshot;
  const ofAll = attempts === undefined ? '' : ` of ${attempts}`;
  switch (standing.kind) {
    case 'running':
      return [`Runs \`${standing.action}\`, attempt ${Math.max(attempt, 1)}${ofAll}.`];
    case 'postponed':
      return [`Runs \`${standing.action}\` again at ${isoTime(standing.at)}, after a deadlock.`];
    case 'held':
      return [`Waits for ${standing.behind}.`];
    case 'pausing':
      return [`First attempt at ${isoTime(standing.at)}.`];
    case 'retrying':
      return [`Next attempt at ${isoTime(standing.at)}, after ${attempt}${ofAll}.`];
    case 'waiting':
      return [awaitsSuccessors(entity, snapshot) ? 'Waits for its successors.' : 'Waits for an answer or for time.'];
    case 'deploying':
      return [`Deploys \`${standing.deployment.name}\`, since ${isoTime(standing.deployment.since)}.`];
    // `describeStuck` tells of this.
    case 'exhausted':
    case 'resting':
      return [];
  }
}

/** Tells whether the report of a successor can lead out of the state. */
function awaitsSuccessors(entity: AnyEntity, { state }: Snapshot): boolean {
  const valid = validEvents(entity, state);
  return Object.values(entity.subscriptions).some(({ raise }) => valid.includes(raise));
}

function describeStuck(entity: AnyEntity, snapshot: Snapshot): readonly string[] {
  const stuck = stuckEntity(entity, snapshot);
  if (stuck) return [`**Stuck** since ${isoTime(stuck.since)}: ${stuck.message}. ${stuck.whatToDo}`];
  return snapshot.exhausted ? ['All attempts are used up.'] : [];
}

function describeFailure({ at, operation, code, message }: Failure): string {
  return `Last failure, at ${isoTime(at)} in operation ${operation}: \`${code}\` ${message}`;
}

function describeCallback(
  { call, event = '', since, until }: AwaitedCallback,
  said: (event: string) => string,
): string {
  const what = call === undefined ? `\`${said(event)}\` from outside` : `the answer to \`${call}\``;
  return `Waits on callback: ${what}, since ${isoTime(since)}, until ${isoTime(until)} at most.`;
}

function describeDeployment({ id, name, phase, since, until, end }: StateDeployment): string {
  const more =
    end !== undefined
      ? `: ${end.type}, ${end.description}`
      : until !== undefined
        ? `, until ${isoTime(until)} at most`
        : '';
  return `Deployment \`${name}\` (${id}): ${phase} since ${isoTime(since)}${more}.`;
}

function describeWait({ on, until, ...awaited }: Awaited): string {
  const what = {
    event: awaited.kind === 'event' ? `that \`${awaited.event}\` settles on ${on}` : '',
    view: `for how ${on} is`,
    reservation: `to reserve ${on}`,
    answer: `for the answer to ${on}`,
    seal: awaited.kind === 'seal' ? `that ${on} promises to admit \`${awaited.event}\`` : '',
  }[awaited.kind];
  return `Waits ${what}, until ${isoTime(until)} at most.`;
}

function describeReservations(snapshot: Snapshot): readonly string[] {
  const { reservation, reservers, holds, running } = snapshot;
  const held = [...holds, ...(running?.holds ?? [])];
  return [
    ...(reservation
      ? [`Reserved by ${entityId(reservation.owner)} until ${isoTime(reservation.until)} at most. Others wait.`]
      : []),
    ...(isSealed(snapshot) ? ['Sealed: waits for the events of its owner, also when the lease has ended.'] : []),
    ...(reservers.length > 0
      ? [`Waiting for a reservation: ${reservers.map(({ from }) => entityId(from)).join(', ')}.`]
      : []),
    ...held.map(({ on, until }) => `Has reserved ${entityId(on)} until ${isoTime(until)} at most.`),
  ];
}

function inline(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
