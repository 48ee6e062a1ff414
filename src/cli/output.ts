import type { AnyEntity } from '../definition/entity.js';
import { allowedEvents, type AllowedEvent } from '../kernel/allowed-events.js';
import { isAtRest } from '../kernel/step.js';
import type { EntityReading } from '../client/entity-reader.js';
import type { OperationResult } from '../operations/status.js';
import type { Rejection } from '../protocol/messages.js';
import { entityId, operationWorkflowId } from '../protocol/names.js';
import { colours as pc, errorColours } from './colours.js';
import { describeState } from './progress-view.js';

/** An entity for people. */
export function formatEntity(
  entity: AnyEntity,
  { snapshot, gone }: EntityReading,
  link: (id: string) => string,
): string {
  const { operation, ledger, reservation } = snapshot;
  const events = allowedEvents(entity, snapshot);
  return [
    `${pc.bold(entityId(snapshot))}  ${describeState(entity, snapshot, pc)}${gone ? pc.dim('  gone') : ''}`,
    '',
    row('version', String(snapshot.version)),
    row('settled', isAtRest(entity, snapshot) && !entity.states[snapshot.state]?.waiting ? 'yes' : 'no, in progress'),
    ...(operation ? [row('operation', operation.id)] : []),
    ...(reservation ? [row('reserved by', `${entityId(reservation.owner)} until ${until(reservation)} at most`)] : []),
    ...(ledger.forgotten > 0 ? [row('request ids', `the ${ledger.forgotten} oldest are forgotten`)] : []),
    row('in Temporal', link(entityId(snapshot))),
    ...section(
      'properties',
      Object.entries(snapshot.properties).map(([name, value]) => [name, plain(value)]),
    ),
    ...section(
      'links',
      Object.entries(snapshot.links).map(([name, keys]) => [name, typeof keys === 'string' ? keys : keys.join(', ')]),
    ),
    ...section(
      'subordinates',
      Object.entries(snapshot.subordinates).flatMap(([name, members]) =>
        Object.entries(members).map(([key, member]): [string, string] => [`${name}/${key}`, plain(member)]),
      ),
    ),
    ...section(
      'successors',
      snapshot.successors.map(({ type, key, event, outcome }) => [
        `${type}/${key}`,
        outcome?.rejection ? `rejected: ${outcome.rejection.code}` : (outcome?.state ?? event),
      ]),
    ),
    ...section('events', [
      ...events.filter(({ allowed }) => allowed).map(formatEvent),
      ...events.filter(({ allowed }) => !allowed).map(formatEvent),
    ]),
  ].join('\n');
}

function formatEvent(event: AllowedEvent): readonly [string, string] {
  const answer = event.allowed ? pc.green('valid') : pc.dim(event.rejection.code);
  return [event.event, event.behind === undefined ? answer : `${answer}${pc.dim(`, waits behind ${event.behind}`)}`];
}

/** How an operation ended, for people. */
export function formatResult(result: OperationResult, link: (id: string) => string): string {
  const seconds = ((result.endedAt - result.startedAt) / 1000).toFixed(1);
  const outcome = result.outcome === 'success' ? pc.green('success') : pc.red(result.outcome);
  return [
    `${pc.bold(result.name)}: ${outcome} after ${seconds} s`,
    ...result.errors.map(({ entity, event, code, message }) => `  ${pc.red(entity)}, ${event}: ${code}: ${message}`),
    ...(result.rejection ? [`  ${pc.red(result.rejection.code)}: ${result.rejection.message}`] : []),
    pc.dim(`  ${link(operationWorkflowId(result.id))}`),
  ].join('\n');
}

/** Why an event was rejected, for people. */
export function formatRejection(rejection: Rejection): string {
  return [
    `${errorColours.red(rejection.code)}: ${rejection.message}`,
    ...(rejection.issues ?? []).map(({ path, message }) => `  ${path || '(all)'}: ${message}`),
    ...(rejection.operation ? [`  running operation: ${rejection.operation}`] : []),
  ].join('\n');
}

function section(title: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  if (rows.length === 0) return [];
  const width = Math.max(18, ...rows.map(([name]) => name.length));
  return ['', pc.dim(title), ...rows.map(([name, value]) => row(name, value, width))];
}

function row(name: string, value: string, width = 18): string {
  return `  ${name.padEnd(width)} ${value}`;
}

function until({ until: end }: { readonly until: number }): string {
  return new Date(end).toISOString();
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
