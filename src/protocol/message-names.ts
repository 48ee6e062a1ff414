import type { EntityMessage } from './entity-message.js';
import type { OperationMessage } from './operation-message.js';
import { RAISE_UPDATE } from './names.js';

/*
 * The names under which messages travel, as signals and updates: what a person reads in the timelines of Temporal's UI. What a
 * message says is in its content alone, so a name that nobody knows does no harm.
 */

/** Names of events have no space, so they are never taken for messages. */
export function isMessageName(name: string): boolean {
  return name.includes(' ');
}

/** What an entity is told: `raise create`, `report Ready`. */
export function entityMessageName(message: EntityMessage): string {
  switch (message.kind) {
    case 'raise':
      return `raise ${message.request.event}`;
    case 'report':
      return `report ${message.outcome.rejection ? 'rejection' : message.outcome.state}`;
    case 'awaited':
      return `awaited ${message.outcome.state}`;
    case 'seal':
      return `seal ${message.first.event}`;
    case 'sealed':
      return message.rejection ? 'refuse seal' : 'sealed event';
    case 'look':
      return 'look after successor';
    case 'owner-look':
      return 'look after owner';
    case 'stranger':
      return 'know nothing';
    case 'lost':
      return 'lost successor';
    case 'accepted':
      return 'accepted event';
    case 'withdraw':
      return 'withdraw event';
    case 'read':
      return 'read entity';
    case 'view':
      return message.granted ? 'grant reservation' : 'show entity';
    case 'reserve':
      return 'reserve entity';
    case 'lease':
      return 'begin lease';
    case 'release':
      return 'release reservation';
    case 'unseal':
      return 'release seal';
    case 'probe':
      return 'probe circle';
    case 'cancel':
      return 'cancel operation';
    case 'inquiry':
      return 'inquire operation';
  }
}

/** What an operation is told: `ended create`. */
export function operationMessageName(message: OperationMessage): string {
  switch (message.kind) {
    case 'ended':
      return `ended ${message.event}`;
    case 'moved':
      return `moved ${message.outcome.state}`;
    case 'judged':
      return 'judged report';
    case 'deferred':
      return 'judge report later';
    case 'await':
      return 'await event';
    case 'interrupted':
      return 'interrupted participant';
    case 'unknown':
      return 'know nothing';
    case 'reserved':
      return 'reserved entity';
    case 'cancel':
      return 'cancel operation';
  }
}

/** The update that raises a batch of events: `raise create`, or `raise events` where they are different ones. */
export function raiseUpdateName(events: readonly string[]): string {
  const [first] = events;
  const same = first !== undefined && events.every((event) => event === first);
  return `${RAISE_UPDATE} ${same ? first : 'events'}`;
}

/** Whether an update raises a batch of events. */
export function isRaiseUpdate(name: string): boolean {
  return name.startsWith(`${RAISE_UPDATE} `);
}
